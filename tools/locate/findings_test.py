"""The first wrong number is named, on hand-made traces. The first four layers feed each other; "skip" feeds the end alone."""

import math
import os
import sys
import unittest
from unittest import mock

from tools.artifacts.generate.reference_error import ReferenceError
from tools.locate import findings, locate
from tools.locate.findings import Call, Compared, Difference, NEVER_CALLED, Result

RIGHT, OFF = Difference(3e-16), Difference(4.8e-2)
UNKNOWN = Difference(None, "ours has 2 inputs, the reference 1")
SIZE = Difference(None, "4 values against the reference's 6", other_size=True)


def call(name, given=RIGHT, output=RIGHT, fed_by=(), number=0):
    return Call(name, number, given, output, tuple(fed_by))


def chain(**changed):
    """conv -> norm -> act -> fc, and what is changed of them: name=(input, output)."""
    names = ["conv", "norm", "act", "fc"]
    return [call(n, *changed.get(n, (RIGHT, RIGHT)), fed_by=[i - 1] if i else []) for i, n in enumerate(names)]


def fault(calls, output=RIGHT, fed_by=(3,)):
    found = findings.first_fault(calls, [Result("logits", output, fed_by)])
    return found and found.text


class FirstFaultTest(unittest.TestCase):
    def test_where_all_is_right_there_is_none(self):
        self.assertIsNone(fault(chain()))

    def test_a_layer_whose_input_is_right_and_whose_output_is_off(self):
        off = chain(norm=(RIGHT, OFF), act=(OFF, OFF), fc=(OFF, OFF))
        self.assertEqual(fault(off, OFF), "norm: its output is wrong (rms 4.8e-02 of std), its input is right (to 3e-16 of std)")

    def test_a_later_call_of_a_layer_has_its_number(self):
        calls = [call("conv"), call("conv", RIGHT, OFF, [0], number=1)]
        self.assertTrue(fault(calls, OFF, [1]).startswith("conv (call 2): its output is wrong (rms"))

    def test_between_two_layers_where_an_input_is_off_and_what_feeds_it_is_right(self):
        off = chain(act=(OFF, OFF), fc=(OFF, OFF))
        text = "between norm (right to 3e-16 of std) and act: the input of act is off by 4.8e-02 of std"
        self.assertEqual(fault(off, OFF), text)

    def test_before_the_first_layer_and_behind_the_last(self):
        self.assertTrue(fault(chain(conv=(OFF, OFF)), OFF).startswith("between the model's inputs and conv: "))
        text = 'between fc (right to 3e-16 of std) and the end: output "logits" is off by 4.8e-02 of std'
        self.assertEqual(fault(chain(), OFF), text)

    def test_a_last_layer_that_ours_never_calls_shows_in_an_output_of_another_size(self):
        text = "between fc (ours never calls it) and the end: output \"logits\" has 4 values against the reference's 6"
        self.assertEqual(fault(chain(fc=(findings.NEVER_CALLED, findings.NEVER_CALLED)), SIZE), text)

    def test_of_several_that_feed_an_input_the_last_is_named(self):
        calls = [call("a"), call("b"), call("c", OFF, OFF, [0, 1])]
        self.assertIn("between b (right to 3e-16 of std; right, too: another layer before it) and c:", fault(calls, OFF, [2]))

    def test_an_output_is_no_fault_where_all_that_it_feeds_is_right(self):
        # Ours adds within the layer what the reference adds behind it.
        self.assertIsNone(fault(chain(norm=(RIGHT, OFF))))
        self.assertIsNone(fault(chain(norm=(RIGHT, OFF), fc=(RIGHT, OFF))))

    def test_but_a_branch_that_is_used_late_is_one(self):
        calls = [call("skip", RIGHT, OFF), call("conv"), call("fc", OFF, OFF, [0, 1])]
        self.assertTrue(fault(calls, OFF, [2]).startswith("skip: "))

    def test_not_a_number_is_off(self):
        nan = Difference(math.nan)
        self.assertTrue(nan.off and not nan.right)
        self.assertTrue(fault(chain(norm=(RIGHT, nan), act=(nan, nan), fc=(nan, nan)), nan).startswith("norm: its output is wrong (rms nan"))

    def test_a_layer_that_ours_never_calls_is_named_beside_the_one_that_shows_it(self):
        calls = chain(norm=(NEVER_CALLED, NEVER_CALLED), act=(OFF, OFF), fc=(OFF, OFF))
        self.assertIn("between norm (ours never calls it) and act: ", fault(calls, OFF))

    def test_what_cannot_be_compared_is_passed_over_and_said(self):
        calls = chain(norm=(RIGHT, UNKNOWN), act=(UNKNOWN, OFF), fc=(OFF, OFF))
        text = "act: its output is wrong (rms 4.8e-02 of std), its input could not be compared: ours has 2 inputs, the reference 1"
        self.assertEqual(fault(calls, OFF), text)
        gaps = findings.not_compared(calls, [Result("logits", UNKNOWN)])
        self.assertEqual([gap.split(":")[0] for gap in gaps], ["output of norm", "input of act", "logits"])

    def test_a_fault_that_comes_of_a_tensor_of_another_size_is_that_tensor(self):
        text = "norm: its output has 4 values against the reference's 6, its input is right (to 3e-16 of std)"
        self.assertEqual(fault(chain(norm=(RIGHT, SIZE), act=(SIZE, SIZE), fc=(SIZE, SIZE)), SIZE), text)
        self.assertEqual(fault(chain(norm=(RIGHT, SIZE), act=(SIZE, SIZE), fc=(OFF, OFF)), OFF), text)
        text = "between norm (right to 3e-16 of std) and act: the input of act has 4 values against the reference's 6"
        self.assertEqual(fault(chain(act=(SIZE, SIZE), fc=(OFF, OFF)), OFF), text)

    def test_another_size_alone_is_none_nor_where_all_that_it_feeds_is_right(self):
        self.assertIsNone(fault(chain(norm=(RIGHT, SIZE))))
        self.assertIsNone(fault(chain(norm=(RIGHT, SIZE), act=(SIZE, RIGHT))))
        self.assertTrue(fault(chain(conv=(RIGHT, SIZE), act=(RIGHT, OFF), fc=(OFF, OFF)), OFF).startswith("act: its output is wrong"))


def compared(calls, output=RIGHT, **more):
    given = dict(case="x", rounding="bf16", provenance="torchvision 0.26.0", calls=calls, ours_alone=[], loss=[], gradients=[], statistics=[])
    return Compared(outputs=[Result("logits", output, (3,))], **{**given, **more})


def step(gradient=RIGHT, loss=RIGHT, statistic=RIGHT):
    gradients = [Result("fc.weight", RIGHT), Result("norm.bias", gradient), Result("conv.weight", gradient)]
    return dict(loss=[Result("loss", loss)], gradients=gradients, statistics=[Result("norm.running_var", statistic)])


class ReportTest(unittest.TestCase):
    def test_nothing_off(self):
        code, lines = locate.report(compared(chain()))
        self.assertEqual(code, 0)
        self.assertEqual(lines[0], "locate    EQUAL    no layer is off: 4 layer calls give what torchvision 0.26.0 gives, to 3e-16 of std")
        self.assertIn("rounded to bf16. If the case fails, the reason is its dtype, device, execution", lines[1])

    def test_a_fault_and_what_is_right_before_it(self):
        code, lines = locate.report(compared(chain(act=(RIGHT, OFF), fc=(OFF, OFF)), OFF))
        self.assertEqual(code, 1)
        self.assertEqual(lines[0], "locate    OFF      act: its output is wrong (rms 4.8e-02 of std), its input is right (to 3e-16 of std)")
        self.assertIn("2 layer calls before it give what torchvision 0.26.0 gives, to 3e-16 of std", lines[1])

    def test_layers_that_one_side_alone_calls_are_said(self):
        calls = chain(norm=(NEVER_CALLED, NEVER_CALLED))
        code, lines = locate.report(compared(calls, ours_alone=["stem"]))
        self.assertEqual(code, 0)
        self.assertEqual([text.strip() for text in lines[-2:]], ["not compared: norm: ours never calls it", "ours alone calls stem"])

    def test_many_gaps_are_counted(self):
        code, lines = locate.report(compared(chain(), ours_alone=list("abcdefgh")))
        self.assertEqual((code, lines[-1].strip()), (0, "and 3 more"))

    def test_nothing_compared_is_no_pass(self):
        names = ["conv", "norm", "act", "fc"]
        with self.assertRaisesRegex(Exception, "none of the 4 layer calls could be compared: conv: ours never"):
            locate.report(compared(chain(**{name: (NEVER_CALLED, NEVER_CALLED) for name in names})))

    def test_of_a_training_step_the_first_gradient_from_the_loss_backwards(self):
        code, lines = locate.report(compared(chain(), **step(gradient=OFF)))
        self.assertEqual(code, 1)
        self.assertTrue(lines[0].endswith("norm.bias: rms 4.8e-02 of std, the first gradient that is off from the loss backwards; the loss is right"))

    def test_a_loss_before_its_gradients_and_a_layer_before_both(self):
        self.assertIn("OFF      loss: rms", locate.report(compared(chain(), **step(OFF, OFF)))[1][0])
        calls = chain(fc=(RIGHT, OFF))
        self.assertIn("OFF      fc: its output is wrong", locate.report(compared(calls, OFF, **step(OFF, OFF)))[1][0])

    def test_a_statistic_is_looked_at_last(self):
        code, lines = locate.report(compared(chain(), **step(statistic=OFF)))
        self.assertEqual(code, 1)
        self.assertIn("norm.running_var: rms 4.8e-02 of std, kept by the layer", lines[0])

    def test_a_right_step_says_so(self):
        code, lines = locate.report(compared(chain(), **step()))
        self.assertEqual(code, 0)
        self.assertIn("no gradient and no statistic of one step is off: they are right to 3e-16 of std", lines[1])
        self.assertIn("execution or optimizer", lines[2])


class MisfitTest(unittest.TestCase):
    def test_a_state_that_does_not_fit_names_its_tensors(self):
        names = "\n".join("\tsize mismatch for features.%d.weight: copying [64, 4], the shape is [64, 3]." % i for i in range(7))
        lines = locate.misfit(ReferenceError("the runner's weights don't fit the other implementation:\n" + names))
        self.assertEqual(lines[0], "locate    OFF      the runner's weights don't fit the other implementation:")
        self.assertEqual(lines[1], " " * 19 + "size mismatch for features.0.weight: copying [64, 4], the shape is [64, 3].")
        self.assertEqual(lines[6:], [" " * 19 + "and 2 more"])

    def test_it_is_a_fault_and_no_traceback(self):
        comparison = mock.Mock(compare=mock.Mock(side_effect=ReferenceError("they don't fit")))
        with mock.patch.dict(os.environ, BUILD_WORKSPACE_DIRECTORY="/x"), mock.patch("builtins.print") as printed:
            with mock.patch.dict(sys.modules, {"tools.locate.comparison": comparison}):
                self.assertEqual(locate.main(["folder"]), 1)
        printed.assert_called_once_with("locate    OFF      they don't fit")


class CommandLineTest(unittest.TestCase):
    def test_one_folder_is_wanted(self):
        self.assertEqual(locate.parse(["--delete", "f"]), ("f", True))
        for wrong in ([], ["a", "b"], ["--remove", "a"]):
            self.assertEqual(locate.main(wrong), 3)


if __name__ == "__main__":
    unittest.main()
