"""Files of save_pretrained() give transformers' outputs here, for the first model of each class that reads tokens or a
sound, and the tokens that its generate() chooses.

Random weights, float32, within a few of float32's roundings of what Python computes in float64. Families come from the
registry: a new one is under this test without a line. manual:

    tools/bazel test --config=large //tools/artifacts/checkpoints:token_checkpoints_test --test_output=all
"""

import tempfile
import unittest

import numpy
import torch
import transformers
from safetensors.torch import load_file

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.checkpoints.filled import filled
from tools.artifacts.generate import compute, registry
from tools.artifacts.generate.true_float64 import true_float64

_LONGER = "tinyllama_2l_fp32_b1_s128_gen32"  # the tiny models of its class make 8 tokens


def first_cases(generate):
    """A float32 case of the first tiny model of each implementation and of each value of its texts and flags, which choose
    transformers' class and what it does."""
    cases, _ = registry.read("benchmarks/registry.json")
    first = {}
    for case in cases:
        if generate and case.name == _LONGER:
            first[_LONGER] = case
        names = [given.name for given in case.inputs]
        if any(name.endswith(("input_ids", "input_values")) for name in names) and "_tiny" in case.model and case.dtype == "FP32":
            if bool(case.continuation) == generate and not case.training:
                chosen = sorted((name, value) for name, value in case.parameters.items() if isinstance(value, (str, bool)))
                first.setdefault((case.implementation, tuple(chosen)), case)
    return list(first.values())


def lively(module):
    """The module with weights so large, and words so small, that the likeliest token is not just the last one again."""
    torch.manual_seed(11)
    for parameter in module.parameters():
        if parameter.dim() > 1:
            parameter.data = torch.randn_like(parameter) / parameter.shape[-1] ** 0.5
    module.get_input_embeddings().weight.data *= 0.1
    return module.eval()


def greedy(module, inputs, continued, count):
    """`count` tokens by generate(), and by how much each was likelier than the next best, in standard deviations."""
    prompt = inputs[continued].shape[1]
    # generate() puts the start token before a decoder's prompt that does not begin with it.
    start = int(inputs[continued][0, 0])
    module.generation_config = transformers.GenerationConfig(do_sample=False, decoder_start_token_id=start)
    done = module.generate(**inputs, max_new_tokens=count, output_logits=True, return_dict_in_generate=True)
    best = torch.stack([scores.topk(2).values for scores in done.logits], 1)
    spread = torch.stack([scores.std(-1) for scores in done.logits], 1)
    return done.sequences[:, prompt:], (best[..., 0] - best[..., 1]) / spread


class TokenCheckpointsTest(unittest.TestCase):
    def test_each_class_loads_what_was_saved_and_computes_the_same(self):
        cases = first_cases(generate=False)
        self.assertGreater(len(cases), 0)
        print("%-36s %12s %12s   max error, in the output's standard deviation" % ("", "C++ float32", "Python's"))
        for case in cases:
            with self.subTest(model=case.model), tempfile.TemporaryDirectory() as folder:
                self.check(case, folder)

    def test_tokens_are_those_of_generate(self):
        cases = first_cases(generate=True)
        self.assertIn(_LONGER, [case.name for case in cases])
        for case in cases:
            with self.subTest(model=case.model), tempfile.TemporaryDirectory() as folder:
                self.check_tokens(case, folder)

    def check_tokens(self, case, folder):
        command = CaseCommand(case.package[2:], case.name, folder, in_registry=True)
        command.export_inputs()
        module = lively(compute.Family(case.script).script.build(case.parameters))
        module.save_pretrained(command.path("saved"))
        record = command.verify("--weights=saved", "--inputs=inputs.safetensors")
        inputs = load_file(command.path("inputs.safetensors"))
        continued, new = case.continuation
        count = inputs.pop(new).shape[1] + 1
        with torch.inference_mode():
            want, margins = greedy(module, inputs, continued, count)
        got = torch.tensor([[int(i) for i in row["ids"]] for row in record["generated"]])
        rows = want.shape[0]
        self.assertEqual(got.shape, want.shape, record["text"])
        same = 0
        for row in range(rows):
            # After a tie either of the two may go on.
            tie = next((i for i in range(count) if margins[row, i] < 1e-4), count)
            if tie < count:
                print("%-36s row %d: the two best of token %d are %.1e apart" % (case.model, row, tie, margins[row, tie]))
            self.assertEqual(got[row, :tie].tolist(), want[row, :tie].tolist(), record["text"])
            same += tie
        text = "%-36s %d tokens of %d rows are the same, %d of them distinct"
        print(text % (case.model, same, rows, len(set(want.flatten().tolist()))), flush=True)

    def check(self, case, folder):
        command = CaseCommand(case.package[2:], case.name, folder, in_registry=True)
        command.export_inputs()
        script = compute.Family(case.script).script
        module = filled(script.build(case.parameters))
        module.save_pretrained(command.path("saved"))
        inputs = load_file(command.path("inputs.safetensors"))
        with torch.inference_mode():
            single = {n: t.double().numpy() for n, t in script.forward(module, inputs).items()}
            module.double()
            with true_float64():
                given = {n: t.double() if t.is_floating_point() else t for n, t in inputs.items()}
                exact = {n: t.numpy() for n, t in script.forward(module, given).items()}
        numpy.savez(command.path("exact.npz"), **exact)
        record = command.verify("--weights=saved", "--inputs=inputs.safetensors", "--reference=exact.npz")
        rounding = max(numpy.abs(single[n] - exact[n]).max() / exact[n].std() for n in exact)
        error = max([output.get("max_error", 0) for output in record["verdict"].get("outputs", [])], default=numpy.nan)
        print("%-36s %12.2e %12.2e" % (case.model, error, rounding), flush=True)
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        self.assertTrue(0 < error < 10 * rounding, (error, rounding))


if __name__ == "__main__":
    unittest.main()
