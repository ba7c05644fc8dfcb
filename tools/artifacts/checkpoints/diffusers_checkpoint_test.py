"""Files that diffusers wrote load and agree: UNets, and an autoencoder whose one file serves either half.

Random weights, float32, compared with what Python computes in float64. manual:

    tools/bazel test --config=large //tools/artifacts/checkpoints:diffusers_checkpoint_test
"""

import os
import tempfile
import unittest

import diffusers
import numpy
import torch
from safetensors.torch import load_file, save_file

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.checkpoints.filled import filled
from tools.artifacts.generate.true_float64 import true_float64

_UNET = {
    "attention_head_dim": [2, 4, 8],
    "block_out_channels": [32, 48, 64],
    "cross_attention_dim": 32,
    "layers_per_block": 1,
    "norm_num_groups": 8,
}
_AUTOENCODER = {
    "block_out_channels": [16, 24, 32, 32],
    "down_block_types": ["DownEncoderBlock2D"] * 4,
    "layers_per_block": 1,
    "norm_num_groups": 8,
    "up_block_types": ["UpDecoderBlock2D"] * 4,
}
# The attention's projections as files of 2022 name them.
_OLD_NAMES = {".to_q.": ".query.", ".to_k.": ".key.", ".to_v.": ".value.", ".to_out.0.": ".proj_attn."}


def _with_old_names(path):
    state = {}
    for name, tensor in load_file(path).items():
        for today, then in _OLD_NAMES.items():
            name = name.replace(today, then)
        state[name] = tensor
    return state


class DiffusersCheckpointTest(unittest.TestCase):
    def check(self, family, case, model, forward, old_names=False):
        with tempfile.TemporaryDirectory() as folder:
            command = CaseCommand("benchmarks/" + family, case, folder)
            inputs = load_file(command.export_inputs())
            model.float().save_pretrained(command.path("saved"))
            model.double()
            given = {n: t.double() if t.is_floating_point() else t for n, t in inputs.items()}
            with torch.inference_mode(), true_float64():
                numpy.savez(command.path("exact.npz"), **{n: t.numpy() for n, t in forward(given).items()})
            file = command.path("saved/diffusion_pytorch_model.safetensors")
            self.assertTrue(os.path.exists(file), os.listdir(command.path("saved")))
            if old_names:
                save_file(_with_old_names(file), file, {"format": "pt"})
            record = command.verify("--weights=" + file, "--reference=exact.npz")
            self.assertEqual((record["exit_code"], record["outcome"]), (0, "PASS"), record["text"])
            error = max(output.get("max_error", 0) for output in record["verdict"]["outputs"])
            print("%-36s %.1e" % (case, error), flush=True)
            self.assertTrue(0 < error < 1e-4, error)

    def test_stable_diffusions_unet(self):
        kinds = ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"]
        up = ["UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"]
        model = filled(diffusers.UNet2DConditionModel(down_block_types=kinds, up_block_types=up, **_UNET))
        self.check("stable_diffusion", "stable_diffusion_unet_tiny_fp32_b1", model, lambda given: {"sample": model(**given).sample})

    def test_either_half_of_the_autoencoder(self):
        model = filled(diffusers.AutoencoderKL(**_AUTOENCODER))

        def encoded(given):
            latent = model.encode(given["image"]).latent_dist
            return {"mean": latent.mode(), "logvar": latent.logvar}

        def decoded(given):
            return {"image": model.decode(given["latent"]).sample}

        for old_names in (False, True):
            with self.subTest(old_names=old_names):
                self.check("autoencoder_kl", "autoencoder_kl_encoder_tiny_fp32_b1", model, encoded, old_names)
                self.check("autoencoder_kl", "autoencoder_kl_decoder_tiny_fp32_b1", model, decoded, old_names)


if __name__ == "__main__":
    unittest.main()
