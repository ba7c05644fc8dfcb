"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "clip_text_tiny_bf16_b2_s16": {"sha256": "929c50988df095da6200ed2967732555b27e08af7495f69c680c75d05f1eb348", "size": 3240, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "clip_text_tiny_fp16_b2_s16": {"sha256": "acff6a7c0c91e93cc6e79c1abe522108a25ac4f4b77bbd80bf1c7ce4e7efabd5", "size": 3240, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "clip_text_tiny_fp32_b2_s16": {"sha256": "cc32739c635fd44bae1281bef63058f40b836b02aae86abd8c1c3b89d73e5b5f", "size": 5800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "clip_text_tiny_fp64_b2_s16": {"sha256": "cc32739c635fd44bae1281bef63058f40b836b02aae86abd8c1c3b89d73e5b5f", "size": 5800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "clip_tiny_bf16_b2_k8_s16": {"sha256": "cc30a3e764462b76cc52669ab17242b0ec8ec5271193c0aa356d91cd13be97bd", "size": 1232, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "clip_tiny_fp16_b2_k8_s16": {"sha256": "801793460fb4f898c160f80ef911fa78cecdd36413cd0e69ca5d617acdcff807", "size": 1232, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "clip_tiny_fp32_b2_k8_s16": {"sha256": "53698ff8829207c17e6783ec0290ad68cde091392333a23f414ba86af0cf15db", "size": 1680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "clip_tiny_fp64_b2_k8_s16": {"sha256": "53698ff8829207c17e6783ec0290ad68cde091392333a23f414ba86af0cf15db", "size": 1680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "clip_vit_b_32_fp32_b2_k8_s77": {"sha256": "f6159b186775909f737971a9e5c3b697871050d7ab7fc974bcdb77b033df8d52", "size": 5032, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7a8873714942"},
    "stable_diffusion_2_text_encoder_bf16_b2_s77": {"sha256": "3abce3271e4d9287e434ff202015102d9130116d5062ea955f4a22630597d4e0", "size": 4784, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "stable_diffusion_2_text_encoder_fp16_b2_s77": {"sha256": "4a50670357e609e6d5e4eaaf335c5a76511ffd630f55d327a4cd516bafdd0ed8", "size": 4784, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "stable_diffusion_2_text_encoder_fp32_b2_s77": {"sha256": "7b9a2327516fa1f7c36fa67e0cd28c5202f2ff706f1d4dca331fa30ce4d178c6", "size": 8880, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "stable_diffusion_2_text_encoder_fp64_b2_s77": {"sha256": "7b9a2327516fa1f7c36fa67e0cd28c5202f2ff706f1d4dca331fa30ce4d178c6", "size": 8880, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "stable_diffusion_text_encoder_bf16_b2_s77": {"sha256": "5dfa6295e0e41a0ba4294e971406458476e803d64d81598b68b8fcbac6c0bfdd", "size": 4792, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "stable_diffusion_text_encoder_fp16_b2_s77": {"sha256": "1dc8dbe5ea411910fdcb259a9d7d0827e9ef718dd06e908ae9388c97e70a3421", "size": 4792, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "stable_diffusion_text_encoder_fp32_b2_s77": {"sha256": "9a8ad273fe55c60fb2821817f79503f59e76d7601be295b7c543e15dbd43d29a", "size": 8888, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
    "stable_diffusion_text_encoder_fp64_b2_s77": {"sha256": "9a8ad273fe55c60fb2821817f79503f59e76d7601be295b7c543e15dbd43d29a", "size": 8888, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "78925dc64b66"},
}
