"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "convnext_tiny_bf16_b2": {"sha256": "1bf1353b21a4dbd2f4c9e37acaec789fa1376fd40757e64719510696c752ba76", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "convnext_tiny_fp32_b2": {"sha256": "31d0f192a55a4c6e546e4eee29cb7efb91a98f4fd9c93d8e2cea77f88e3b21bc", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
