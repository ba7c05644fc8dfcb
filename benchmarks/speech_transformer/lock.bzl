"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "speech_transformer_fp32_b2": {"sha256": "abcb9b4e38f907316c790179a2aadeaa78012c10b47c0918c8ac9a9b09864326", "size": 4640, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "speech_transformer_tiny_bf16_b2": {"sha256": "61191e85b73008689de36b46306d6ac16b99fe24c60b978d06f4466329e5eafe", "size": 1392, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "speech_transformer_tiny_fp16_b2": {"sha256": "3a997d6e60d893fd3efcba6b1b211d2bcab87c4d6561bd9700e7f827e83ec032", "size": 1392, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "speech_transformer_tiny_fp32_b2": {"sha256": "85ee285417351d4ee6febf487b4d880cf6591eab8739b6dfecf1fa63f4de03b4", "size": 2264, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "speech_transformer_tiny_fp32_b8_train": {"sha256": "3347c7ac948dc0e17b7383a21d9db207cb4b0235db5c91edbb109f198dde8b01", "size": 7896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "4106a83c3f8e"},
    "speech_transformer_tiny_fp64_b2": {"sha256": "85ee285417351d4ee6febf487b4d880cf6591eab8739b6dfecf1fa63f4de03b4", "size": 2264, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "speech_transformer_tiny_fp64_b8_train": {"sha256": "3347c7ac948dc0e17b7383a21d9db207cb4b0235db5c91edbb109f198dde8b01", "size": 7896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "4106a83c3f8e"},
}
