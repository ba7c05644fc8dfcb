"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dit_tiny_bf16_b2": {"sha256": "9aaa1eccfc843b5e3e3dadc72efc08842d4079defd672c15cbd1f5b57f98bc68", "size": 2592, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "dit_tiny_fp16_b2": {"sha256": "197cc7f4d82d0f10a963c244949fd8e7046d72a283e72c45c5a63dc7b4325bb4", "size": 2592, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "dit_tiny_fp32_b2": {"sha256": "1c9ae461c5d3112450ca4d50dfcd0cc566c6f33c444450a0cc8cc07c1943555b", "size": 4640, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "dit_tiny_fp64_b2": {"sha256": "1c9ae461c5d3112450ca4d50dfcd0cc566c6f33c444450a0cc8cc07c1943555b", "size": 4640, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
}
