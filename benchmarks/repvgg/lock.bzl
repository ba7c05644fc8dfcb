"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "repvgg_a2_bf16_b2": {"sha256": "cf5af161774e3542f653aa3c72a0aeea77d22c7e13e2c0b8f73aed9f2344617f", "size": 16528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "repvgg_a2_fp32_b2": {"sha256": "f34c3561571aa12b9cd8b78bd1cc2d96dd597cbda2b3341c5ad42071bf3aa4a6", "size": 16528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "repvgg_a2_reparameterized_bf16_b2": {"sha256": "002351d7504744b216c5186be3ee198ac3ef9ae7af72515e8b677f15377b5699", "size": 16520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "repvgg_a2_reparameterized_fp32_b2": {"sha256": "9c4f983c36ee8bd64dce6b757e2269082465e5dcffd962829c37d061d756f6da", "size": 16520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
}
