"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "alexnet_bf16_b2": {"sha256": "3e0136ce3c9cddbfbd72e9975d1610b97d92fe5bcf9ede57690484ec40bd405c", "size": 2456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5373e4b3b295"},
    "alexnet_fp16_b2": {"sha256": "f0b419ffa679bda8603b0df10407520d6b244248377f14b80f9cafbc10efd884", "size": 2456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5373e4b3b295"},
    "alexnet_fp32_b2": {"sha256": "657c14eb71f3712bd3c370370a4e2a929b5efbcbe5c6df7934af9e48a5f728fc", "size": 4504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5373e4b3b295"},
    "alexnet_fp32_b8_train": {"sha256": "792c204e326237ad99fa0d4edc211408a7fc1cf0142ffdb606bd2a953e79365d", "size": 12448, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "alexnet_fp64_b2": {"sha256": "657c14eb71f3712bd3c370370a4e2a929b5efbcbe5c6df7934af9e48a5f728fc", "size": 4504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5373e4b3b295"},
    "alexnet_fp64_b8_train": {"sha256": "792c204e326237ad99fa0d4edc211408a7fc1cf0142ffdb606bd2a953e79365d", "size": 12448, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
}
