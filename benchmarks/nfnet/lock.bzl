"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dm_nfnet_f0_bf16_b2": {"sha256": "128cec433e7accfaa5157fc72afbf6c90d5012a41894ffa92d11e939b23fb4dd", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "dm_nfnet_f0_fp16_b2": {"sha256": "f0abf8dd3ebb85a954f0e368357a123062973c1f5ac6b19d5e758b0c56980f34", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "dm_nfnet_f0_fp32_b2": {"sha256": "97eefb018d6434c9f3ff723338f8d75314b63678fa990bb2036ca1aad51fbdf4", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "dm_nfnet_f0_fp32_b8_train": {"sha256": "1fe60db2784e388f5be00473d72c245a4706d66f629d61e636e9b50aaaafcb62", "size": 55176, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "dfe6b222d837"},
    "dm_nfnet_f0_fp64_b2": {"sha256": "97eefb018d6434c9f3ff723338f8d75314b63678fa990bb2036ca1aad51fbdf4", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "dm_nfnet_f0_fp64_b2_r65": {"sha256": "49b9e161e5d108c1642e8782bd0104b3d114131617e699f81961c5b403855859", "size": 16584, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "876389adfb12"},
    "dm_nfnet_f1_bf16_b2": {"sha256": "5b427405c9c2d2845b2367e9652d8444e00e3abd8bf0b67cc27c5761532bfed3", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "dm_nfnet_f1_fp16_b2": {"sha256": "c7aa47ba60315e9f89b1505165f3034859712da3d8f86b41469b3f997aea7245", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "dm_nfnet_f1_fp32_b2": {"sha256": "3bda7488fff8a6d193cc18ce9dd1456827a62f97aaf8d664343d2bddb2535389", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "dm_nfnet_f1_fp64_b2": {"sha256": "3bda7488fff8a6d193cc18ce9dd1456827a62f97aaf8d664343d2bddb2535389", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_f0_bf16_b2": {"sha256": "967566de70431ba3ba33f0d37bdcc046dfeff09d531a706d58ca3917dfc7957e", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_f0_fp16_b2": {"sha256": "b33082e65f396c1a9b693f8d32e7585dd0030e45646229e4ee85ff428a2d28fd", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_f0_fp32_b2": {"sha256": "4e4f7f453b8dfb8a82623fe283dee234d126175608169603b21b6882c2d0d166", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_f0_fp64_b2": {"sha256": "4e4f7f453b8dfb8a82623fe283dee234d126175608169603b21b6882c2d0d166", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_l0_bf16_b2": {"sha256": "1ac3c1eb477bb584d146390feeea7d4db742a4c2411ba409fd7079e578737995", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "nfnet_l0_fp16_b2": {"sha256": "2b907ca3e54f05113690ac3b44ef541e243dd47e551bfffcb44cc37d6d100546", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_l0_fp32_b2": {"sha256": "1715d57639f20e4e36f8f31ed30ca1f5a595ebd9c8feef9ee347f8c2d5c725ed", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "nfnet_l0_fp32_b8_train": {"sha256": "cae555a2cadcda3b64bc5ab7c41974dd3385962a67953ceeecd699ba890f4440", "size": 54208, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "0106b3fbabe8"},
    "nfnet_l0_fp64_b2": {"sha256": "1715d57639f20e4e36f8f31ed30ca1f5a595ebd9c8feef9ee347f8c2d5c725ed", "size": 16592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "nfnet_l0_fp64_b8_train": {"sha256": "cae555a2cadcda3b64bc5ab7c41974dd3385962a67953ceeecd699ba890f4440", "size": 54208, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "0106b3fbabe8"},
}
