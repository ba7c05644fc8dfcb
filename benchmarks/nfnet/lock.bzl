"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dm_nfnet_f0_bf16_b2": {"sha256": "146a0e16b2717ff90ddcfc9ee2b9d7c6b59ad8d72c10b2073714e5e5c1e901d6", "size": 2632, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "dm_nfnet_f0_fp16_b2": {"sha256": "26930ebd1b9f8d20af7ea7bf0d1220fb981b00afb079b91b7a302884efe013ed", "size": 2632, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "dm_nfnet_f0_fp32_b2": {"sha256": "7d298cad157157390a0304df0276c80257ed1ed8ce214d7c97b3f9759d9f6734", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "dm_nfnet_f0_fp32_b8_train": {"sha256": "c9c25a7969332942e13833ee1578a3e8dc19723aedf95d7b40d63c6ec81fe379", "size": 30032, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "dfe6b222d837"},
    "dm_nfnet_f0_fp64_b2": {"sha256": "7d298cad157157390a0304df0276c80257ed1ed8ce214d7c97b3f9759d9f6734", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "dm_nfnet_f0_fp64_b2_r65": {"sha256": "f7bad964a20a06d33a4c9451854159e547ac9ddcadcc234d2d7577ff90f06d4f", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "876389adfb12"},
    "dm_nfnet_f1_bf16_b2": {"sha256": "1ebe6afc36c72c3401814831816338893911ac41679f834d2a567e74786312ff", "size": 2632, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "dm_nfnet_f1_fp16_b2": {"sha256": "c90a602eb7a9c0e52025fef560e9f36871cae7151d9a219308f72f484d682f5a", "size": 2632, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "dm_nfnet_f1_fp32_b2": {"sha256": "f3c87097f16c9c2ba0780730998413dc8c2aa411c312b9dc84e6b055a15dcc72", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "dm_nfnet_f1_fp64_b2": {"sha256": "f3c87097f16c9c2ba0780730998413dc8c2aa411c312b9dc84e6b055a15dcc72", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_f0_bf16_b2": {"sha256": "4a7a5b6b1fbf2be8ae2f6c4fa8e78c2c43d496b8dc57c8ba0770bffc59371141", "size": 2632, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_f0_fp16_b2": {"sha256": "63bef7399a68bc88c59a52420f1bda5241da09581162ba19958a4ada5f457ae7", "size": 2632, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_f0_fp32_b2": {"sha256": "00433ca832708561e886837719c546e7ef8927bcefeca4520ccb599c57a790e8", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_f0_fp64_b2": {"sha256": "00433ca832708561e886837719c546e7ef8927bcefeca4520ccb599c57a790e8", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_l0_bf16_b2": {"sha256": "fb3a06105195eeaeacea1e7c926a659cc421695977e41369a6d0a2d65156036b", "size": 2632, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "nfnet_l0_fp16_b2": {"sha256": "67dd553c53dfd782aa843c49ceb8d9cc54f1173eeb87aee38d71a76d1f2de8c4", "size": 2632, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "nfnet_l0_fp32_b2": {"sha256": "5bd3ecaa77304ac895d5b6d406ddffe4706174c31e244363d525df936d74d897", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "nfnet_l0_fp32_b8_train": {"sha256": "9ee9938dfa0c98d9e381642cb38295d937d64d8cda9f3910204e262760a51ab5", "size": 29072, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "0106b3fbabe8"},
    "nfnet_l0_fp64_b2": {"sha256": "5bd3ecaa77304ac895d5b6d406ddffe4706174c31e244363d525df936d74d897", "size": 4680, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "nfnet_l0_fp64_b8_train": {"sha256": "9ee9938dfa0c98d9e381642cb38295d937d64d8cda9f3910204e262760a51ab5", "size": 29072, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "0106b3fbabe8"},
}
