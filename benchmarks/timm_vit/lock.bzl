"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "deit_tiny_patch16_224_bf16_b2": {"sha256": "a498ae3da6f8fca9380e0b8c56d33f6becbf6a3ecc602ae8cd9b748a8920d874", "size": 16520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "deit_tiny_patch16_224_fp32_b2": {"sha256": "b380e2a0e77d7a21ff9dcd67972350426883f503b0a77a0a2fa98e68b1e42a7a", "size": 16520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "vit_base_patch16_siglip_256_bf16_b2": {"sha256": "ece828574719b9246bf6616e7da326063fbd8f2db39b76a55f2676b9b1c4d36e", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "vit_base_patch16_siglip_256_fp32_b2": {"sha256": "dab6ff0f6c8efef1d28fd006c382fb4d03ff562a85224b41f95bcb04beff0a7c", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
}
