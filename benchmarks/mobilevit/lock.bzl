"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilevit_s_bf16_b2": {"sha256": "bb69495db9523c1acea246c2b21894e702379df579fc4073601e82b8930a2eb9", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp32_b2": {"sha256": "b48d40e4c4d0c6b6bfbde02e85b5070114cdcf8b5fb5b45d978361a630bd164f", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp32_b2_r224": {"sha256": "2ffd864037d8d64baecc37e858c7d8d01f3dc3e4f7c18957a33d66b72f8a4f8c", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp32_b8_train": {"sha256": "b3730e49f51c9e86375b7756f2986f4abffea6c72804b543c4c8a7b92b46cea9", "size": 63008, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilevit_s_fp64_b8_train": {"sha256": "b3730e49f51c9e86375b7756f2986f4abffea6c72804b543c4c8a7b92b46cea9", "size": 63008, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
}
