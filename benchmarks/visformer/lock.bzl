"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "visformer_small_bf16_b2": {"sha256": "533604a5c8b7a752ffd16ac1d041d2e4a7e3cf0bb418ea1f678890779e08c552", "size": 2528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "visformer_small_fp16_b2": {"sha256": "3397a1545c1772e0a96c8827441d9668b9d51214a9435741ce7d17d5e7474ad6", "size": 2528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "visformer_small_fp32_b2": {"sha256": "2ed34806128fcfda8ae45d73e3f285ee5eae4ea40dd3ed8006539af0fba3f8a7", "size": 4576, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "visformer_small_fp32_b8_train": {"sha256": "d936d9a1fbaa547bb4da059ae1ea9829666ebca86e5fc94eaa3005731ab9a458", "size": 23472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "04632444bd3b"},
    "visformer_small_fp64_b2": {"sha256": "2ed34806128fcfda8ae45d73e3f285ee5eae4ea40dd3ed8006539af0fba3f8a7", "size": 4576, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "visformer_small_fp64_b8_train": {"sha256": "d936d9a1fbaa547bb4da059ae1ea9829666ebca86e5fc94eaa3005731ab9a458", "size": 23472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "04632444bd3b"},
}
