"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilenet_v3_large_bf16_b2": {"sha256": "d20a2013354e89201406e57fff0555ca549b11e91e6df8917cb607a46a54c460", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_large_fp16_b2": {"sha256": "cd030304babc274a8efb2e319f70843494adee47f0c00491fc81115d9517ee22", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_large_fp32_b2": {"sha256": "d1b98924a662a1ab42c32752023b5c27b53d9d5ea7d16fac4453c468a09bb425", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_large_fp32_b8_train": {"sha256": "76f47a491f3adb0665d483fbeeb3adb9d8d3bb7867080bb042b145b74f7e8a96", "size": 59664, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilenet_v3_large_fp64_b2": {"sha256": "d1b98924a662a1ab42c32752023b5c27b53d9d5ea7d16fac4453c468a09bb425", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_large_fp64_b8_r32_train": {"sha256": "199c24f9d0d54b62fdd6f8e47be6f9ecde934937eddd1f4e4e7e02ca99d26908", "size": 25912, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "mobilenet_v3_large_fp64_b8_train": {"sha256": "76f47a491f3adb0665d483fbeeb3adb9d8d3bb7867080bb042b145b74f7e8a96", "size": 59664, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilenet_v3_small_bf16_b2": {"sha256": "909ecbebcb0a0e8bda9d8e1d510fe27c3d32ec55e5542ec45e1e41ddc175e0f7", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_small_fp16_b2": {"sha256": "9eb4502adf8ee3305f52df8dddfbedb32ea6054139bd6dd4c44901082b1a91d3", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_small_fp32_b2": {"sha256": "82eba773f107c9714ed792a4dd2cd43847a5a624760f95920e2a0bd4e90c251d", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_small_fp64_b2": {"sha256": "82eba773f107c9714ed792a4dd2cd43847a5a624760f95920e2a0bd4e90c251d", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
}
