"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "convnextv2_atto_bf16_b2": {"sha256": "b65f24be53aeba610112f5613a37764401af9a4aa44cf7ca309042e2f1b98eab", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_atto_fp16_b2": {"sha256": "0b3c922644ece15cfae933edf467bcf73cfefca3ecba5ea5e68ae788626a6215", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_atto_fp32_b2": {"sha256": "9ef2e9296996b9ef9b245c0b5b6cf87fd0ac041fc49c07f2a58bce0acbda9296", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_atto_fp64_b2": {"sha256": "9ef2e9296996b9ef9b245c0b5b6cf87fd0ac041fc49c07f2a58bce0acbda9296", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_femto_bf16_b2": {"sha256": "905991e4b17c3685d1c36a6b46a098c87f47cb796b78490a9426ca230ac66c75", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_femto_fp16_b2": {"sha256": "94556edc86b602bbc38772465622d8b26e68761d3302970830131fa2d5d58746", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_femto_fp32_b2": {"sha256": "fc9cd75dc456bff3639cca179a7285ae1f067166cb16d35970110bc4d310b77e", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_femto_fp64_b2": {"sha256": "fc9cd75dc456bff3639cca179a7285ae1f067166cb16d35970110bc4d310b77e", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_nano_bf16_b2": {"sha256": "8321e614e7492886dcacc7fc6f9fd3e71bfe8dc20253b7c602b20382bb8b6dc7", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "convnextv2_nano_fp16_b2": {"sha256": "66bfc6ed3b011171092cbf2270cce81c1f5cf8e97b078915990146f9de832414", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_nano_fp32_b2": {"sha256": "8daaa2a1326089e8a8db2c4cb812616a612ef94e7d8421ba610e397e77c60792", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "convnextv2_nano_fp32_b8_train": {"sha256": "ca406efc4f8bdf584a4fa25e46b72ef8aecc6b88c9dec0524fed33ea07248452", "size": 49208, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "convnextv2_nano_fp64_b2": {"sha256": "8daaa2a1326089e8a8db2c4cb812616a612ef94e7d8421ba610e397e77c60792", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_nano_fp64_b8_train": {"sha256": "ca406efc4f8bdf584a4fa25e46b72ef8aecc6b88c9dec0524fed33ea07248452", "size": 49208, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "convnextv2_pico_bf16_b2": {"sha256": "57866ad469203b250257190e848a7de2195bb419dfa6cba3778dba37d7a0f720", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_pico_fp16_b2": {"sha256": "bc3234f335f855ddf92bc20db094ae212fdcb27adf42e1285b06bc95d496da1d", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_pico_fp32_b2": {"sha256": "c142d1324990b8b220c15bf2de12e5fedabedf740ca4116344867adfd7ec7f40", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_pico_fp64_b2": {"sha256": "c142d1324990b8b220c15bf2de12e5fedabedf740ca4116344867adfd7ec7f40", "size": 16472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
