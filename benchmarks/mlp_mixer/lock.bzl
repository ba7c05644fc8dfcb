"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mixer_b16_224_bf16_b2": {"sha256": "c7fcd16556be9a70fef84b5f81e7ea20dc626177e2214aeb480014568eded696", "size": 16464, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "mixer_b16_224_fp16_b2": {"sha256": "bb7a673028a22e5304558b918ab5e7bd4e7f84cac43608868c0328cce8fb0d80", "size": 16464, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mixer_b16_224_fp32_b2": {"sha256": "f4f5348f5db495c75e9edc30cc4d502c7b2090f21fce33ee2e1017c4dce97a75", "size": 16464, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "mixer_b16_224_fp64_b2": {"sha256": "f4f5348f5db495c75e9edc30cc4d502c7b2090f21fce33ee2e1017c4dce97a75", "size": 16464, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
}
