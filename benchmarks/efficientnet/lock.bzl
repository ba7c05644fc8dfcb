"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "efficientnet_b0_bf16_b2": {"sha256": "098f8da0f27c84111a8c49f425ef1a5ccd5e5741fde925f02fd916c28461a501", "size": 16560, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "efficientnet_b0_fp32_b2": {"sha256": "cf4c48b56fed3beff4532c5ae8b803986aab51df06a7b95450cab31138af0c2d", "size": 16560, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
