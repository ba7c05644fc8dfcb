"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "resnet101_bf16_b2": {"sha256": "f3ccc8c810785c9be01a8607ead42376b60524c638b15943fe4d87a1941a816f", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet101_fp16_b2": {"sha256": "6ada66128b24ce78640f7a4f7a63bafa5c53b7c86dd187d2e42cb0667d1a8a4f", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet101_fp32_b2": {"sha256": "9818e0fb83ce30a02e47ded34d82605f343ab8db1a17d8c52aa1a55acd1cbbf5", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet101_fp64_b2": {"sha256": "9818e0fb83ce30a02e47ded34d82605f343ab8db1a17d8c52aa1a55acd1cbbf5", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet152_bf16_b2": {"sha256": "bb7296f374c6c22ace6c01429a9702e67fb5b82b1e2b69ae2bbb9d4656e9dba1", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet152_fp16_b2": {"sha256": "29088c86e0b50db4be8394b27e8bd5cdda84139e8bfbf6f9f7fc8bd01687528a", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet152_fp32_b2": {"sha256": "7b35b97a7d78bca061dcbf5b991f49f4b9732ec32ab030237f124f5fa3aa4d30", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet152_fp64_b2": {"sha256": "7b35b97a7d78bca061dcbf5b991f49f4b9732ec32ab030237f124f5fa3aa4d30", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet18_bf16_b2": {"sha256": "aa2709672e47d4eaa833c82de72012484ae052d642062374b7a3dbf2eb17eeca", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet18_fp16_b2": {"sha256": "948cc05b0bc38fef3a2b9945b3548e5d3fbcf81e14dfb8ed2d8ea9ea586363f3", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet18_fp32_b2": {"sha256": "a1cf26a68a411e02edc6ba83eac9b72fa7e7a2b43ef895535cf552ab69173353", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet18_fp32_b8_train": {"sha256": "a64a60b5ef63ad6be51fe689c6df73a09451fdfbe0ff00064bbdc8df3eb370cc", "size": 50744, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "8e3bf1c756fc"},
    "resnet18_fp64_b2": {"sha256": "a1cf26a68a411e02edc6ba83eac9b72fa7e7a2b43ef895535cf552ab69173353", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet18_fp64_b8_train": {"sha256": "a64a60b5ef63ad6be51fe689c6df73a09451fdfbe0ff00064bbdc8df3eb370cc", "size": 50744, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "8e3bf1c756fc"},
    "resnet34_bf16_b2": {"sha256": "36a506652f076728884cde75109e6d4d11497e86e48822197ab9257b23d2ef45", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet34_fp16_b2": {"sha256": "96a0bf2a7b32214c6ae4d40cdf10dff23fe9fad90446989411a2aacd7c00bc03", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet34_fp32_b2": {"sha256": "18d33b8a3f51767b640f86ff4e3b85dda86852bdd1305f5ee6321043edb9ee11", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet34_fp64_b2": {"sha256": "18d33b8a3f51767b640f86ff4e3b85dda86852bdd1305f5ee6321043edb9ee11", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet50_bf16_b2": {"sha256": "dad910241c4b8ad0a80655b577ffcd0e49d8d182e60f54638a25911ef1bb1d28", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet50_fp16_b2": {"sha256": "5d7b4bbbbc353d6430833b0bc86370f27638918de2d0c44a2f39916c2e736586", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet50_fp32_b2": {"sha256": "69497abffebb17704c98b3fda2ca476220bb30a863302a1930af7597c5bb8aaa", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet50_fp32_b8_train": {"sha256": "4fcea7a105100f52f7890df60a723ced29715278f801231e5e1217807dc4e88d", "size": 58688, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "8e3bf1c756fc"},
    "resnet50_fp64_b2": {"sha256": "69497abffebb17704c98b3fda2ca476220bb30a863302a1930af7597c5bb8aaa", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnet50_fp64_b8_train": {"sha256": "4fcea7a105100f52f7890df60a723ced29715278f801231e5e1217807dc4e88d", "size": 58688, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "8e3bf1c756fc"},
    "resnext50_32x4d_bf16_b2": {"sha256": "4bfc4ad8b24a1ef8a29bac6980f15397bfbc34b7cb63e1eb4564d5f8a272ae26", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnext50_32x4d_fp16_b2": {"sha256": "07dd2d87bc753ed8b6404ade61d21d3b52e6f471b4558cb32e5348e45f07bab0", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnext50_32x4d_fp32_b2": {"sha256": "a02efbcbd400bd40c4ebb88ae99f6df2bf18997773fc46ee979fba100d78380a", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "resnext50_32x4d_fp64_b2": {"sha256": "a02efbcbd400bd40c4ebb88ae99f6df2bf18997773fc46ee979fba100d78380a", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "wide_resnet50_2_bf16_b2": {"sha256": "1c9ebb8f0c2cd43b39c1bb316a5485d2814cd083527dff427ff227d6c0f702a4", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "wide_resnet50_2_fp16_b2": {"sha256": "a8e9c4ec653d9f936e7782cae96344f037d04882315128490a13222a67c93334", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "wide_resnet50_2_fp32_b2": {"sha256": "4032247cd984a75df2f2fdca002a0e08d376ab6787eb87a45ca9d35ada020fb4", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "wide_resnet50_2_fp64_b2": {"sha256": "4032247cd984a75df2f2fdca002a0e08d376ab6787eb87a45ca9d35ada020fb4", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a879813f701f"},
}
