"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "regnet_y_400mf_bf16_b2": {"sha256": "0489ce09cbbe17510a2dbdcfacd7575c62efe8d9febcadfa3b25d28443397112", "size": 16520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "regnet_y_400mf_fp32_b2": {"sha256": "70f1e10f890e81415014f3bf5de33bac4dad463f80f3bf94a96e15c4976e10e6", "size": 16520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
