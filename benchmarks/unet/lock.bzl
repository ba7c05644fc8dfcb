"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "pytorch_unet_bf16_b2_h64_w95": {"sha256": "17c02bda797240a52d7d47501ae367483fe96dbb2427b53347db81a8124283b8", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_bf16_b2_h64_w95": {"sha256": "a70868e25e0fd7a500e0b048762b8af985c34d9dd6ce0d20bcb68a3f6ee01bdd", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_fp32_b2_h64_w95": {"sha256": "21d1723c007e92f07fc43159b3c339c32e333eabbe2580e5a2c718bcf69e7ae9", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_fp64_b2_h64_w95": {"sha256": "21d1723c007e92f07fc43159b3c339c32e333eabbe2580e5a2c718bcf69e7ae9", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_fp32_b2_h64_w95": {"sha256": "afdb782f0fb88c89021c12942f8490eb6a2c638d039058b106f16ac195d16f3f", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_fp64_b2_h64_w95": {"sha256": "afdb782f0fb88c89021c12942f8490eb6a2c638d039058b106f16ac195d16f3f", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
}
