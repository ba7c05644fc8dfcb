"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mlp_bf16_b2": {"sha256": "0c78f18e6a21826c07abc90ad97da1c378871df6b251a92fa8623a67199c2aa9", "size": 680, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp16_b2": {"sha256": "e16acbe566c656726d506c164545733c39125d178353137329a7c74a43b8edc4", "size": 680, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp32_b2": {"sha256": "5a0a784c395960c123bdd82a5d4cdb757702086af0d0d0efd7d5d9c628b5dd5f", "size": 936, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp32_b64_train": {"sha256": "9da29e3182719a3520aa73d84ba09cc221255c49911333fef45d39ecfdcae59f", "size": 11648, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "8e3bf1c756fc"},
    "mlp_fp32_b8_train": {"sha256": "94eaff07965f3c02e1cc1a00d6b5aa0c43d72997c21c55022c7e96e11ad0fb42", "size": 11648, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: training verifies every optimizer", "commit": "8e3bf1c756fc"},
    "mlp_fp64_b2": {"sha256": "5a0a784c395960c123bdd82a5d4cdb757702086af0d0d0efd7d5d9c628b5dd5f", "size": 936, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp64_b64_train": {"sha256": "9da29e3182719a3520aa73d84ba09cc221255c49911333fef45d39ecfdcae59f", "size": 11648, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "8e3bf1c756fc"},
    "mlp_fp64_b8_train": {"sha256": "94eaff07965f3c02e1cc1a00d6b5aa0c43d72997c21c55022c7e96e11ad0fb42", "size": 11648, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: training verifies every optimizer", "commit": "8e3bf1c756fc"},
}
