"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "bert_pytorch_fp32_b16": {"sha256": "141b79794ce9398bd21dce34176e46af5b3657dbd489145411b5882b65d422bd", "size": 4928, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "bert_pytorch_tiny_bf16_b16": {"sha256": "ca0b6f152f3b425b5609aa47c689c9c0d6277e49512a4abf886df3cde94074aa", "size": 2736, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "bert_pytorch_tiny_fp16_b16": {"sha256": "1f84fc8fd67d44bb4c5c483df047ec67f8012d00dc6bac27d9db156dac717ed7", "size": 2736, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "bert_pytorch_tiny_fp32_b16": {"sha256": "8135832ca3ca834632d25f2ed03c7d4ad9f804ab698fb980298932f1fbfbc4cb", "size": 4912, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "bert_pytorch_tiny_fp32_b8_train": {"sha256": "11d6023bd8981453f4eae8c78571be305089a8e43966532f891f0c90c514b42c", "size": 6664, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "4106a83c3f8e"},
    "bert_pytorch_tiny_fp64_b16": {"sha256": "8135832ca3ca834632d25f2ed03c7d4ad9f804ab698fb980298932f1fbfbc4cb", "size": 4912, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "bert_pytorch_tiny_fp64_b8_train": {"sha256": "11d6023bd8981453f4eae8c78571be305089a8e43966532f891f0c90c514b42c", "size": 6664, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "4106a83c3f8e"},
}
