"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "functorch_maml_omniglot_tiny_fp32_b2_train": {"sha256": "7bc6e4555d1a8b5d3acf7340c0ca6d06f969a31b81ac15d7f99ffd90c80cf7a2", "size": 8176, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "2ca8955fc8b7+dirty"},
    "functorch_maml_omniglot_tiny_fp64_b2_train": {"sha256": "7bc6e4555d1a8b5d3acf7340c0ca6d06f969a31b81ac15d7f99ffd90c80cf7a2", "size": 8176, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "2ca8955fc8b7+dirty"},
    "maml_omniglot_tiny_fp32_b2": {"sha256": "6f0b3be33d1ecbdd060ec46b17e0e5342fae4ce509f2fe5152300ac4cd91186d", "size": 752, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "2ca8955fc8b7+dirty"},
    "maml_omniglot_tiny_fp32_b2_train": {"sha256": "ce7f8fbfb5b4dba3b978f907e335ecbdfb3ed4a2a7260f2464425e05bc6405bc", "size": 8176, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "2ca8955fc8b7+dirty"},
    "maml_omniglot_tiny_fp64_b2": {"sha256": "6f0b3be33d1ecbdd060ec46b17e0e5342fae4ce509f2fe5152300ac4cd91186d", "size": 752, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "2ca8955fc8b7+dirty"},
    "maml_omniglot_tiny_fp64_b2_train": {"sha256": "ce7f8fbfb5b4dba3b978f907e335ecbdfb3ed4a2a7260f2464425e05bc6405bc", "size": 8176, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "2ca8955fc8b7+dirty"},
    "maml_tiny_fp32_b2": {"sha256": "7dba51cd6ad14ec2d6d0bbe83f15084ec11067b68a4f4461fd31dd39aecd20ad", "size": 1296, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "2ca8955fc8b7+dirty"},
    "maml_tiny_fp32_b2_train": {"sha256": "bc7f1087758ba0bb227229b33efe280000253516b99955b28443f67dc27b6c1a", "size": 9056, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "2ca8955fc8b7+dirty"},
    "maml_tiny_fp64_b2": {"sha256": "7dba51cd6ad14ec2d6d0bbe83f15084ec11067b68a4f4461fd31dd39aecd20ad", "size": 1296, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "2ca8955fc8b7+dirty"},
    "maml_tiny_fp64_b2_train": {"sha256": "bc7f1087758ba0bb227229b33efe280000253516b99955b28443f67dc27b6c1a", "size": 9056, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "2ca8955fc8b7+dirty"},
}
