"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "shufflenet_v2_x0_5_bf16_b2": {"sha256": "a9e5e145889c5670a38951326aaddbbff998d4de893d0fcc8eab24fcd475d8ad", "size": 16456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x0_5_fp16_b2": {"sha256": "36ebb8f95b900a620930a156bc0e3ead28794ab080c90f1d2217f28435ec6926", "size": 16456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x0_5_fp32_b2": {"sha256": "5a3a16660891274ccab1bbc2eec6bf6bdf8d7bdb888def7a1fbaa9d4c52faa3f", "size": 16456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x0_5_fp64_b2": {"sha256": "5a3a16660891274ccab1bbc2eec6bf6bdf8d7bdb888def7a1fbaa9d4c52faa3f", "size": 16456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_bf16_b2": {"sha256": "f38b849e237a67bd716fd8b270adff85bd3298cae01e6211f152a36cf3efa1c1", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_fp16_b2": {"sha256": "cf385c3c8561c971ef095463d236f616d2943bb78f3f52a7779794a2428eaef3", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_fp32_b2": {"sha256": "80481006d877aead90c23690fef258c1c538548fa521869da84a7eb01fbe15e5", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_fp32_b8_train": {"sha256": "23dfeffcd9948e8b58f6044fd488b7d1f3f1e74324bf2fd97ab94b6c26488cb6", "size": 59360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "shufflenet_v2_x1_0_fp64_b2": {"sha256": "80481006d877aead90c23690fef258c1c538548fa521869da84a7eb01fbe15e5", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_0_fp64_b8_r32_train": {"sha256": "5093054a59d95712c304769400427598c3e7cf269a55805e48cac6f370dc62dc", "size": 25808, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "shufflenet_v2_x1_0_fp64_b8_train": {"sha256": "23dfeffcd9948e8b58f6044fd488b7d1f3f1e74324bf2fd97ab94b6c26488cb6", "size": 59360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "shufflenet_v2_x1_5_bf16_b2": {"sha256": "3db492a1710ef84579013844ecea6f15e746af0a2f86de69fe6ef0f2a7f831f8", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_5_fp16_b2": {"sha256": "eb761c98acc19e96c08e53348eecbedc784ea4d9cb7c7289f173d2109288c058", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_5_fp32_b2": {"sha256": "90592b847c0009f216d614a69a70c50bba5d236dc19e2fd2b8ac3f4ea929290d", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x1_5_fp64_b2": {"sha256": "90592b847c0009f216d614a69a70c50bba5d236dc19e2fd2b8ac3f4ea929290d", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x2_0_bf16_b2": {"sha256": "a317716301d48d5108e931e5d242b33e9dc49632cbbb915b4309282dbcd24d4e", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x2_0_fp16_b2": {"sha256": "f01ac06ec8f4ffb473eab3744f6085b691fed5e782033f7943d94a0a0f044d30", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x2_0_fp32_b2": {"sha256": "8a9f75035ab1e4ba4bd933be445ecaca0ecdf2d717be7e462254058457eea62c", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
    "shufflenet_v2_x2_0_fp64_b2": {"sha256": "8a9f75035ab1e4ba4bd933be445ecaca0ecdf2d717be7e462254058457eea62c", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c130ffe9570a"},
}
