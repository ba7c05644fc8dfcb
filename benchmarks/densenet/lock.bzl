"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "densenet121_bf16_b2": {"sha256": "88c50f1c2df2977adb2b37c255e8143d3b4bfeb9e40055e986ed9cc8350f53dd", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "densenet121_fp32_b2": {"sha256": "d6f2513734261b1db306da993e2b3f14988b8a41df2dc6362882592ef1435290", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
