"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dm_nfnet_f0_bf16_b2": {"sha256": "128cec433e7accfaa5157fc72afbf6c90d5012a41894ffa92d11e939b23fb4dd", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "dm_nfnet_f0_fp32_b2": {"sha256": "97eefb018d6434c9f3ff723338f8d75314b63678fa990bb2036ca1aad51fbdf4", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "nfnet_l0_bf16_b2": {"sha256": "1ac3c1eb477bb584d146390feeea7d4db742a4c2411ba409fd7079e578737995", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "nfnet_l0_fp32_b2": {"sha256": "1715d57639f20e4e36f8f31ed30ca1f5a595ebd9c8feef9ee347f8c2d5c725ed", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
}
