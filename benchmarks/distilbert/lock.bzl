"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "distilbert_tiny_masked_lm_bf16_b2_s128": {"sha256": "b9052054f0a23f47024beeb19b15f0bde361ed9457ad1d7e67d885ad756b65cf", "size": 2608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_bf16_b2_s8": {"sha256": "1a7e943f458d185ec4cae32ffa87b2645e47b9c073182a65968a78c91e26aa52", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_fp16_b2_s128": {"sha256": "c51338699803b9c924df9a1031d48ffd1bab9c787e931a166f1cd5baf1f5e678", "size": 2608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_fp16_b2_s8": {"sha256": "681b13439e3a22bc8098b0355e8a3f1488471f311740c50eeca6189d90240835", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_fp32_b2_s128": {"sha256": "d880f6613d2808009f7893a311db0b3a8fa85af194d8eba85a754279a4285ce8", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_fp32_b2_s8": {"sha256": "5e932d2192479f902efad19432eb2d5cd7080fa62d65286185b9060623ff4792", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_fp32_b2_s8_train": {"sha256": "668a295fdbd1cb772b6250ffe927dc1c1019063da3f660f47e8cb8951e3febc5", "size": 10496, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_fp64_b2_s128": {"sha256": "d880f6613d2808009f7893a311db0b3a8fa85af194d8eba85a754279a4285ce8", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_fp64_b2_s8": {"sha256": "5e932d2192479f902efad19432eb2d5cd7080fa62d65286185b9060623ff4792", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_masked_lm_fp64_b2_s8_train": {"sha256": "668a295fdbd1cb772b6250ffe927dc1c1019063da3f660f47e8cb8951e3febc5", "size": 10496, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_bf16_b2_s128": {"sha256": "f8350b402d2ccfa46e5a9612b617940cab7a0d5eaba887a255fc1f4e153c24c4", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_bf16_b2_s8": {"sha256": "a337fc0b084b22e9e80130b0237accc8d214b8856145d658a3a82565502a4a3c", "size": 784, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_fp16_b2_s128": {"sha256": "64868e4a5fc81129326f1f88d1c40e87b2dc601d77c1812f286ba480d05110ba", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_fp16_b2_s8": {"sha256": "a7e15d6b8d3f29ae3db594d7bfdc0efd2ccfb1ac4db03ed3ff96993f0d93be52", "size": 784, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_fp32_b2_s128": {"sha256": "23d579f9b97eb252e613c55545d7fe32acfefbb67af6defdcee0b63d2c64727e", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_fp32_b2_s8": {"sha256": "69bf93947472386e95f5fc5bd7bab09dc35b5638b47365676addbc6d2a573b91", "size": 912, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_fp32_b2_s8_train": {"sha256": "fbe0496ee659a29506f6325b09b6457957506606d8f18d2db4202822d9430a3d", "size": 6000, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_fp64_b2_s128": {"sha256": "23d579f9b97eb252e613c55545d7fe32acfefbb67af6defdcee0b63d2c64727e", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_fp64_b2_s8": {"sha256": "69bf93947472386e95f5fc5bd7bab09dc35b5638b47365676addbc6d2a573b91", "size": 912, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "distilbert_tiny_qa_fp64_b2_s8_train": {"sha256": "fbe0496ee659a29506f6325b09b6457957506606d8f18d2db4202822d9430a3d", "size": 6000, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "a7ee90d86f68"},
}
