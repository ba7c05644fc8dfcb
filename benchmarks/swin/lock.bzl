"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "swin_t_bf16_b2": {"sha256": "a8ca4fe5f6c2712f222ac903b32d59827a674071fa236af68c172e58310e798a", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "swin_t_fp32_b2": {"sha256": "7e3be4bec0df5765fd5cf40fa5b235036ae9557e5809cffe52ead78ad652b4d7", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
