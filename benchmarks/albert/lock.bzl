"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "albert_base_masked_lm_fp32_b2_s128": {"sha256": "4d2eff318bac282a93603ef84d992de029681abe2376b9db10764892f688ad0a", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "b74789301f3f"},
    "albert_base_qa_fp32_b2_s128": {"sha256": "657ffb9afbddaca681bc3cff43978c5f34fa43e36085b564ffc265bc234671d5", "size": 4872, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "b74789301f3f"},
    "albert_large_masked_lm_fp32_b2_s128": {"sha256": "0268ecae1cab276ebfcb2a584ecc78abc93d05d0a69474c3730fd88ce4b2b051", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "d5fafa4fa5a8"},
    "albert_large_qa_fp32_b2_s128": {"sha256": "5b8c0445c0c1a8e37cd020a20580baae99e39fb33242c1e8f574bf7f7bcbe48f", "size": 4880, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "d5fafa4fa5a8"},
    "albert_tiny_masked_lm_bf16_b2_s128": {"sha256": "86f24e6c14bac7f5a38ad208f868aef5ea1e6101a27121d363741d3041990eda", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_bf16_b2_s8": {"sha256": "55236d70662c4c53cb79f735ae7c090be81cc6265d16d869123524ec50064ac7", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_fp16_b2_s128": {"sha256": "93bcb196b0e79d9bdc1bb2c0e40a9996269bcbc198b577d003ec945d1c8744c1", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_fp16_b2_s8": {"sha256": "9638c90e5ce77c4c5ab92119d1f1f0425897ce82951fcb2bcce18ea68a570107", "size": 2712, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_fp32_b2_s128": {"sha256": "d6cbc3559198fcf005cbad432adffcddf4fa6a8f1c8660dcb24a2b4f56c11890", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_fp32_b2_s8": {"sha256": "c97c5fb578091d85418b4435245bde9b2fec20e00ede1dd0544ad12f89025563", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_fp32_b2_s8_train": {"sha256": "23b9aff378458d09778468e9d8bf2847d9159671424bb931ad931b8336366cb0", "size": 9880, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_fp64_b2_s128": {"sha256": "d6cbc3559198fcf005cbad432adffcddf4fa6a8f1c8660dcb24a2b4f56c11890", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_fp64_b2_s8": {"sha256": "c97c5fb578091d85418b4435245bde9b2fec20e00ede1dd0544ad12f89025563", "size": 4760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_masked_lm_fp64_b2_s8_train": {"sha256": "23b9aff378458d09778468e9d8bf2847d9159671424bb931ad931b8336366cb0", "size": 9880, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_bf16_b2_s128": {"sha256": "bdb8a5d5225196df59db1f2611f16abd6e69adb39e3cb3bc80dd4922619f84f0", "size": 2824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_bf16_b2_s8": {"sha256": "8bf529458185edd4600c91e1b3b28f8d1567bf9b4569414cdff1bcd7b019fc34", "size": 896, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_fp16_b2_s128": {"sha256": "6f00002859726dbb62839a197a69f00368580b6f36d8f6c3265a5b019d54614c", "size": 2824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_fp16_b2_s8": {"sha256": "eaf3ecfd6e79baed505894e82c17fc542fe98d30ffa53a40f0680136e7051226", "size": 896, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_fp32_b2_s128": {"sha256": "4ff1406aac7e3a52cd4319cbd514aaa15de5f19845eac7ecd849d92077d36c4a", "size": 4872, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_fp32_b2_s8": {"sha256": "f911bc3c6bde9b6934a9387b831824698b2992fa0db32d1c88a440cc46be7df9", "size": 1024, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_fp32_b2_s8_train": {"sha256": "21a2eb1212f159783415ed20cedd2155eaf12ce2507c2c1d6f6be8e3d9d2c394", "size": 5696, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_fp64_b2_s128": {"sha256": "4ff1406aac7e3a52cd4319cbd514aaa15de5f19845eac7ecd849d92077d36c4a", "size": 4872, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_fp64_b2_s8": {"sha256": "f911bc3c6bde9b6934a9387b831824698b2992fa0db32d1c88a440cc46be7df9", "size": 1024, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "a7ee90d86f68"},
    "albert_tiny_qa_fp64_b2_s8_train": {"sha256": "21a2eb1212f159783415ed20cedd2155eaf12ce2507c2c1d6f6be8e3d9d2c394", "size": 5696, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "a7ee90d86f68"},
    "albert_xxlarge_masked_lm_fp32_b2_s128": {"sha256": "2573b35e7d6f6e7a7d14bcba10cb0b1f961b6dc1b407442316e58174eca40f28", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "1cb05b8517d9"},
    "albert_xxlarge_qa_fp32_b2_s128": {"sha256": "42785454efad199bde76fad5d202c20bfb0436b1b1fe69a64aee45dbc163f987", "size": 4880, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "1cb05b8517d9"},
}
