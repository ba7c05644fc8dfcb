"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "googlenet_bf16_b2": {"sha256": "ec3052c568f0c36dc738cae7b71465262e3aab3260da082366298863e5ac0946", "size": 2456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "googlenet_fp16_b2": {"sha256": "978a8e821a60ad6cdd58c016ea2172f2dd9164b651e96bbacfd8a31f2bc4b4dc", "size": 2456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d3ffbc985116"},
    "googlenet_fp32_b2": {"sha256": "361eb81bdd5952f10f976d9677698a095f64ce6c5ad2493da66bf78422c7bb39", "size": 4504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "googlenet_fp32_b8_train": {"sha256": "0ff78b4d7bd7a94739fb940972979fd4b1c46076875c47fba124ca44dbd01c29", "size": 28680, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps", "commit": "5c8721f6eaf4"},
    "googlenet_fp64_b2": {"sha256": "361eb81bdd5952f10f976d9677698a095f64ce6c5ad2493da66bf78422c7bb39", "size": 4504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "googlenet_fp64_b8_r32_train": {"sha256": "52e437f25c36af3d208eed773d669a0be8ff7151275cf17da39b028fb7099de3", "size": 12176, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "bc6769d87918"},
    "googlenet_fp64_b8_train": {"sha256": "0ff78b4d7bd7a94739fb940972979fd4b1c46076875c47fba124ca44dbd01c29", "size": 28680, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps", "commit": "5c8721f6eaf4"},
}
