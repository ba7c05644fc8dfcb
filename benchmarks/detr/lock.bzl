"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "detr_resnet50_bf16_b2": {"sha256": "45cf972e5ec4df8527c88d118f25a54e1022936dd33ae5d6b71f7dd5335d8282", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6af2940c0a77"},
    "detr_resnet50_fp16_b2": {"sha256": "cf1ff03533974decda6f84660995fd86d7f01e192ab07b8f8d7f64a0460d608a", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6af2940c0a77"},
    "detr_resnet50_fp32_b2": {"sha256": "a1a47f16a07b0ca9f3b9c29c3257a4db4b21d1e89fcd15df1834de1f3f0a39a2", "size": 8864, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6af2940c0a77"},
    "detr_resnet50_fp64_b2": {"sha256": "a1a47f16a07b0ca9f3b9c29c3257a4db4b21d1e89fcd15df1834de1f3f0a39a2", "size": 8864, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6af2940c0a77"},
    "detr_tiny_bf16_b2_r96": {"sha256": "3490c92dc3f2bedbef0c79d34a5c0f61917fd1e19955f4a7cd3d8378b5c3fa02", "size": 1808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c69c45ecb160"},
    "detr_tiny_fp16_b2_r96": {"sha256": "2586a03fb7f23d3b0e9ce6dad47824cf8826f08aff225e5cf5728177db0ea0ee", "size": 1808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c69c45ecb160"},
    "detr_tiny_fp32_b2_r96": {"sha256": "38d3d28fc19d579b16300d6c07fb6827543bfa6bbe0ec101ce22aa79e78f0941", "size": 2960, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c69c45ecb160"},
    "detr_tiny_fp64_b2_r96": {"sha256": "38d3d28fc19d579b16300d6c07fb6827543bfa6bbe0ec101ce22aa79e78f0941", "size": 2960, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c69c45ecb160"},
}
