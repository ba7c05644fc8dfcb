"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "longformer_base_masked_lm_fp32_b2_s1024": {"sha256": "bce3ae45eb908fee8b3d11b04071daf4ac5a46b7ff4183c9046adc80b0c35914", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "longformer_tiny_global_masked_lm_bf16_b2_s10": {"sha256": "45acef9f2951d4adf24df2cc84ed560efeefac6f3a6a52f7bd919b6bfcf169fb", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_bf16_b2_s64": {"sha256": "ab6b52e15d455b765228c7961a11284fc45ebb1faf5359513d303d96d6092f7d", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_fp16_b2_s10": {"sha256": "599714e24a145e594382bde44a43830a04f12e433d3eaaa0daea2319e616ce62", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_fp16_b2_s64": {"sha256": "808b90adb082c3918d0133622dcdb55ba069a6b0273e25bbd887b559e725ebb3", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_fp32_b2_s10": {"sha256": "0ee7db3251ca23eb2dc5b0fd0dca3f08f3a9088c4b87387d62918bb1246032c0", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_fp32_b2_s10_train": {"sha256": "44c77224278900c44dd318816610a503a23835ac9def9005965d0c33186a1a13", "size": 6912, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_fp32_b2_s64": {"sha256": "d491ccc6bbd64414e949c4175bd1903605601ebcd8ef309d4e3a688cbdf8c066", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_fp64_b2_s10": {"sha256": "0ee7db3251ca23eb2dc5b0fd0dca3f08f3a9088c4b87387d62918bb1246032c0", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_fp64_b2_s10_train": {"sha256": "44c77224278900c44dd318816610a503a23835ac9def9005965d0c33186a1a13", "size": 6912, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "476e41060325"},
    "longformer_tiny_global_masked_lm_fp64_b2_s64": {"sha256": "d491ccc6bbd64414e949c4175bd1903605601ebcd8ef309d4e3a688cbdf8c066", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_masked_lm_bf16_b2_s10": {"sha256": "d109149df56575d6facb93f62a3a70387b7cdffc28124c0b1de6c4e26bc94904", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_masked_lm_bf16_b2_s64": {"sha256": "51e6354380f40504bb1f02f9f5f81d103bf2135d66cc4c5f22660aa04bd9f6c0", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_masked_lm_fp16_b2_s10": {"sha256": "f50a9dbd9494ea9b2ae04fc452bd4d6f19c88bab4c27f13e1df850b747bdc416", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_masked_lm_fp16_b2_s64": {"sha256": "51e2341148439a689b8c756a154a3e1246f2d57ff7823a4edd254210b7878eb4", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_masked_lm_fp32_b2_s10": {"sha256": "91040d6f0a9e6964d838b4c4b7c9773ea9677ad2750c19bee4bdcd433729923f", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_masked_lm_fp32_b2_s64": {"sha256": "b09a2be1036d310110a87ebe44354faf02ef3251f6655f031b68d309a452e320", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_masked_lm_fp64_b2_s10": {"sha256": "91040d6f0a9e6964d838b4c4b7c9773ea9677ad2750c19bee4bdcd433729923f", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
    "longformer_tiny_masked_lm_fp64_b2_s64": {"sha256": "b09a2be1036d310110a87ebe44354faf02ef3251f6655f031b68d309a452e320", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "476e41060325"},
}
