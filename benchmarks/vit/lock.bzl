"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "vit_b_32_bf16_b2": {"sha256": "ed2dba164beae1ecf1cfaf99621ec0fa189250b4018742cce9a2f2305c4d9a32", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vit_b_32_fp32_b2": {"sha256": "7f26c8e95be32df848403c48cbc608b851e1a752d2fde37f23e1ce04bec7b4c0", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
