"""Checkpoints of GPT-2 as they are published, of the bare GPT2Model, and as transformers writes them now, load and agree."""

import tempfile
import unittest

import numpy
import torch
import transformers
from safetensors.torch import load_file, save_file

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.checkpoints.filled import filled

_SETTINGS = {"n_embd": 128, "n_head": 2, "n_layer": 2, "vocab_size": 1024}  # gpt2_tiny's


def _as_published(model):
    """With the causal mask of each block, as the library wrote it until it stopped storing buffers."""
    state = {name: tensor.clone().contiguous() for name, tensor in model.transformer.state_dict().items()}
    for block in range(_SETTINGS["n_layer"]):
        state["h.%d.attn.bias" % block] = torch.ones(1024, 1024).tril()[None, None]
        state["h.%d.attn.masked_bias" % block] = torch.tensor(-1e4)
    return state


class Gpt2CheckpointTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.case = CaseCommand("benchmarks/gpt2", "gpt2_tiny_fp32_b1_s8", temporary.name)
        inputs = load_file(cls.case.export_inputs())
        cls.model = filled(transformers.GPT2LMHeadModel(transformers.GPT2Config(**_SETTINGS)))
        with torch.inference_mode():
            logits = cls.model(**inputs).logits
        numpy.savez(cls.case.path("outputs.npz"), logits=logits.numpy())

    def notes(self, weights):
        record = self.case.verify("--weights=" + weights, "--reference=outputs.npz")
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        self.assertLess(record["verdict"]["outputs"][0]["max_error"], 1e-4)
        return record["weights"].get("conversions", [])

    def test_the_bare_model_with_its_masks_as_published(self):
        save_file(_as_published(self.model), self.case.path("published.safetensors"), {"format": "pt"})
        lacking, masks = self.notes("published.safetensors")
        self.assertEqual(lacking, 'the names lack "transformer.", as those of the bare model')
        self.assertTrue(masks.startswith("4 tensors left out, buffers that the original library does not read"), masks)

    def test_what_save_pretrained_writes_now(self):
        self.model.save_pretrained(self.case.path("whole"))
        self.assertEqual(self.notes("whole"), [])
        self.model.transformer.save_pretrained(self.case.path("bare"))
        self.assertEqual(len(self.notes("bare")), 1)

    def test_a_classifier_of_the_same_body(self):
        classifier = transformers.GPT2ForSequenceClassification(self.model.config)
        classifier.transformer.load_state_dict(self.model.transformer.state_dict())
        classifier.save_pretrained(self.case.path("classifier"))
        (note,) = self.notes("classifier")
        self.assertIn('heads that the model has not: "score.weight"', note)

    def test_another_size_is_refused_in_plain_words(self):
        state = _as_published(self.model)
        state["wte.weight"] = state["wte.weight"][:1000].clone()
        save_file(state, self.case.path("small.safetensors"), {"format": "pt"})
        done = self.case.run("--action=verify", "--weights=small.safetensors")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("is [1000, 128], the model's is [1024, 128]", done.stderr)


if __name__ == "__main__":
    unittest.main()
