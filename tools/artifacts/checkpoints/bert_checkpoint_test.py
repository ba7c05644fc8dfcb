"""Checkpoints of BERT as transformers writes and wrote them load into bert_base, and give transformers' output.

Every file below holds the same encoder.
"""

import os
import shlex
import subprocess
import sys
import tempfile
import unittest

import numpy
import torch
import transformers
from safetensors.torch import load_file, save_file

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.checkpoints.filled import filled

_TENSORS = 199
_HELD = "--reference=outputs.npz"


def _model(kind, **settings):
    return filled(kind(transformers.BertConfig(**settings)))


def _old_names(state):
    """As Google's TensorFlow files were converted: gamma and beta."""
    return {
        n.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): t
        for n, t in state.items()
    }


def _copies(state):
    return {name: tensor.clone().contiguous() for name, tensor in state.items()}  # tied tensors apart


class BertCheckpointTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.case = CaseCommand("benchmarks/bert", "bert_base_fp32_b1_s8", temporary.name)
        # The seeded inputs do not depend on the weights, whose file need not exist yet.
        inputs = load_file(cls.case.export_inputs("--weights=model.safetensors"))
        cls.model = _model(transformers.BertForPreTraining)
        cls.state = cls.model.state_dict()
        with torch.inference_mode():
            outputs = cls.model.bert(**inputs)
        numpy.savez(
            cls.case.path("outputs.npz"),
            last_hidden_state=outputs.last_hidden_state.numpy(),
            pooler_output=outputs.pooler_output.numpy(),
        )

    def save(self, state):
        save_file(_copies(state), self.case.path("model.safetensors"), {"format": "pt"})

    def passes(self, *arguments):
        record = self.case.verify(*(arguments or ("--weights=model.safetensors",)), _HELD)
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        for output in record["verdict"]["outputs"]:
            self.assertLess(output.get("max_error", 0), 1e-4)
        self.assertEqual(int(record["weights"]["tensors"]), _TENSORS)
        for said in record["weights"].get("conversions", []):
            self.assertIn(said, record["text"])
        return record["weights"].get("conversions", [])

    def refused(self, *arguments):
        done = self.case.run("--action=verify", *(arguments or ("--weights=model.safetensors",)), _HELD)
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        return done.stderr

    def test_prefix_heads_position_ids_and_gamma_and_beta_at_once(self):
        self.save(
            _old_names({**self.state, "bert.embeddings.position_ids": torch.arange(512).expand((1, -1))})
        )
        notes = self.passes()
        self.assertEqual(notes[0], '199 tensors have "bert." in front of their names')
        self.assertEqual(notes[1], "50 tensors called gamma or beta read as weight or bias")
        self.assertIn('does not read: "bert.embeddings.position_ids"', notes[2])
        heads = [name for name in self.state if name.startswith("cls.")]
        self.assertTrue(notes[3].startswith("%d tensors left out, heads that the model has not" % len(heads)), notes)
        self.assertIn('"cls.predictions.bias", ', notes[3])
        self.assertEqual(len(notes), 4)

    def test_what_save_pretrained_writes_now(self):
        self.model.save_pretrained(self.case.path("pretraining"))  # tied tensors once
        self.assertEqual(len(self.passes("--weights=pretraining")), 2)
        self.model.bert.save_pretrained(self.case.path("encoder"))
        self.assertEqual(self.passes("--weights=encoder"), [])

    def test_a_sentence_encoder_with_position_ids_and_no_prefix(self):
        encoder = {name: t for name, t in self.model.bert.state_dict().items()}
        self.save({**encoder, "embeddings.position_ids": torch.arange(512).expand((1, -1))})
        notes = self.passes()
        self.assertEqual(len(notes), 1)
        self.assertIn('"embeddings.position_ids"', notes[0])

    def test_a_classifier_wrapped_for_training(self):
        kind = transformers.BertForSequenceClassification
        classifier = kind(transformers.BertConfig(num_labels=3))
        classifier.bert.load_state_dict(self.model.bert.state_dict())
        self.save(torch.compile(torch.nn.DataParallel(classifier)).state_dict())
        notes = self.passes()
        self.assertEqual(notes[0], '199 tensors have "_orig_mod.module.bert." in front of their names')
        self.assertIn('"_orig_mod.module.classifier.bias", "_orig_mod.module.classifier.weight"', notes[1])

    def test_the_command_for_a_pickle_makes_a_file_that_loads(self):
        folder = self.case.path("a folder's name")
        os.mkdir(folder)
        torch.save({"state_dict": self.state, "epoch": 3}, folder + "/pytorch_model.bin")
        said = self.refused("--weights=" + folder)
        command = shlex.split(said.split("\n")[1])
        self.assertEqual(command[0], "python3")
        subprocess.run([sys.executable, "-s", "-S", *command[1:]], check=True)
        self.assertEqual(len(self.passes("--weights=" + folder)), 2)

    def test_two_encoders_in_a_file_are_the_users_choice(self):
        other = {n: t + 1 if t.is_floating_point() else t for n, t in self.model.bert.state_dict().items()}
        mine = {"query." + n: t for n, t in self.model.bert.state_dict().items()}
        self.save({**mine, **{"context." + n: t for n, t in other.items()}})
        self.assertIn('2 times, behind "context." and "query."', self.refused())
        notes = self.passes("--weights=model.safetensors", "--weights-prefix=query")
        self.assertIn("199 tensors left out, outside of --weights-prefix", notes[1])
        done = self.case.run("--action=verify", "--weights=model.safetensors", "--weights-prefix=context", _HELD)
        self.assertEqual(done.returncode, 1, "other weights, other outputs")

    def test_bad_files_are_refused_in_plain_words(self):
        bare = self.model.bert.state_dict()
        gamma = {**bare, "encoder.layer.3.output.LayerNorm.gamma": torch.ones(768)}
        without = {n: t for n, t in self.state.items() if "pooler" not in n}
        small = _model(transformers.BertModel, hidden_size=128, num_hidden_layers=3, num_attention_heads=2)
        gpt = transformers.GPT2Model(transformers.GPT2Config(n_embd=64, n_layer=1, n_head=2))
        for state, said in (
            (gamma, 'twice       1: "encoder.layer.3.output.LayerNorm.weight" is there as'),
            ({**bare, "encoder.scale": torch.ones(1)}, 'unexpected  1: "encoder.scale"'),
            (without, 'missing     2: "pooler.dense.bias", "pooler.dense.weight"\n'),
            ({**bare, "embeddings.LayerNorm.bias": torch.ones(767)}, "is [767], the model's is [768]"),
            (small.state_dict(), "BERT (transformers) with 3 blocks in encoder.layer, where the model has 12"),
            (gpt.state_dict(), "looks like  GPT-2 (transformers); the model is like BERT"),
        ):
            with self.subTest(said):
                self.save(state)
                self.assertIn(said, self.refused())
        self.save(bare)
        os.truncate(self.case.path("model.safetensors"), 10**8)
        self.assertIn("cut short", self.refused())


class MaskedLmCheckpointTest(unittest.TestCase):
    """The scores' weight and bias are the embedding's and the head's own: files hold them once, or under both names."""

    def test_what_is_tied_is_read_once_or_twice_and_must_be_equal(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        case = CaseCommand("benchmarks/bert", "bert_tiny_masked_lm_fp32_b1_s8", folder.name)
        inputs = load_file(case.export_inputs("--weights=model.safetensors"))
        tiny = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512}
        model = _model(transformers.BertForPreTraining, **tiny)
        with torch.inference_mode():
            logits = model(**inputs).prediction_logits
        numpy.savez(case.path("outputs.npz"), logits=logits.numpy())
        masked = transformers.BertForMaskedLM(model.config)
        masked.load_state_dict(model.state_dict(), strict=False)
        save_file(_copies(model.state_dict()), case.path("both.safetensors"), {"format": "pt"})
        model.save_pretrained(case.path("pretraining"))
        masked.save_pretrained(case.path("masked"))
        for weights in ("both.safetensors", "pretraining", "masked"):
            with self.subTest(weights):
                record = case.verify("--weights=" + weights, _HELD)
                self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        apart = _copies(model.state_dict())
        apart["cls.predictions.decoder.weight"] += 1
        save_file(apart, case.path("apart.safetensors"), {"format": "pt"})
        done = case.run("--action=verify", "--weights=apart.safetensors", _HELD)
        self.assertEqual(3, done.returncode, done.stdout + done.stderr)
        self.assertIn("cls.predictions.decoder.weight", done.stderr)


if __name__ == "__main__":
    unittest.main()
