"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "vit_b_16_bf16_b2": {"sha256": "d26843dc7d76df586d9ee7ccf5be9f83a3e082015541c85dc50114e07d8d948e", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_16_fp16_b2": {"sha256": "d32d3ccf8119f8270ac2b8b565029c4ff0df257d72cee55a4de29536ad3c6407", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_16_fp32_b2": {"sha256": "a2d2b20a744a581488922bd10694bf6f89e0bd75a8b5014df0dc430aa5f03688", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_16_fp64_b2": {"sha256": "a2d2b20a744a581488922bd10694bf6f89e0bd75a8b5014df0dc430aa5f03688", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_32_bf16_b2": {"sha256": "ed2dba164beae1ecf1cfaf99621ec0fa189250b4018742cce9a2f2305c4d9a32", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vit_b_32_fp16_b2": {"sha256": "60bc6615a9349f5f0083af7365d8eebd0051bf8e2c63c4a71579c561b2f6645f", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_32_fp32_b2": {"sha256": "7f26c8e95be32df848403c48cbc608b851e1a752d2fde37f23e1ce04bec7b4c0", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vit_b_32_fp64_b2": {"sha256": "7f26c8e95be32df848403c48cbc608b851e1a752d2fde37f23e1ce04bec7b4c0", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vit_h_14_bf16_b2": {"sha256": "159988adeb1444f279f96131176d28366cdb66149003af094dadfed81680927e", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_h_14_fp16_b2": {"sha256": "89c77b87f7036cbead84a55aed43d8dd8ebf5a00458d906ee866dcb7c1a1ec73", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_h_14_fp32_b2": {"sha256": "ebf842a55af003064a8f76fed0a0595f9974cb732341df813e4ecc7faa336d8d", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_h_14_fp64_b2": {"sha256": "ebf842a55af003064a8f76fed0a0595f9974cb732341df813e4ecc7faa336d8d", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_16_bf16_b2": {"sha256": "4501845af3427103a9881bf3394220fef0d536b718eaa4467195b4c46150e1fc", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_16_fp16_b2": {"sha256": "04969c72d21f4bc33a982c0bf0b69ba0e2ae8effd03250182eb05121240a892b", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_16_fp32_b2": {"sha256": "aab5b7e75b5fc94726257d19e768209fcab051302e75a784b359c825295d4753", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_16_fp64_b2": {"sha256": "aab5b7e75b5fc94726257d19e768209fcab051302e75a784b359c825295d4753", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_32_bf16_b2": {"sha256": "e372fa9a9ef6e4ac209018ee6321c5e3e97c2772d67385223159fa67811e36d7", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_32_fp16_b2": {"sha256": "5e3e7801953cb4eaa2fd71ccb6354a3a641aa871d7d0a0c41b766e8d599ebdd4", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_32_fp32_b2": {"sha256": "f41df4204f0db4708886b45a1b275d091916be400f43f03f00c3f97d90651698", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_32_fp64_b2": {"sha256": "f41df4204f0db4708886b45a1b275d091916be400f43f03f00c3f97d90651698", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
}
