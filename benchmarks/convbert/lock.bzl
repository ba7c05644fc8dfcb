"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "convbert_base_masked_lm_fp32_b2_s128": {"sha256": "60d3e2bb0660afeb0c223e19c731585df34092d18a56629bcc5f161d519333b4", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_medium_small_masked_lm_fp32_b2_s128": {"sha256": "f75bb81b4b240c908f5cfac0c9d63e9944b3b8ae90c9970feaf29d064a465c2d", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_small_masked_lm_bf16_b2_s128": {"sha256": "470ad71e694eeaed3bafeaf25adee21f596aece81b9e3ca88f510d13e1b2453a", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6928f29a08e0"},
    "convbert_small_masked_lm_fp16_b2_s128": {"sha256": "7654daa5688c10dce059c8d587dc38eca1ba2b911c85383efac515974d52a263", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6928f29a08e0"},
    "convbert_small_masked_lm_fp32_b2_s128": {"sha256": "dd6fb2ccc5b8f5cbbe2db33955b5cf034ccff9cd73227cdbdf56a28b3aff92b9", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_grouped_masked_lm_bf16_b2_s128": {"sha256": "2e28c1d241f0fc0c5f8f6fba30f5fcfbbfe1d7d2b76d6990a37fd1b11dc68100", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_grouped_masked_lm_bf16_b2_s8": {"sha256": "52888b22bdc486e366f86f99853da806f8f1d5e06754f9f85edea815593d1062", "size": 2744, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_grouped_masked_lm_fp16_b2_s128": {"sha256": "fed8ceaff3ad9ff2b125247933fdfa3e22d8d16cc25f5509f97585ac44d3fa3d", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_grouped_masked_lm_fp16_b2_s8": {"sha256": "a0e3d6449bede0fe6fa5c2db23b5605b8eb7e7ddff3fbeb65eb2fc55dc613c3d", "size": 2744, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_grouped_masked_lm_fp32_b2_s128": {"sha256": "174f0b56313f484193a695c9752883f37d1c9e7764100aa382cfd46c78c16027", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_grouped_masked_lm_fp32_b2_s8": {"sha256": "a1fd9d71c37c1e9536b0edaae7b48b9c45fcb51f10de6585a51e356dae64d6f0", "size": 4792, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_grouped_masked_lm_fp64_b2_s128": {"sha256": "174f0b56313f484193a695c9752883f37d1c9e7764100aa382cfd46c78c16027", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_grouped_masked_lm_fp64_b2_s8": {"sha256": "a1fd9d71c37c1e9536b0edaae7b48b9c45fcb51f10de6585a51e356dae64d6f0", "size": 4792, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_bf16_b2_s128": {"sha256": "8866b6eda85482ce09b57ce43ea7c77dca6bde8a23b8c8c09522a0b5de6154de", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_bf16_b2_s8": {"sha256": "6b17743c7a122062abf421265e6e22a196d3b3375dbd3660d2a2eb8488847374", "size": 2744, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_fp16_b2_s128": {"sha256": "50e614308d6e6e12cb0024a538650d87f49ccec732796c96dca2f3feffcad86e", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_fp16_b2_s8": {"sha256": "8a3b5eeced8635400e10031f7fa10895441c1afe750c0024083a12c13f519b7f", "size": 2744, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_fp32_b2_s128": {"sha256": "5c2747450dec9f92eeeb0460049c4642ac9e0714f4ee2907765cdf996ceadf25", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_fp32_b2_s8": {"sha256": "256be218956ec9168f1c07fd90c636a348088afd676d5d93b0761373f49ebd2a", "size": 4792, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_fp32_b2_s8_train": {"sha256": "b3f48615d44cc53598d0bb1a3bb4adaaf652ad03834d09bf015e61ea66567e2f", "size": 7008, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_fp64_b2_s128": {"sha256": "5c2747450dec9f92eeeb0460049c4642ac9e0714f4ee2907765cdf996ceadf25", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_fp64_b2_s8": {"sha256": "256be218956ec9168f1c07fd90c636a348088afd676d5d93b0761373f49ebd2a", "size": 4792, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6a06c4fe678d"},
    "convbert_tiny_masked_lm_fp64_b2_s8_train": {"sha256": "b3f48615d44cc53598d0bb1a3bb4adaaf652ad03834d09bf015e61ea66567e2f", "size": 7008, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "6a06c4fe678d"},
}
