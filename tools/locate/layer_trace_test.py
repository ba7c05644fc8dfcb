"""Layers of torch's own modules are seen as layer_trace_test.cc sees ours, and what feeds what. Needs torch; manual:

    tools/bazel test //tools/locate:layer_trace_test
"""

import unittest

import torch
from torch import nn
from torch.nn import functional

from tools.artifacts.generate.true_float64 import true_float64
from tools.locate.differences import SORTED, difference
from tools.locate.layer_trace import LayerTrace


def traced(state, inputs, call, autograd=False):
    """(calls, trace, result)."""
    calls = []
    with torch.enable_grad() if autograd else torch.inference_mode(), true_float64():
        with LayerTrace(state, inputs, calls.append) as trace:
            result = call()
    return calls, trace, result


def parameters(**shapes):
    return {n.replace("__", "."): nn.Parameter(torch.rand(s, dtype=torch.float64)) for n, s in shapes.items()}


def names(calls):
    return ["%s#%d" % (call.name, call.number) for call in calls]


class LayerTraceTest(unittest.TestCase):
    def check_network(self, autograd):
        net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(144, 2)).double()
        net.train(autograd)
        x = torch.rand(2, 3, 8, 8, dtype=torch.float64)
        calls, trace, y = traced(net.state_dict(keep_vars=True), x, lambda: net(x), autograd)
        self.assertEqual(names(calls), ["0#0", "1#0", "4#0"])
        self.assertEqual([sorted(call.fed_by) for call in calls], [[], [0], [1]])
        self.assertEqual(trace.feeding(y), {2})
        self.assertEqual((trace.last_call_of["4.bias"], trace.last_call_of["1.running_var"]), (2, 1))
        self.assertTrue(torch.equal(calls[0].inputs[0], x))
        with torch.inference_mode():  # as it was before the ReLU wrote over it
            self.assertEqual(difference(calls[1].output, net[1](calls[0].output)).rms, 0)
        self.assertEqual(difference(calls[2].inputs[0], calls[1].output.relu().flatten(1)).rms, 0)
        self.assertFalse(calls[2].output.requires_grad)

    def test_modules_in_their_order_while_evaluating(self):
        self.check_network(autograd=False)

    def test_and_while_training_where_autograd_cuts_operators_smaller(self):
        self.check_network(autograd=True)

    def test_a_branch_is_fed_by_what_it_is_a_sum_of(self):
        state = parameters(a__weight=(3, 3), b__weight=(3, 3), c__weight=(3, 3))
        x = torch.rand(2, 3, dtype=torch.float64)

        def call():
            a = functional.linear(x, state["a.weight"])
            return functional.linear(functional.linear(a, state["b.weight"]).add_(a), state["c.weight"])

        calls, _, _ = traced(state, x, call)
        self.assertEqual([sorted(call.fed_by) for call in calls], [[], [0], [0, 1]])

    def test_what_is_computed_of_a_layers_tensors_alone_belongs_to_it(self):
        state = parameters(conv__weight=(4, 3, 1, 1), conv__gain=(4, 1, 1, 1))
        x = torch.rand(1, 3, 2, 2, dtype=torch.float64)
        calls, _, _ = traced(state, x, lambda: functional.conv2d(x, (state["conv.weight"] - 1) * state["conv.gain"]))
        self.assertEqual(names(calls), ["conv#0"])
        self.assertEqual([len(call.inputs) for call in calls], [1])

    def test_tokens_and_positions_are_one_call_of_the_root_named_after_the_largest(self):
        state = parameters(class_token=(1, 1, 4), positions=(1, 3, 4))
        x = torch.rand(2, 2, 4, dtype=torch.float64)
        call = lambda: torch.cat([state["class_token"].expand(2, -1, -1), x], 1) + state["positions"]
        calls, _, y = traced(state, x, call)
        self.assertEqual(names(calls), ["positions#0"])
        self.assertTrue(torch.equal(calls[0].inputs[0], x) and torch.equal(calls[0].output, y))

    def test_of_several_layers_it_is_that_of_the_largest_parameter(self):
        state = parameters(attention__q_bias=(4,), attention__qkv__weight=(4, 4), attention__network__weight=(2, 2))
        state["attention.coordinates"] = torch.rand(9, 2, dtype=torch.float64)
        x = torch.rand(2, 4, dtype=torch.float64)

        def call():
            functional.linear(x, state["attention.qkv.weight"], state["attention.q_bias"])
            functional.linear(state["attention.coordinates"], state["attention.network.weight"])

        calls, _, _ = traced(state, x, call)
        self.assertEqual(names(calls), ["attention.qkv#0", "attention.network#0"])
        self.assertTrue(torch.equal(calls[1].inputs[0], state["attention.coordinates"]))

    def test_a_tied_tensor_has_its_first_name_and_calls_are_numbered(self):
        state = parameters(a__weight=(3, 3), b__weight=(3, 3))
        state["head.weight"] = state["a.weight"]
        x = torch.rand(2, 3, dtype=torch.float64)

        def call():
            y = functional.linear(functional.linear(x, state["a.weight"]), state["b.weight"])
            functional.linear(y, state["head.weight"])

        self.assertEqual(names(traced(state, x, call)[0]), ["a#0", "b#0", "a#1"])


class DifferenceTest(unittest.TestCase):
    def test_is_in_standard_deviations_of_the_reference(self):
        reference = torch.tensor([10.0, 14.0])
        self.assertAlmostEqual(difference(reference + 1e-3, reference).rms, 0.5e-3, places=6)
        self.assertEqual(difference(reference, reference).rms, 0)

    def test_of_equal_numbers_in_their_size(self):
        self.assertAlmostEqual(difference(torch.full((4,), 2.02), torch.full((4,), 2.0)).rms, 0.01, places=4)

    def test_of_rounding_alone_in_what_is_least(self):
        rounding = torch.tensor([1e-17, 3e-17], dtype=torch.double)
        self.assertTrue(difference(-rounding, rounding).off)
        self.assertTrue(difference(-rounding, rounding, least=1e-6).right)

    def test_another_shape_of_the_same_order_is_no_other_layout(self):
        reference = torch.rand(2, 1, 6)
        self.assertEqual(difference(reference.view(3, 4), reference), (0, ""))
        self.assertGreater(difference(reference.flip(2).view(2, 6), reference).rms, 0.1)

    def test_another_layout_is_compared_by_sorted_values(self):
        reference = torch.rand(2, 3, 5)
        self.assertEqual(difference(reference.transpose(1, 2).contiguous(), reference), (0, SORTED))
        off = difference(reference.transpose(1, 2) * 1.1, reference)
        self.assertTrue(off.off and off.note == SORTED)

    def test_another_number_of_values_is_not_compared(self):
        found = difference(torch.rand(4), torch.rand(6))
        self.assertEqual((found.rms, found.note), (None, "4 values against the reference's 6"))

    def test_not_a_number_is_off(self):
        self.assertTrue(difference(torch.tensor([1.0, float("nan")]), torch.tensor([1.0, 2.0])).off)


if __name__ == "__main__":
    unittest.main()
