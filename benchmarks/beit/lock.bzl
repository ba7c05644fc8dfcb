"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "beit_base_patch16_224_bf16_b2": {"sha256": "3107e79bcbeb93854cd9935d2a15df288c3d5b03aafd7a910c0aa3e458063d45", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "beit_base_patch16_224_fp16_b2": {"sha256": "358e313355cabf140f1d7fc678e7b3295bab435259a9a80f2a1fb8dc8005aae8", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "beit_base_patch16_224_fp32_b2": {"sha256": "a14fd33711299f4a80838c4fd5c5335c7721313d8f9ba6dde5235ed884e35afb", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "beit_base_patch16_224_fp32_b8_train": {"sha256": "4d362345f42a60ddfd011545cca488ab5da4f2b40b30a2cd05b6f291f5ad4a80", "size": 27192, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "bd3fb4a0f6d6"},
    "beit_base_patch16_224_fp64_b2": {"sha256": "a14fd33711299f4a80838c4fd5c5335c7721313d8f9ba6dde5235ed884e35afb", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
}
