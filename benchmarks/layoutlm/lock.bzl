"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "layoutlm_tiny_masked_lm_bf16_b2_s128": {"sha256": "2a225e207aa45ab397c654b794324987f33a5e55909887a288b2205e62fe65ba", "size": 2704, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_bf16_b2_s8": {"sha256": "10c73ef91ebdbd4e401a13cf697572477c9a28203124e42d200bd40da27273d2", "size": 2696, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_fp16_b2_s128": {"sha256": "610b9d621ea8a001d13645ff5d766876bf8ca52c478e22e7e4e72b9a1ee89bde", "size": 2704, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_fp16_b2_s8": {"sha256": "31b55b1f6cb6e97af924c8ff76ebd7c51d44e9375e6b421b4d48a5ebb0315f7b", "size": 2696, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_fp32_b2_s128": {"sha256": "3040ca62902b8c4a08653b2d1e9abc0f615d5ab36ffff80ef1e9c031d0b7ee5b", "size": 4752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_fp32_b2_s8": {"sha256": "8a8ec3ab02b03a4be9b461ccf9533e6a76399584ed838862f1138e332cdf8281", "size": 4744, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_fp32_b2_s8_train": {"sha256": "c4ad070566f6dcde055dadb039cb576de45ec6a714154c98ac6ac5d4e4f03b34", "size": 11000, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_fp64_b2_s128": {"sha256": "3040ca62902b8c4a08653b2d1e9abc0f615d5ab36ffff80ef1e9c031d0b7ee5b", "size": 4752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_fp64_b2_s8": {"sha256": "8a8ec3ab02b03a4be9b461ccf9533e6a76399584ed838862f1138e332cdf8281", "size": 4744, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_masked_lm_fp64_b2_s8_train": {"sha256": "c4ad070566f6dcde055dadb039cb576de45ec6a714154c98ac6ac5d4e4f03b34", "size": 11000, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_bf16_b8_s128": {"sha256": "37c6b365718c52cca75c461e3955027e01620a1838cdc188b7b2a16f965f7589", "size": 736, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_bf16_b8_s8": {"sha256": "ead5783f32e5b78256e51d27a7f62d92c93ebb1ea1eda25289ba20f65f0ade55", "size": 736, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_fp16_b8_s128": {"sha256": "217847e74ae61b5165a0c173947ed4839c494b8c9dc374d2dcac4c5a3fa46446", "size": 736, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_fp16_b8_s8": {"sha256": "0f18069c3481ac00f93840a70a28837cf850ef618fce9690bd3111ba069f57b8", "size": 736, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_fp32_b2_s8_train": {"sha256": "f2eda26d31bf2a5c6a6a2dabe969dafe50dd54a0e08be9dbb7b278dec360b28a", "size": 9400, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_fp32_b8_s128": {"sha256": "c953ff774ca0e17ae206467248b57333c41a7ea4d82450bdd204deea85e4eaba", "size": 800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_fp32_b8_s8": {"sha256": "030f9956c13e7126362c38c8f317f322e446326c92cb1493b57ba74005bb2c56", "size": 800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_fp64_b2_s8_train": {"sha256": "f2eda26d31bf2a5c6a6a2dabe969dafe50dd54a0e08be9dbb7b278dec360b28a", "size": 9400, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_fp64_b8_s128": {"sha256": "c953ff774ca0e17ae206467248b57333c41a7ea4d82450bdd204deea85e4eaba", "size": 800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "layoutlm_tiny_sequence_classification_fp64_b8_s8": {"sha256": "030f9956c13e7126362c38c8f317f322e446326c92cb1493b57ba74005bb2c56", "size": 800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
}
