"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "shufflenet_v2_x0_5_bf16_b2": {"sha256": "a75921c733f27688a026f52700b2cfc6f391ba1235c815b0ed1f4ccf84eacc16", "size": 2504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x0_5_fp16_b2": {"sha256": "cca2fcde3ea527c859b8ce52aca29d41ef4aaa3cc6cd660cdfada3cab9502876", "size": 2504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x0_5_fp32_b2": {"sha256": "393fe9b5dce59a52464960449acd3c6184deee723fff6bf7cd38b6f809fcfbdd", "size": 4552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x0_5_fp64_b2": {"sha256": "393fe9b5dce59a52464960449acd3c6184deee723fff6bf7cd38b6f809fcfbdd", "size": 4552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_bf16_b2": {"sha256": "463e42c59a5de8d15adf2d8fa0ce9418cf3ca9d967e2dd89253785f2d8bc5510", "size": 2504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_fp16_b2": {"sha256": "f185e15dee2cde54ec3615bbe4b43215b6f0aa5d41c42c94866a7d015787733d", "size": 2504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_fp32_b2": {"sha256": "c24fb21c148a5f0f9c5669faaf3e876b51d7f15373656f73b77d3dcb2df738b8", "size": 4552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_fp32_b8_train": {"sha256": "f6182f41816410ed22cb1e55a58a681ea659878856507d12d371862f67fe6c0e", "size": 27360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "shufflenet_v2_x1_0_fp64_b2": {"sha256": "c24fb21c148a5f0f9c5669faaf3e876b51d7f15373656f73b77d3dcb2df738b8", "size": 4552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_fp64_b8_r32_train": {"sha256": "6a5199c258619f6a86b99edf040a653f75d03b478d2ade8f305dfd8a0576160b", "size": 11680, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "shufflenet_v2_x1_0_fp64_b8_train": {"sha256": "f6182f41816410ed22cb1e55a58a681ea659878856507d12d371862f67fe6c0e", "size": 27360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "shufflenet_v2_x1_5_bf16_b2": {"sha256": "69a04b307ccbbcd8f356bb76abf8d935cdccea246a645ecd94d142c0b1dcfc16", "size": 2504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_5_fp16_b2": {"sha256": "a5aac3ed485a859f229468d3c5b2a38efd2535f1a60315ee88752bf89fe02b3e", "size": 2504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_5_fp32_b2": {"sha256": "bce910a34e391acc6ec9fe60c92f90abef2d4b1970cf6fb9179fd05a5b1109c9", "size": 4552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_5_fp64_b2": {"sha256": "bce910a34e391acc6ec9fe60c92f90abef2d4b1970cf6fb9179fd05a5b1109c9", "size": 4552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x2_0_bf16_b2": {"sha256": "de0aebfb6003cf091ef7ef8253b8020147a7679db9c43d3929324644349feae6", "size": 2504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x2_0_fp16_b2": {"sha256": "d68e22a7940e951a4830e5d31923a5ff4eca487553d763712c8f3082fe499187", "size": 2504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x2_0_fp32_b2": {"sha256": "f281d9fe02420e33d7d9663ef9a45796e11681dea2ffaf05381db55c294d0c58", "size": 4552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x2_0_fp64_b2": {"sha256": "f281d9fe02420e33d7d9663ef9a45796e11681dea2ffaf05381db55c294d0c58", "size": 4552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
}
