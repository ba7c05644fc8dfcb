"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "xlnet_base_lm_fp32_b2_s128": {"sha256": "be418063cba79aa6ae5d7e3bcf416fdaff39381c83657d5ac4f2e4a069eae31e", "size": 4616, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_large_lm_fp32_b2_s128": {"sha256": "974da652edacf66c80fe5409522aa3ee0b297cd7e85db83097daa057076e13bf", "size": 4616, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_bf16_b2_s128": {"sha256": "338d7e8774fbfcd110ce05aee965fae13b4a87c834de2a1cb4cbdda65983a8b5", "size": 2560, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_bf16_b2_s8": {"sha256": "cd8c6417f6f99c093fb1559d8468fcbe25215ad0436220387b1c4c2b1af5006e", "size": 2552, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_fp16_b2_s128": {"sha256": "260f9be2736d48f747c9ab2b6bb8e84eef6d06f7c4a7c5e5a79d64eb822359e4", "size": 2560, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_fp16_b2_s8": {"sha256": "27a0b2933eb41b1234a8b3780a73349f60737d9b8168ba92af6771a905032c8e", "size": 2552, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_fp32_b2_s128": {"sha256": "339b78d777ae801f8b4f96deba735702006c0681455d2887eb07ecbfdfcab8b3", "size": 4608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_fp32_b2_s8": {"sha256": "ebc95297fe34282560ced6668d66bdf9b635d0951be84c74773fbb0f74160ac7", "size": 4600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_fp32_b2_s8_train": {"sha256": "2d2bc9c9806662ac32c7959d22b87f948337bab50a48183b146c629b03c85237", "size": 6208, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_fp64_b2_s128": {"sha256": "339b78d777ae801f8b4f96deba735702006c0681455d2887eb07ecbfdfcab8b3", "size": 4608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_fp64_b2_s8": {"sha256": "ebc95297fe34282560ced6668d66bdf9b635d0951be84c74773fbb0f74160ac7", "size": 4600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0535be6d734f"},
    "xlnet_tiny_lm_fp64_b2_s8_train": {"sha256": "2d2bc9c9806662ac32c7959d22b87f948337bab50a48183b146c629b03c85237", "size": 6208, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "0535be6d734f"},
}
