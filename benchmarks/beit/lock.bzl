"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "beit_base_patch16_224_bf16_b2": {"sha256": "e62686a360fef17febd4e17e21bf037f7a8baca8ea0eaba6c7c36596a88f8389", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "beit_base_patch16_224_fp16_b2": {"sha256": "db5113003b90ab27f283b3c7b8950b95a0292e5f00a76640ba0ad892e5d477f2", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "beit_base_patch16_224_fp32_b2": {"sha256": "eeeb85747fdafbd872ff103c27d5c4bb183c65bf2c0679cf3a5011c879693c23", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "beit_base_patch16_224_fp32_b8_train": {"sha256": "d457d813e309a86a07e4961130cacfb37ad07b524c07cf85ea3e663f0dc3f3a7", "size": 52328, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "bd3fb4a0f6d6"},
    "beit_base_patch16_224_fp64_b2": {"sha256": "eeeb85747fdafbd872ff103c27d5c4bb183c65bf2c0679cf3a5011c879693c23", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
}
