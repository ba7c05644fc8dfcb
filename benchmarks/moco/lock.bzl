"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "moco_tiny_bf16_b2": {"sha256": "bd941b08b93d0a9feb2a0fdb445402a16e5c293a211d3d2b0d4bb25c5accacc4", "size": 592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "519ab4058bd7"},
    "moco_tiny_fp16_b2": {"sha256": "cf38cec22c27ec3c2da3bbd94e3f5972f807921c2770bfc6bac2339cde82b46f", "size": 592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "519ab4058bd7"},
    "moco_tiny_fp32_b2": {"sha256": "965999adbd075257cbf48d613e96afb19eb4df3e19a2f686f942768ac6ffd214", "size": 728, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "519ab4058bd7"},
    "moco_tiny_fp32_b8_train": {"sha256": "248e94fb99b457742fd0ad623353fb9343fe96508a6ff90aa94db61ce3a69b32", "size": 7456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "519ab4058bd7"},
    "moco_tiny_fp64_b2": {"sha256": "965999adbd075257cbf48d613e96afb19eb4df3e19a2f686f942768ac6ffd214", "size": 728, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "519ab4058bd7"},
    "moco_tiny_fp64_b8_train": {"sha256": "248e94fb99b457742fd0ad623353fb9343fe96508a6ff90aa94db61ce3a69b32", "size": 7456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "519ab4058bd7"},
}
