"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "vovnet39a_bf16_b2": {"sha256": "3d323484a5531cc1eed1ef51c2faa08a215b18fb6dc1ec098f7f17296ef66997", "size": 2520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "vovnet39a_fp16_b2": {"sha256": "f83f86f1dc9454d2241d02391358e2effcd2ef16743d217e69985b27364a3610", "size": 2520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "vovnet39a_fp32_b2": {"sha256": "b35dd8e0fb863e310f2051f2cd489ff5bdf1f5e9b66badce445a958039ef60ac", "size": 4568, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "vovnet39a_fp64_b2": {"sha256": "b35dd8e0fb863e310f2051f2cd489ff5bdf1f5e9b66badce445a958039ef60ac", "size": 4568, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "vovnet39a_fp64_b2_r50": {"sha256": "9216ba245d0e422015aa2f7c31ff2130030838987eef063ec4a194c77e06a8e8", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
}
