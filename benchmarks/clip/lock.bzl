"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "clip_tiny_bf16_b2_k8_s16": {"sha256": "cc30a3e764462b76cc52669ab17242b0ec8ec5271193c0aa356d91cd13be97bd", "size": 1232, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "clip_tiny_fp16_b2_k8_s16": {"sha256": "801793460fb4f898c160f80ef911fa78cecdd36413cd0e69ca5d617acdcff807", "size": 1232, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "clip_tiny_fp32_b2_k8_s16": {"sha256": "53698ff8829207c17e6783ec0290ad68cde091392333a23f414ba86af0cf15db", "size": 1680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "clip_tiny_fp64_b2_k8_s16": {"sha256": "53698ff8829207c17e6783ec0290ad68cde091392333a23f414ba86af0cf15db", "size": 1680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "clip_vit_b_32_fp32_b2_k8_s77": {"sha256": "f6159b186775909f737971a9e5c3b697871050d7ab7fc974bcdb77b033df8d52", "size": 5032, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
}
