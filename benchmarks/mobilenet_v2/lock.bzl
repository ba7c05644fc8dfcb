"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilenet_v2_bf16_b2": {"sha256": "87b9d1b2a3f60a6afbae0b07d5fe2604245b26e87bc7642e878316870786d3de", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "233548138852"},
    "mobilenet_v2_fp16_b2": {"sha256": "dce2312202be3661012581463f17187e0d026ed384f7cce1efcd9ae9ee02c7d8", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "233548138852"},
    "mobilenet_v2_fp32_b2": {"sha256": "6a9c9bf9032973dada6ab60a7d53a52ce307e0090575be179bcced714a792f99", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "233548138852"},
    "mobilenet_v2_fp32_b8_train": {"sha256": "6895617f42264efe7b54621ac7fab704834966dff17a55cda5424f6d14fee45e", "size": 58360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "mobilenet_v2_fp64_b2": {"sha256": "6a9c9bf9032973dada6ab60a7d53a52ce307e0090575be179bcced714a792f99", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "233548138852"},
    "mobilenet_v2_fp64_b8_r32_train": {"sha256": "d75a4b4a1f9236990e45fb3a0c952b8771c76de37216b5f36f83a545c536f8cd", "size": 25384, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "mobilenet_v2_fp64_b8_train": {"sha256": "6895617f42264efe7b54621ac7fab704834966dff17a55cda5424f6d14fee45e", "size": 58360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
}
