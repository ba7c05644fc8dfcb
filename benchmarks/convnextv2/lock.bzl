"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "convnextv2_atto_fp64_b2": {"sha256": "9ef2e9296996b9ef9b245c0b5b6cf87fd0ac041fc49c07f2a58bce0acbda9296", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_femto_fp64_b2": {"sha256": "fc9cd75dc456bff3639cca179a7285ae1f067166cb16d35970110bc4d310b77e", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_nano_bf16_b2": {"sha256": "8321e614e7492886dcacc7fc6f9fd3e71bfe8dc20253b7c602b20382bb8b6dc7", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "convnextv2_nano_fp32_b2": {"sha256": "8daaa2a1326089e8a8db2c4cb812616a612ef94e7d8421ba610e397e77c60792", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "convnextv2_nano_fp32_b8_train": {"sha256": "ca406efc4f8bdf584a4fa25e46b72ef8aecc6b88c9dec0524fed33ea07248452", "size": 49208, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "convnextv2_nano_fp64_b2": {"sha256": "8daaa2a1326089e8a8db2c4cb812616a612ef94e7d8421ba610e397e77c60792", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_nano_fp64_b8_train": {"sha256": "ca406efc4f8bdf584a4fa25e46b72ef8aecc6b88c9dec0524fed33ea07248452", "size": 49208, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
}
