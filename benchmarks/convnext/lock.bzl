"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "convnext_base_bf16_b2": {"sha256": "e281d7bf9e5a2fd68c3cb186bfd625d07910f0b166b6eb4bf94248fa55c20286", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_base_fp16_b2": {"sha256": "e9e5dd41cd69c2fe6b6c25c015f2775344baf1009b5a0a7db15419f36a90ba7b", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_base_fp32_b2": {"sha256": "2e01ec9628bff8cf56a5312bc51f0e2fd89295abe655f4cd0c0d21d81ef3a6e2", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_base_fp64_b2": {"sha256": "2e01ec9628bff8cf56a5312bc51f0e2fd89295abe655f4cd0c0d21d81ef3a6e2", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_large_bf16_b2": {"sha256": "3b40e4448b96eabec8d390c7eb92ca044d2fba3700b651834a70d8d3a905ea8e", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_large_fp16_b2": {"sha256": "433ba3f4029a03fa5c3059e634e93d21b4429dc01615aa9c75e7922e4eab58f4", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_large_fp32_b2": {"sha256": "4927aea977898110b9606d96b8645c3aa692b380474b74b2b1bd798e60efda91", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_large_fp64_b2": {"sha256": "4927aea977898110b9606d96b8645c3aa692b380474b74b2b1bd798e60efda91", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_small_bf16_b2": {"sha256": "02d34e22c9e94cfc31cef75d1d0fd8a21a614ba19a67a66937762acfe992af8e", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_small_fp16_b2": {"sha256": "2daf452e050307ec34610dabbc98a4b01ef46b3d9dedbaa67bbe1bab0b36195e", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_small_fp32_b2": {"sha256": "fb7c6a515e0db7f34c709652973c139d3298773ff0d609dbd251b18c0417d2b3", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_small_fp64_b2": {"sha256": "fb7c6a515e0db7f34c709652973c139d3298773ff0d609dbd251b18c0417d2b3", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_tiny_bf16_b2": {"sha256": "1bf1353b21a4dbd2f4c9e37acaec789fa1376fd40757e64719510696c752ba76", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "convnext_tiny_fp16_b2": {"sha256": "06b1a3d0ef3fc79d64ada71aab7135e3e8b391fc328e7a72a4806e370f42dfd9", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_tiny_fp32_b2": {"sha256": "31d0f192a55a4c6e546e4eee29cb7efb91a98f4fd9c93d8e2cea77f88e3b21bc", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "convnext_tiny_fp64_b2": {"sha256": "31d0f192a55a4c6e546e4eee29cb7efb91a98f4fd9c93d8e2cea77f88e3b21bc", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
