"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "vgg11_bf16_b2": {"sha256": "4c48396c52181fde7008f9e0800f0012e388628774a256a8a27bbff729c84113", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vgg11_fp32_b2": {"sha256": "283b5ad2b265b6ce54bfe42172ed913f4c47b6c9bda13626d2908431311b98b8", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
