"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mnasnet0_5_bf16_b2": {"sha256": "a6794be3f03b2bd0788ce653e0965c10cc5e69ba6638f9315e307fee0259dc72", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_5_fp16_b2": {"sha256": "8aad16c09718417ba942139e55c6e9cd955c9dfc1f8cfcbbcbd98beecb133443", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_5_fp32_b2": {"sha256": "c77c8f1b1937d80dd70df8bf57735dbc0834686784fec4c77d84f0cb616ea732", "size": 4520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_5_fp64_b2": {"sha256": "c77c8f1b1937d80dd70df8bf57735dbc0834686784fec4c77d84f0cb616ea732", "size": 4520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_75_bf16_b2": {"sha256": "6a2c20fa64746edb721e3c21a3715b592e9aae2349118cfe07b331dbeb777fd9", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_75_fp16_b2": {"sha256": "0876fc62180fc1596f9117fa169e25427dff67edcef9e96b2fe5736db3fb7167", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_75_fp32_b2": {"sha256": "4f4035999eb6e96aae3f8d87a715f50ec3307447b44fa01b9409b6b6d4ceda9a", "size": 4520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_75_fp64_b2": {"sha256": "4f4035999eb6e96aae3f8d87a715f50ec3307447b44fa01b9409b6b6d4ceda9a", "size": 4520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet1_0_bf16_b2": {"sha256": "d693f2b8410e0aaa577865b025c3680554fbfb8674bda35be74738d9b4f4f9ef", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_0_fp16_b2": {"sha256": "8f0aed47e92b615e5efe05ed89c1814448e977c9afd730cc7d8937a4c5d723f2", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_0_fp32_b2": {"sha256": "58e22895455188bed8c1eebdf6798240814172a26f042288e2d35771de42596f", "size": 4520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_0_fp32_b8_train": {"sha256": "4a4c92b0b749217ebf4bfd37661e493f4f19437a7446008f9cc7a619b0360e2c", "size": 26368, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "mnasnet1_0_fp64_b2": {"sha256": "58e22895455188bed8c1eebdf6798240814172a26f042288e2d35771de42596f", "size": 4520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_0_fp64_b8_r32_train": {"sha256": "b0c33ca331046a36968e188d323640265db12ab2a6b41dda71b929b812692d13", "size": 11264, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "mnasnet1_0_fp64_b8_train": {"sha256": "4a4c92b0b749217ebf4bfd37661e493f4f19437a7446008f9cc7a619b0360e2c", "size": 26368, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "mnasnet1_3_bf16_b2": {"sha256": "aa20f255138fbe079740b999a3ebe6bf23fb192900b791cbfb45ef29ab05fe34", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_3_fp16_b2": {"sha256": "eaca79045dd8607c149bd1fae95900c3de614e8f009abacff902f127936867e9", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_3_fp32_b2": {"sha256": "929b3445b1019aa262d8e77dd1f6aeea22fe9ccbc7613ebf2d4a5a13a0792fd4", "size": 4520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_3_fp64_b2": {"sha256": "929b3445b1019aa262d8e77dd1f6aeea22fe9ccbc7613ebf2d4a5a13a0792fd4", "size": 4520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
