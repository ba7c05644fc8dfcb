"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "convnext_base_bf16_b2": {"sha256": "1bcca434e41c640e689e1983f1e4da5f780ea86f03c235f8932e18bc17607a83", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_base_fp16_b2": {"sha256": "114db442c7b2dea0fc24651e8e058c7ff3ec93d34dda1125d7edba822834cdbf", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_base_fp32_b2": {"sha256": "f108833af6396f51f7db04678bcb751406afd142db6317bc12203369cba8d3b4", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_base_fp64_b2": {"sha256": "f108833af6396f51f7db04678bcb751406afd142db6317bc12203369cba8d3b4", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_large_bf16_b2": {"sha256": "ac63a37ec38bfec67666bc2e76659853601e545b2c1125ae63ea9c0168c46a45", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_large_fp16_b2": {"sha256": "3aa60d0226b274cd68ac504cea165674bdcbc50130403402022025dd84b19c91", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_large_fp32_b2": {"sha256": "0bfa04e06cff1a2adc94839e5653dc86dd5bc7e3cbc92acb6f36913379a1427b", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_large_fp64_b2": {"sha256": "0bfa04e06cff1a2adc94839e5653dc86dd5bc7e3cbc92acb6f36913379a1427b", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_small_bf16_b2": {"sha256": "e80cdf49e92f501bf40cdd6f8bec9faf460cb29b56ecde0a525e6965d6ac16d1", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_small_fp16_b2": {"sha256": "8b7bc38da389a15949ed0c8b2737a9d1608638ab87995450d4d69f3d8acd7026", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_small_fp32_b2": {"sha256": "1fa795184f103dcb4b09b63abc038aea726cc8b2fcbaaa6fd26a9c93a724df95", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_small_fp64_b2": {"sha256": "1fa795184f103dcb4b09b63abc038aea726cc8b2fcbaaa6fd26a9c93a724df95", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_tiny_bf16_b2": {"sha256": "4b0f468c2b18723325b4e436fa7d86dd5a2e3d225159869872b9ebf704cad9a1", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "convnext_tiny_fp16_b2": {"sha256": "df0429ab968128c857e0e85f76ee717acc25803c1c7c7deb50c03b1c2b0cc534", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "24a16c9a8f15"},
    "convnext_tiny_fp32_b2": {"sha256": "1ba3ed9202dd0353de06e438dda6dd31b4a0743a16823fb9198a6602d5501d1f", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "convnext_tiny_fp64_b2": {"sha256": "1ba3ed9202dd0353de06e438dda6dd31b4a0743a16823fb9198a6602d5501d1f", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
