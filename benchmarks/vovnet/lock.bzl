"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "ese_vovnet19b_bf16_b2": {"sha256": "2f6ca1e88833166f5dbcb6e748ee0c33fd02785a40d6c2d45cd4fdc6c42f772f", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "ese_vovnet19b_fp16_b2": {"sha256": "5534b30524e0c5b54f9edbb00a46a473ca85f7f817c985f07ca75e6afed8ac8a", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "ese_vovnet19b_fp32_b2": {"sha256": "7ac72f3b68b50d7bd2d70f568c0a6d0e4b388af4ea2dc9b0fe704187f05848d4", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "ese_vovnet19b_fp64_b2": {"sha256": "7ac72f3b68b50d7bd2d70f568c0a6d0e4b388af4ea2dc9b0fe704187f05848d4", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "ese_vovnet19b_fp64_b8_r32_train": {"sha256": "3a62d3b8d095aa375f7cca4e91f3526af3e64b1e80b3a1931fde60b0f6eea9ae", "size": 8392, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd", "commit": "03eb2c0c0bed"},
    "ese_vovnet39b_bf16_b2": {"sha256": "69344d75a537b78a368c57170b7436874ed5039cd3355d4fe7cfab666306d27f", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "ese_vovnet39b_fp16_b2": {"sha256": "69da90b008b598c01a3264232675d4d3b9447673364caf835206da4de99e621f", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "ese_vovnet39b_fp32_b2": {"sha256": "be08615d21378fe484440b3a46e3e0343e3900730b2bd1930decbcf8f5c02cba", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "ese_vovnet39b_fp64_b2": {"sha256": "be08615d21378fe484440b3a46e3e0343e3900730b2bd1930decbcf8f5c02cba", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "ese_vovnet39b_fp64_b2_r50": {"sha256": "92c7b1ac9362a109b35c39b5001fc97a5292879b1a9b30b385f9313c15b28abc", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "5ff84eb954ae"},
    "vovnet39a_bf16_b2": {"sha256": "3d323484a5531cc1eed1ef51c2faa08a215b18fb6dc1ec098f7f17296ef66997", "size": 2520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "vovnet39a_fp16_b2": {"sha256": "f83f86f1dc9454d2241d02391358e2effcd2ef16743d217e69985b27364a3610", "size": 2520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "vovnet39a_fp32_b2": {"sha256": "b35dd8e0fb863e310f2051f2cd489ff5bdf1f5e9b66badce445a958039ef60ac", "size": 4568, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "vovnet39a_fp64_b2": {"sha256": "b35dd8e0fb863e310f2051f2cd489ff5bdf1f5e9b66badce445a958039ef60ac", "size": 4568, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "vovnet39a_fp64_b2_r50": {"sha256": "9216ba245d0e422015aa2f7c31ff2130030838987eef063ec4a194c77e06a8e8", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
}
