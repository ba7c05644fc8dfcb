"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "squeezenet1_0_bf16_b2": {"sha256": "25eb07003d1c5ef2f6b917a54ac96fe795c485f8245f0fb11d42191fddd28c1c", "size": 2480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_0_fp16_b2": {"sha256": "69ac8e94b7fef22bd4f5a201c56edf0d07f5b290a00cd1c64a9bde29f7cd2e6f", "size": 2480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_0_fp32_b2": {"sha256": "b19a43e168b83fd66973d73c88fc6db066b1d9e2a091d87d519744bfadaab1e4", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_0_fp64_b2": {"sha256": "b19a43e168b83fd66973d73c88fc6db066b1d9e2a091d87d519744bfadaab1e4", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_bf16_b2": {"sha256": "94e8c162f82a8a7b7f1024c7b1bc13f425d6357c6c47846c563ac465e370649e", "size": 2480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_fp16_b2": {"sha256": "a28c8072da8f5c5745b03fb76ce8edd1a502e30dd6fe7f7c09ac8a1d76a23125", "size": 2480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_fp32_b2": {"sha256": "0823e95e3d5814df1ff209c0b6f126fa92402340d5d3a1f57826f3440d0cc1d3", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_fp32_b8_train": {"sha256": "40e7e398d3aef01d5703be09ac49bc6fbc8250757e6e95d754519e48643239a5", "size": 15352, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "squeezenet1_1_fp64_b2": {"sha256": "0823e95e3d5814df1ff209c0b6f126fa92402340d5d3a1f57826f3440d0cc1d3", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_fp64_b2_r66": {"sha256": "350b4554e606a0b70b890325dddb010559869ca16c04780d61b181e57c3eecdf", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "squeezenet1_1_fp64_b8_r66_train": {"sha256": "a5e64a3bb0aaf093a95a136789f23d07358471cfecd3e1fdb5e222ddc5d642aa", "size": 6632, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "squeezenet1_1_fp64_b8_train": {"sha256": "40e7e398d3aef01d5703be09ac49bc6fbc8250757e6e95d754519e48643239a5", "size": 15352, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
}
