"""--weights=FOLDER takes the sizes of its config.json, and the reference that Python computes of it is the verdict's truth.

The runner writes the case as it would run it, and the program's own functions compute its reference: what --verify-with=python does
without Bazel. Needs torch; manual:

    tools/bazel test --config=large //tools/artifacts/weights:reference_of_weights_test
"""

import json
import os
import shutil
import tempfile
import unittest

import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import nn

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.checkpoints.filled import filled
from tools.artifacts.generate.reference_error import ReferenceError
from tools.artifacts.weights import outputs_of_weights

_LLAMA = {
    "vocab_size": 96, "hidden_size": 48, "intermediate_size": 80, "num_hidden_layers": 3, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 64,
}
_SCALED = {"rope_type": "llama3", "rope_theta": 10000.0, "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
           "original_max_position_embeddings": 16}
_GPT2 = {"n_embd": 48, "n_head": 4, "n_layer": 3, "n_positions": 40, "vocab_size": 90, "layer_norm_epsilon": 1e-3}
_BERT = {"hidden_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 80, "vocab_size": 90,
         "max_position_embeddings": 40, "type_vocab_size": 3, "layer_norm_eps": 1e-5}
t = transformers
# (family, case, what save_pretrained writes)
_MODELS = [
    ("gpt2", "gpt2_tiny_fp32_b1_s8", lambda: t.GPT2LMHeadModel(t.GPT2Config(**_GPT2))),
    ("gpt2", "gpt2_tiny_bf16_b1_s64_gen16", lambda: t.GPT2LMHeadModel(t.GPT2Config(**dict(_GPT2, n_positions=100)))),
    ("gpt2", "gpt2_tiny_sequence_classification_fp32_b8_s8",
     lambda: t.GPT2ForSequenceClassification(t.GPT2Config(**_GPT2, num_labels=5, pad_token_id=3))),
    ("bert", "bert_tiny_fp32_b1_s8", lambda: t.BertModel(t.BertConfig(**_BERT))),
    ("bert", "bert_tiny_masked_lm_fp32_b1_s8", lambda: t.BertForMaskedLM(t.BertConfig(**_BERT))),
    ("bert", "bert_tiny_sequence_classification_fp32_b1_s8",
     lambda: t.BertForSequenceClassification(t.BertConfig(**_BERT, num_labels=4))),
    ("roberta", "roberta_tiny_masked_lm_fp32_b1_s8", lambda: t.RobertaForMaskedLM(t.RobertaConfig(**dict(_BERT, type_vocab_size=1)))),
    ("roberta", "roberta_tiny_causal_lm_fp32_b1_s8",
     lambda: t.CamembertForCausalLM(t.CamembertConfig(**dict(_BERT, type_vocab_size=1), is_decoder=True))),
    ("megatron_bert", "megatron_bert_tiny_masked_lm_fp32_b1_s8", lambda: t.MegatronBertForMaskedLM(t.MegatronBertConfig(**_BERT))),
    ("electra", "electra_tiny_masked_lm_fp32_b1_s8", lambda: t.ElectraForMaskedLM(t.ElectraConfig(**_BERT, embedding_size=24))),
    ("distilbert", "distilbert_tiny_masked_lm_fp32_b1_s8",
     lambda: t.DistilBertForMaskedLM(t.DistilBertConfig(dim=48, n_layers=3, n_heads=4, hidden_dim=80, vocab_size=90, max_position_embeddings=40))),
    ("opt", "opt_tiny_fp32_b1_s8",
     lambda: t.OPTForCausalLM(t.OPTConfig(hidden_size=48, num_hidden_layers=3, num_attention_heads=4, ffn_dim=80, vocab_size=90,
                                          max_position_embeddings=40, word_embed_proj_dim=48))),
    ("llama", "llama_tiny_fp32_b1_s16", lambda: t.LlamaForCausalLM(t.LlamaConfig(**_LLAMA, rope_parameters=_SCALED))),
    ("llama", "llama_tiny_fp32_b1_s16", lambda: t.MistralForCausalLM(t.MistralConfig(**_LLAMA, sliding_window=5))),
    ("llama", "llama_tiny_fp32_b1_s16", lambda: t.Qwen3ForCausalLM(t.Qwen3Config(**_LLAMA))),
    ("llama", "llama_tiny_fp32_b1_s16", lambda: t.Gemma2ForCausalLM(t.Gemma2Config(**_LLAMA, sliding_window=5, query_pre_attn_scalar=24))),
    ("llama", "llama_tiny_fp32_b1_s16", lambda: t.Gemma3ForCausalLM(t.Gemma3TextConfig(**_LLAMA, sliding_window=5))),
    ("llama", "llama_tiny_fp32_b1_s16", lambda: t.MixtralForCausalLM(t.MixtralConfig(**_LLAMA, num_local_experts=4))),
    ("llama", "llama_tiny_fp32_b1_s16", lambda: t.GptOssForCausalLM(t.GptOssConfig(**_LLAMA, sliding_window=5, num_local_experts=8))),
]


class ReferenceOfWeightsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.saved = os.path.join(self.folder, "saved")

    def case(self, family, name):
        return CaseCommand("benchmarks/" + family, name, self.folder)

    def computed(self, case, weights="saved"):
        """The path of the reference."""
        done = case.run("--export-inputs=inputs.safetensors", "--export-case=case.json", "--weights=" + weights)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        outputs_of_weights.write(self.folder, os.path.join(self.folder, weights), os.getcwd())
        return "reference.safetensors"

    def gpt2(self):
        filled(transformers.GPT2LMHeadModel(transformers.GPT2Config(**_GPT2))).save_pretrained(self.saved)
        return self.case("gpt2", "gpt2_tiny_fp32_b1_s8")

    def configure(self, **values):
        path = os.path.join(self.saved, "config.json")
        with open(path, encoding="utf-8") as f:
            config = dict(json.load(f), **values)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(config, f)

    def test_other_sizes_pass_by_what_python_computes(self):
        for family, name, make in _MODELS:
            with self.subTest(case=name, model=make().__class__.__name__):
                shutil.rmtree(self.saved, ignore_errors=True)
                filled(make()).save_pretrained(self.saved)
                case = self.case(family, name)
                record = case.verify("--weights=saved", "--reference=" + self.computed(case))
                self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
                self.assertIn("sizes of config.json", record["weights"]["conversions"][0])
                print("%-46s %s" % (name, record["weights"]["conversions"][0]), flush=True)

    def test_a_file_of_another_library_is_loaded_by_its_own_names(self):
        case = self.case("mlp", "mlp_fp32_b1")
        module = nn.Sequential(nn.Linear(32, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 32))
        save_file(filled(module).state_dict(), case.path("mlp.safetensors"))
        record = case.verify("--weights=mlp.safetensors", "--reference=" + self.computed(case, "mlp.safetensors"))
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        save_file({"0.weight": module[0].weight}, case.path("mlp.safetensors"))
        with self.assertRaisesRegex(ReferenceError, "the weights are not those of Sequential: missing .*0.bias"):
            outputs_of_weights.write(self.folder, case.path("mlp.safetensors"), os.getcwd())

    def test_without_a_reference_nothing_passes(self):
        record = self.gpt2().verify("--weights=saved")
        self.assertEqual(record["outcome"], "NOT_VERIFIED", record["text"])
        self.assertIn("or --verify-with=python", record["verdict"]["message"])

    def test_a_wrong_weight_fails(self):
        case = self.gpt2()
        reference = self.computed(case)
        state = load_file(os.path.join(self.saved, "model.safetensors"))
        state["transformer.h.1.mlp.c_fc.bias"] += 0.1
        save_file(state, os.path.join(self.saved, "model.safetensors"), {"format": "pt"})
        record = case.verify("--weights=saved", "--reference=" + reference)
        self.assertEqual((record["exit_code"], record["outcome"]), (1, "FAIL_ACCURACY"), record["text"])

    def test_what_the_family_does_not_compute_is_refused(self):
        for values, said in (
            ({"activation_function": "relu"}, '"activation_function" is "relu"; gpt2 computes only "gelu_new"'),
            ({"tie_word_embeddings": False}, '"tie_word_embeddings" is false; gpt2 computes only true'),
            ({"scale_attn_by_inverse_layer_idx": True}, '"scale_attn_by_inverse_layer_idx" is true'),
            ({"n_head": 5}, "n_head"),
            ({"n_positions": 4}, '"n_positions" is 4, and the case has 8 positions'),
            ({"quantization_config": {"bits": 4}}, '"quantization_config" is {"bits":4}; gpt2 does not know this key'),
            ({"model_type": "gpt_neo"}, '"model_type" is "gpt_neo"; gpt2 computes "gpt2"'),
        ):
            with self.subTest(values=values):
                case = self.gpt2()
                self.configure(**values)
                done = case.run("--action=verify", "--weights=saved")
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                self.assertIn(said, done.stderr)

    def test_python_refuses_what_the_table_lets_pass_wrongly(self):
        """As if the table said that the key were unread: transformers' own reading is the second opinion."""
        case = self.gpt2()
        self.configure(scale_attn_weights=False)
        done = case.run("--export-case=case.json", "--weights=saved", "--config-ignore=scale_attn_weights")
        self.assertEqual(done.returncode, 3, done.stderr)  # a key of the table cannot be ignored
        self.configure(scale_attn_weights=True)
        done = case.run("--export-inputs=inputs.safetensors", "--export-case=case.json", "--weights=saved")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.configure(scale_attn_weights=False)
        with self.assertRaisesRegex(ReferenceError, "transformers reads scale_attn_weights as False"):
            outputs_of_weights.write(self.folder, self.saved, os.getcwd())

    def test_python_reads_what_a_table_sets_and_what_lies_beside_a_file(self):
        mistral = filled(t.MistralForCausalLM(t.MistralConfig(**_LLAMA, sliding_window=5)))
        mistral.save_pretrained(self.saved)
        case = self.case("llama", "llama_tiny_fp32_b1_s16")
        self.computed(case)
        self.configure(sliding_window=6)
        for weights in (self.saved, os.path.join(self.saved, "model.safetensors")):
            with self.assertRaisesRegex(ReferenceError, "transformers reads sliding_window as 6; reference.py builds the model with 5"):
                outputs_of_weights.write(self.folder, weights, os.getcwd())
        self.configure(sliding_window=5, num_hidden_layers="three")
        with self.assertRaisesRegex(ReferenceError, "transformers cannot load .*config.json: "):
            outputs_of_weights.write(self.folder, self.saved, os.getcwd())

    def test_a_file_is_read_with_the_config_beside_it(self):
        case = self.gpt2()
        record = case.verify("--weights=saved/model.safetensors", "--reference=" + self.computed(case, "saved/model.safetensors"))
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        self.assertIn("n_head 4 (2)", record["weights"]["conversions"][0])

    def test_gpt_oss_has_frequencies_of_its_own_where_the_file_is_silent(self):
        filled(t.GptOssForCausalLM(t.GptOssConfig(**_LLAMA, sliding_window=5, num_local_experts=8))).save_pretrained(self.saved)
        case = self.case("llama", "llama_tiny_fp32_b1_s16")
        scaled = {"rope_type": "yarn", "factor": 16.0, "truncate": False}  # original_max_position_embeddings: max_position_embeddings
        for rope in (None, scaled):
            self.configure(rope_parameters=rope)
            with self.subTest(rope=rope):
                record = case.verify("--weights=saved", "--reference=" + self.computed(case))
                self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
        del scaled["truncate"]
        self.configure(rope_parameters=scaled)
        done = case.run("--action=verify", "--weights=saved")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn('it has no "rope_parameters.truncate", which means true; llama computes only false', done.stderr)

    def test_an_older_name_of_the_scaling_is_the_same(self):
        llama = filled(t.LlamaForCausalLM(t.LlamaConfig(**_LLAMA)))
        llama.save_pretrained(self.saved)
        self.configure(rope_parameters=None, rope_theta=10000.0, rope_scaling={"type": "linear", "factor": 2.0})
        case = self.case("llama", "llama_tiny_fp32_b1_s16")
        record = case.verify("--weights=saved", "--reference=" + self.computed(case))
        self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])

    def test_a_weight_of_another_shape_has_no_reference(self):
        case = self.gpt2()
        self.computed(case)
        state = load_file(os.path.join(self.saved, "model.safetensors"))
        state["transformer.h.1.mlp.c_fc.bias"] = torch.zeros(7)
        save_file(state, os.path.join(self.saved, "model.safetensors"), {"format": "pt"})
        with self.assertRaisesRegex(ReferenceError, "transformers cannot load the weights: "):
            outputs_of_weights.write(self.folder, self.saved, os.getcwd())

    def test_a_family_without_a_table_is_compared_in_what_changes_outputs(self):
        config = lambda **more: t.T5Config(d_model=16, d_kv=4, d_ff=24, num_layers=1, num_heads=4, vocab_size=50, **more)
        module = t.T5ForConditionalGeneration(config())
        for more, refused in (
            ({"dropout_rate": 0.0, "bos_token_id": 2, "initializer_factor": 0.5, "id2label": {0: "a"}, "use_cache": False}, ""),
            ({"layer_norm_epsilon": 0.5}, "layer_norm_epsilon"),
            ({"eos_token_id": 2}, "eos_token_id"),
        ):
            config(**more).save_pretrained(self.saved)
            unread = outputs_of_weights._CHANGES_NOTHING.fullmatch
            with self.subTest(more=more):
                if not refused:
                    outputs_of_weights.check_config(module, self.saved, unread)
                    continue
                with self.assertRaisesRegex(ReferenceError, refused):
                    outputs_of_weights.check_config(module, self.saved, unread)

    def test_weights_that_lack_a_tensor_have_no_reference(self):
        case = self.gpt2()
        self.computed(case)
        state = load_file(os.path.join(self.saved, "model.safetensors"))
        del state["transformer.h.1.mlp.c_fc.bias"]
        save_file(state, os.path.join(self.saved, "model.safetensors"), {"format": "pt"})
        with self.assertRaisesRegex(ReferenceError, "missing_keys.*c_fc.bias"):
            outputs_of_weights.write(self.folder, self.saved, os.getcwd())


if __name__ == "__main__":
    torch.manual_seed(1)
    unittest.main()
