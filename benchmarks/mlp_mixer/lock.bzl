"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mixer_b16_224_bf16_b2": {"sha256": "097c9901d9eeff13b50445e11efc31283673b06a11a909c4cba895bda728b8a7", "size": 2504, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "mixer_b16_224_fp16_b2": {"sha256": "7f5994d2f369ca04708bd14f021330cb7ce54d6975434dfc5d8f819a17aef3e9", "size": 2504, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mixer_b16_224_fp32_b2": {"sha256": "6884da5229f0d156966309da452131e35de4ad36d11d2ad34b5fdace5df10d02", "size": 4552, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "mixer_b16_224_fp64_b2": {"sha256": "6884da5229f0d156966309da452131e35de4ad36d11d2ad34b5fdace5df10d02", "size": 4552, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
}
