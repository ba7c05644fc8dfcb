"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "alexnet_bf16_b2": {"sha256": "9a01976e8714d8ed7536dacdcc5893ff36f32c2ead0fcf65f883489e46c38fd5", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5373e4b3b295"},
    "alexnet_fp16_b2": {"sha256": "ff1930ead5123ce149295ceb284ec00eb7521d62cbcbe3c5832c3a559421d040", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5373e4b3b295"},
    "alexnet_fp32_b2": {"sha256": "e63b91700f0f0c50e7c110e4795f02b820682c36955b3afe128fdf44f62e65c3", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5373e4b3b295"},
    "alexnet_fp32_b8_train": {"sha256": "3c5fb1738b20b3fa515941be612734f50a07278648f0ffa47f39b8561ee7f0ed", "size": 37616, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "alexnet_fp64_b2": {"sha256": "e63b91700f0f0c50e7c110e4795f02b820682c36955b3afe128fdf44f62e65c3", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5373e4b3b295"},
    "alexnet_fp64_b8_train": {"sha256": "3c5fb1738b20b3fa515941be612734f50a07278648f0ffa47f39b8561ee7f0ed", "size": 37616, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
}
