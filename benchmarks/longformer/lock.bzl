"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "longformer_base_masked_lm_fp32_b2_s1024": {"sha256": "bce3ae45eb908fee8b3d11b04071daf4ac5a46b7ff4183c9046adc80b0c35914", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_bf16_b2_s10": {"sha256": "f981920e13ce2eabc18bd6d6b9a1a2bae23aa2780319648a5252d56b031dc4c5", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_bf16_b2_s64": {"sha256": "65f71ea850a43d275626087b67ab5526e3518374dc408d7ffc3a10ebc6183cbc", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_fp16_b2_s10": {"sha256": "efd067f2e80d3f12b7e75ea4c766111e4f28aa0bc7542ff750b948033ba65001", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_fp16_b2_s64": {"sha256": "baca6d52ff357b58064509bb4feced881fbc70ca3cde3e5cec59198fd67dc95e", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_fp32_b2_s10": {"sha256": "f7258c62b97d558b10f5a64ab84b7cd575781264585a33aa0cf4c1e51d7a2277", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_fp32_b2_s10_train": {"sha256": "acd880045b10137f27472328f859a806bf16297eaab4a3ddf8e662acfe495d34", "size": 6912, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_fp32_b2_s64": {"sha256": "8fdee628172cb2e7907fe2cae4bbdb86eca0679b8a7e1275f590a972b8b26248", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_fp64_b2_s10": {"sha256": "f7258c62b97d558b10f5a64ab84b7cd575781264585a33aa0cf4c1e51d7a2277", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_fp64_b2_s10_train": {"sha256": "acd880045b10137f27472328f859a806bf16297eaab4a3ddf8e662acfe495d34", "size": 6912, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "7d398dca3e28"},
    "longformer_tiny_global_masked_lm_fp64_b2_s64": {"sha256": "8fdee628172cb2e7907fe2cae4bbdb86eca0679b8a7e1275f590a972b8b26248", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_masked_lm_bf16_b2_s10": {"sha256": "a220841f2a27bd19c6f199ab17bdb691da6b5816bac35bd2a14fa4d1b311d702", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_masked_lm_bf16_b2_s64": {"sha256": "a0b264b83336a3472a4c158c9ca36ee285c4a8eabe38dba2cab84bfeda40a5db", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_masked_lm_fp16_b2_s10": {"sha256": "6d17ebafddee1e1f55e2bcebc62b671d01e0bc9dfad973efdbc00dfbc7e0b6bb", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_masked_lm_fp16_b2_s64": {"sha256": "37e096f85032afb57ec1d5a3ef98528eb7288e746ed4cc8be33038df0b7782ac", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_masked_lm_fp32_b2_s10": {"sha256": "25dcc608ed98714df03088a8bd19614dd86cd602ff351d92f8ddf8e2c0ea039c", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_masked_lm_fp32_b2_s64": {"sha256": "fd1f57591298f5cf0be358f097a8428f4fa34e42e11c768925a4c8c8e162e9a2", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_masked_lm_fp64_b2_s10": {"sha256": "25dcc608ed98714df03088a8bd19614dd86cd602ff351d92f8ddf8e2c0ea039c", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
    "longformer_tiny_masked_lm_fp64_b2_s64": {"sha256": "fd1f57591298f5cf0be358f097a8428f4fa34e42e11c768925a4c8c8e162e9a2", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
}
