"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "background_matting_fp32_b2_r64": {"sha256": "e1765041f78d49c3185ea39a9ca2dc63dfcbc7fedb226d6a4a4f8ff6fd3e0079", "size": 8752, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "0d24f1248e32"},
    "background_matting_tiny_bf16_b2": {"sha256": "7398f9f1575d53379d56efc8ee0e4a5c01ea426bd92d4d64ed9d66441744256c", "size": 4648, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "background_matting_tiny_fp16_b2": {"sha256": "f68298a286a0d5e6afc6a4e2b58fcdfd9ded9d207936c53f053745f3fe79dcd6", "size": 4648, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "background_matting_tiny_fp32_b2": {"sha256": "68ce3d36a89efeb7927646cf34a5ad1174a976f42e6967cc89de1bc208bb9b78", "size": 8744, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "background_matting_tiny_fp64_b2": {"sha256": "68ce3d36a89efeb7927646cf34a5ad1174a976f42e6967cc89de1bc208bb9b78", "size": 8744, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
}
