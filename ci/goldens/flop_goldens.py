"""Rewrites benchmarks/harness/costs/testdata/flop_goldens.json: tools/bazel run //ci/goldens:flop_goldens_update

The goldens are counts of torch.utils.flop_counter, for calls of single operators and for small models of each family, which are built
by its reference.py. benchmarks/harness/costs/flop_count_test.cc makes the same calls, by the same names. Run it after an upgrade of torch, and read the diff.
"""

import importlib.util
import json
import os

import torch
from torch.nn import functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode


def r(*shape):
    return torch.randn(shape)


def trained(call, *tensors):
    """Forward and backward pass, with gradients for all tensors."""
    leaves = [t.requires_grad_() for t in tensors]
    call(*leaves).sum().backward()


CALLS = {
    "mm": lambda: torch.mm(r(2, 3), r(3, 4)),
    "addmm": lambda: torch.addmm(r(4), r(2, 3), r(3, 4)),
    "bmm": lambda: torch.bmm(r(5, 2, 3), r(5, 3, 4)),
    "baddbmm": lambda: torch.baddbmm(r(5, 2, 4), r(5, 2, 3), r(5, 3, 4)),
    "matmul_2d": lambda: torch.matmul(r(2, 3), r(3, 4)),
    "matmul_3d": lambda: torch.matmul(r(5, 2, 3), r(5, 3, 4)),
    "matmul_broadcast": lambda: torch.matmul(r(6, 1, 2, 3), r(5, 3, 4)),
    "matmul_3d_by_2d": lambda: torch.matmul(r(5, 2, 3), r(3, 4)),
    "linear": lambda: F.linear(r(2, 3), r(4, 3), r(4)),
    "linear_3d": lambda: F.linear(r(5, 2, 3), r(4, 3), r(4)),
    "linear_without_bias": lambda: F.linear(r(5, 2, 3), r(4, 3)),
    "einsum_product": lambda: torch.einsum("bij,bjk->bik", r(5, 2, 3), r(5, 3, 4)),
    "einsum_heads": lambda: torch.einsum("bqhd,bkhd->bhqk", r(2, 5, 3, 4), r(2, 6, 3, 4)),
    "einsum_transpose": lambda: torch.einsum("ij->ji", r(2, 3)),
    "tensordot": lambda: torch.tensordot(r(2, 3, 4), r(3, 4, 5), dims=2),
    "conv1d": lambda: F.conv1d(r(2, 3, 20), r(4, 3, 5), r(4), stride=2, padding=1),
    "conv2d": lambda: F.conv2d(r(2, 3, 9, 10), r(4, 3, 3, 5), r(4), stride=(2, 1), padding=(1, 2)),
    "conv2d_dilated": lambda: F.conv2d(r(2, 3, 12, 12), r(4, 3, 3, 3), dilation=2),
    "conv2d_groups": lambda: F.conv2d(r(2, 6, 8, 8), r(9, 2, 3, 3), groups=3),
    "conv2d_depthwise": lambda: F.conv2d(r(2, 6, 8, 8), r(6, 1, 3, 3), padding=1, groups=6),
    "conv2d_unbatched": lambda: F.conv2d(r(3, 9, 10), r(4, 3, 3, 3)),
    "conv2d_same": lambda: F.conv2d(r(2, 3, 9, 10), r(4, 3, 3, 5), padding="same"),
    "conv2d_same_even": lambda: F.conv2d(r(2, 3, 9, 10), r(4, 3, 2, 4), padding="same"),
    "conv2d_valid": lambda: F.conv2d(r(2, 3, 9, 10), r(4, 3, 3, 3), padding="valid"),
    "conv3d": lambda: F.conv3d(r(2, 3, 5, 6, 7), r(4, 3, 3, 2, 3), stride=2, padding=1),
    "conv_transpose1d": lambda: F.conv_transpose1d(r(2, 3, 10), r(3, 4, 5), stride=2),
    "conv_transpose2d": lambda: F.conv_transpose2d(r(2, 3, 5, 6), r(3, 4, 3, 3), stride=2, padding=1, output_padding=1),
    "conv_transpose2d_groups": lambda: F.conv_transpose2d(r(2, 6, 5, 6), r(6, 2, 3, 3), groups=3),
    "conv_transpose3d": lambda: F.conv_transpose3d(r(2, 3, 4, 5, 6), r(3, 4, 2, 3, 2), stride=2),
    "attention": lambda: F.scaled_dot_product_attention(r(2, 3, 5, 8), r(2, 3, 5, 8), r(2, 3, 5, 8)),
    "attention_cross": lambda: F.scaled_dot_product_attention(r(2, 3, 5, 8), r(2, 3, 7, 8), r(2, 3, 7, 6)),
    "attention_causal": lambda: F.scaled_dot_product_attention(r(2, 3, 5, 8), r(2, 3, 5, 8), r(2, 3, 5, 8), is_causal=True),
    "attention_masked": lambda: F.scaled_dot_product_attention(r(2, 3, 5, 8), r(2, 3, 7, 8), r(2, 3, 7, 8), attn_mask=r(2, 1, 5, 7)),
    "attention_grouped_query": lambda: F.scaled_dot_product_attention(r(2, 6, 5, 8), r(2, 2, 5, 8), r(2, 2, 5, 8), enable_gqa=True),
    "gru_cell": lambda: torch.gru_cell(r(2, 3), r(2, 4), r(12, 3), r(12, 4), r(12), r(12)),
    "relu": lambda: torch.relu(r(5)),
    "train_mm": lambda: trained(torch.mm, r(2, 3), r(3, 4)),
    "train_linear": lambda: trained(F.linear, r(5, 2, 3), r(4, 3), r(4)),
    "train_bmm": lambda: trained(torch.bmm, r(5, 2, 3), r(5, 3, 4)),
    "train_conv1d": lambda: trained(lambda *t: F.conv1d(*t, stride=2, padding=1), r(2, 3, 20), r(4, 3, 5), r(4)),
    "train_conv2d": lambda: trained(lambda *t: F.conv2d(*t, stride=2, padding=1), r(2, 3, 9, 10), r(4, 3, 3, 3)),
    "train_conv2d_weight_only": lambda: trained(lambda w: F.conv2d(torch.ones(2, 3, 9, 10), w), r(4, 3, 3, 3)),
    "train_conv2d_groups": lambda: trained(lambda *t: F.conv2d(*t, groups=3), r(2, 6, 8, 8), r(9, 2, 3, 3)),
    "train_conv_transpose2d": lambda: trained(lambda *t: F.conv_transpose2d(*t, stride=2), r(2, 3, 5, 6), r(3, 4, 3, 3)),
}

# Family, parameters, and inputs in order. An input of integers holds zeros and ones.
MODELS = [
    ("mlp", dict(in_features=32, hidden_features=512, out_features=16), [("input", [3, 32], "real")]),
    ("bert", dict(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64,
                  max_position_embeddings=16, type_vocab_size=2, layer_norm_eps=1e-12),
     [(name, [2, 6], "integer") for name in ("input_ids", "attention_mask", "token_type_ids")]),
    ("resnet", dict(block="basic", layers=[2, 2, 2, 2], groups=1, width_per_group=64, num_classes=1000), [("image", [1, 3, 64, 64], "real")]),
    ("resnet", dict(block="bottleneck", layers=[1, 1, 1, 1], groups=32, width_per_group=4, num_classes=10), [("image", [2, 3, 48, 64], "real")]),
]


def model_row(root, family, parameters, inputs):
    spec = importlib.util.spec_from_file_location(family, os.path.join(root, "models", family, "reference.py"))
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    module = script.build(parameters).eval()
    tensors = {name: r(*shape) if kind == "real" else torch.ones(shape, dtype=torch.int64) for name, shape, kind in inputs}
    return {
        "family": family,
        "parameters": parameters,
        "inputs": [{"shape": shape, "kind": kind} for _, shape, kind in inputs],
        "source": script.provenance(),
        "flops": count(lambda: script.forward(module, tensors)),
    }


def count(call):
    # The plain products, since flop_counter does not know the attention that is fused for the CPU.
    with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
        call()
    return counter.get_total_flops()


def main(root):
    path = os.path.join(root, "benchmarks/harness/costs/testdata/flop_goldens.json")
    goldens = {
        "made_by": "ci/goldens/flop_goldens.py, torch.utils.flop_counter of torch %s, attention by SDPBackend.MATH" % torch.__version__.split("+")[0],
        "flops": {name: count(call) for name, call in CALLS.items()},
        "models": [model_row(root, *row) for row in MODELS],
    }
    with open(path, "w", encoding="utf-8") as file:
        json.dump(goldens, file, indent=2)
        file.write("\n")
    print(path)


if __name__ == "__main__":
    main(os.environ.get("BUILD_WORKSPACE_DIRECTORY", os.getcwd()))
