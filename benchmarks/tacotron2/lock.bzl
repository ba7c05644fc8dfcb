"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "tacotron2_fp32_b2": {"sha256": "14b590eff99378a95764fa1520f05d50f2f7d0d5a087d9282c40a9caff9e8c51", "size": 14864, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "tacotron2_tiny_bf16_b16": {"sha256": "5d0112bb45bdc8660799cd672f1df471939214ea208ba889404825d7be13ffb3", "size": 7152, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "tacotron2_tiny_fp16_b16": {"sha256": "318a822c2a91d88d31623aa2a13cdca9e41a7bd13bb5a30d0e5d8ebfb3a8110c", "size": 7152, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "tacotron2_tiny_fp32_b16": {"sha256": "232f4f65c133255e2960fb4e0b9d442037339bc048b87276f186262eb5d2a4bf", "size": 13360, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "tacotron2_tiny_fp32_b4_train": {"sha256": "038dabef2c85baf471e23ece5b74ac01f948f28612830b0b9c47cdb2a9694c72", "size": 10952, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "4106a83c3f8e"},
    "tacotron2_tiny_fp64_b16": {"sha256": "232f4f65c133255e2960fb4e0b9d442037339bc048b87276f186262eb5d2a4bf", "size": 13360, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "tacotron2_tiny_fp64_b4_train": {"sha256": "038dabef2c85baf471e23ece5b74ac01f948f28612830b0b9c47cdb2a9694c72", "size": 10952, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "4106a83c3f8e"},
}
