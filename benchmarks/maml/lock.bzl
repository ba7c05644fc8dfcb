"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "functorch_maml_omniglot_fp32_b2": {"sha256": "2fd7a4046eaf2f822c5325fd1b0b0f41a1e733dc80932417fb7cf11f524a9186", "size": 4568, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0; replaced: one image of a class, as the size of TorchBench's inputs says", "commit": "9a0ebdb6a8be"},
    "functorch_maml_omniglot_fp64_b2": {"sha256": "2fd7a4046eaf2f822c5325fd1b0b0f41a1e733dc80932417fb7cf11f524a9186", "size": 4568, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0; replaced: one image of a class, as the size of TorchBench's inputs says", "commit": "9a0ebdb6a8be"},
    "functorch_maml_omniglot_tiny_fp32_b2_train": {"sha256": "7bc6e4555d1a8b5d3acf7340c0ca6d06f969a31b81ac15d7f99ffd90c80cf7a2", "size": 8176, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "a5d6a510bfa6"},
    "functorch_maml_omniglot_tiny_fp64_b2_train": {"sha256": "7bc6e4555d1a8b5d3acf7340c0ca6d06f969a31b81ac15d7f99ffd90c80cf7a2", "size": 8176, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "a5d6a510bfa6"},
    "maml_fp32_b2": {"sha256": "60fa2c9a8a4a4169d09dcce21839d6ab6a5b9216575e0900060a1fa2cafadc7d", "size": 4536, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "3402f472d72f"},
    "maml_fp32_b2_steps10": {"sha256": "ea2a0ff51afa8e185bb91874d7d584292e5d421bc7d7f4d25c8426d10903a4ce", "size": 4536, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "a5d6a510bfa6"},
    "maml_fp64_b2": {"sha256": "60fa2c9a8a4a4169d09dcce21839d6ab6a5b9216575e0900060a1fa2cafadc7d", "size": 4536, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "3402f472d72f"},
    "maml_omniglot_fp32_b2": {"sha256": "f43953760bb44619a4b5660ae4e634016f5eab3fd33f110aee97a01b7bf94cd6", "size": 4568, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0; replaced: one image of a class, as the size of TorchBench's inputs says", "commit": "9a0ebdb6a8be"},
    "maml_omniglot_fp64_b2": {"sha256": "f43953760bb44619a4b5660ae4e634016f5eab3fd33f110aee97a01b7bf94cd6", "size": 4568, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0; replaced: one image of a class, as the size of TorchBench's inputs says", "commit": "9a0ebdb6a8be"},
    "maml_omniglot_tiny_fp32_b2": {"sha256": "6f0b3be33d1ecbdd060ec46b17e0e5342fae4ce509f2fe5152300ac4cd91186d", "size": 752, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "3402f472d72f"},
    "maml_omniglot_tiny_fp32_b2_train": {"sha256": "ce7f8fbfb5b4dba3b978f907e335ecbdfb3ed4a2a7260f2464425e05bc6405bc", "size": 8176, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "3402f472d72f"},
    "maml_omniglot_tiny_fp64_b2": {"sha256": "6f0b3be33d1ecbdd060ec46b17e0e5342fae4ce509f2fe5152300ac4cd91186d", "size": 752, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "3402f472d72f"},
    "maml_omniglot_tiny_fp64_b2_train": {"sha256": "ce7f8fbfb5b4dba3b978f907e335ecbdfb3ed4a2a7260f2464425e05bc6405bc", "size": 8176, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "3402f472d72f"},
    "maml_tiny_fp32_b2": {"sha256": "7dba51cd6ad14ec2d6d0bbe83f15084ec11067b68a4f4461fd31dd39aecd20ad", "size": 1296, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "3402f472d72f"},
    "maml_tiny_fp32_b2_train": {"sha256": "bc7f1087758ba0bb227229b33efe280000253516b99955b28443f67dc27b6c1a", "size": 9056, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "3402f472d72f"},
    "maml_tiny_fp64_b2": {"sha256": "7dba51cd6ad14ec2d6d0bbe83f15084ec11067b68a4f4461fd31dd39aecd20ad", "size": 1296, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "3402f472d72f"},
    "maml_tiny_fp64_b2_train": {"sha256": "bc7f1087758ba0bb227229b33efe280000253516b99955b28443f67dc27b6c1a", "size": 9056, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "3402f472d72f"},
}
