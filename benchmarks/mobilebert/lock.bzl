"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilebert_masked_lm_fp32_b2_s128": {"sha256": "e9cf01945246b5b5174ea210b7629e0e35767377101eeae09fc9ae6c5c1301a3", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_qa_fp32_b2_s128": {"sha256": "5ec0ce9a25f73d03b1b9836d14cecf4d684951c79902a225f12dbdd9dc27b4d9", "size": 4944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_bf16_b2_s128": {"sha256": "6a4235c25fe6207ecc30933e1d77a631ed2af128537aabb02ab37037a78109bf", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_bf16_b2_s8": {"sha256": "766b30d32cea20cb642b50108a508257949b49afd9d3a236d251324f28612bd2", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_fp16_b2_s128": {"sha256": "46447b5dff105f4be60e956fee350b33eb72fb42cd77b44bc72bb68a6bfe8f69", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_fp16_b2_s8": {"sha256": "fccd1cc7645d0b9e381b5fd9ed2b6f8e436aa8ae44018a1403aba280eb3093ea", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_fp32_b2_s128": {"sha256": "5e5b308dfac8114e46d31fb51a9015a808575589516e9ba3a20769693065471e", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_fp32_b2_s8": {"sha256": "4f75f4f732b61550c872f57ff613ea730e11ca7c62f6cdfd5e39eee34751630a", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_fp32_b2_s8_train": {"sha256": "f6bec0bef5e51b630fa17df96f84998dcbdb8b93b50854818adcbbc3ecea84f4", "size": 7816, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_fp64_b2_s128": {"sha256": "5e5b308dfac8114e46d31fb51a9015a808575589516e9ba3a20769693065471e", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_fp64_b2_s8": {"sha256": "4f75f4f732b61550c872f57ff613ea730e11ca7c62f6cdfd5e39eee34751630a", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_masked_lm_fp64_b2_s8_train": {"sha256": "f6bec0bef5e51b630fa17df96f84998dcbdb8b93b50854818adcbbc3ecea84f4", "size": 7816, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_qa_bf16_b2_s8": {"sha256": "ff9924188707f03a0e7ed6714b943e9036c44ee2ea70ffa3cd8c73b0595853d6", "size": 960, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_qa_fp16_b2_s8": {"sha256": "386870215a1f1e5f98757a4bda3f6938d2e01562bb804ba614c1c571f9263e6f", "size": 960, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_qa_fp32_b2_s8": {"sha256": "bc27d96aae31044714c7ba747288972c0f1f769a89ba142abfd10e815d41504e", "size": 1088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_qa_fp32_b2_s8_train": {"sha256": "1dea9ad2db38db32e33a8306afba4cd25ba4d0e8da911ad7dd6b6f929bed916f", "size": 7424, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_qa_fp64_b2_s8": {"sha256": "bc27d96aae31044714c7ba747288972c0f1f769a89ba142abfd10e815d41504e", "size": 1088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "68621ddbfd3f"},
    "mobilebert_tiny_qa_fp64_b2_s8_train": {"sha256": "1dea9ad2db38db32e33a8306afba4cd25ba4d0e8da911ad7dd6b6f929bed916f", "size": 7424, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "68621ddbfd3f"},
}
