"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "gpt_neo_125m_fp32_b2_s128": {"sha256": "7d683553b37c636b2a83c7aa4da884cd86824d77f517c29c6e97f407136b246f", "size": 4664, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_125m_fp32_b2_s128_gen128": {"sha256": "63295e84cce3cadffca246795bfda31693bb466a3c00d075799b12d7025bb528", "size": 13104, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "de662aee1e53"},
    "gpt_neo_tiny_bf16_b2_s16_gen8": {"sha256": "74830476dd9bc569321c47a878faa37564978a6ea7928618c01afa13bf1e9cb4", "size": 6944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_bf16_b2_s8": {"sha256": "c4b3a9ea84eec5f218b5c0f4fc84619717e63de27b7a6bdd19975897adacf2ab", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp16_b2_s16_gen8": {"sha256": "2316ceb944cdaa553f213c94bcb21e8186a433b7c82fe8433c533d0eb439561a", "size": 6944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp16_b2_s8": {"sha256": "93e4b2b9d8725e5db088f4b3ac62fba6d3db4925282c164f216a061758d893fb", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp32_b2_s16_gen8": {"sha256": "7f07d4e9592fe42cbc0d296dac4b50b46f96459902c8574ec4f70bc3f0fd8711", "size": 13096, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp32_b2_s200": {"sha256": "87607e4f19409267785eafebe6b493fb1b40d6376a86387af294736497b1b609", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp32_b2_s8": {"sha256": "8f18fd3588391975791436b64aad5553f42bc80ad826eb2660ed65ee1d0d6574", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp32_b2_s8_train": {"sha256": "8cdff8424d1b806fd53912028ad6b22313703be91d14160e27b094581069d7f4", "size": 9880, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp64_b2_s16_gen8": {"sha256": "7f07d4e9592fe42cbc0d296dac4b50b46f96459902c8574ec4f70bc3f0fd8711", "size": 13096, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp64_b2_s200": {"sha256": "87607e4f19409267785eafebe6b493fb1b40d6376a86387af294736497b1b609", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp64_b2_s8": {"sha256": "8f18fd3588391975791436b64aad5553f42bc80ad826eb2660ed65ee1d0d6574", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gpt_neo_tiny_fp64_b2_s8_train": {"sha256": "8cdff8424d1b806fd53912028ad6b22313703be91d14160e27b094581069d7f4", "size": 9880, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "bb962b117aed"},
    "gptj_tiny_fp32_b2_s16_gen8": {"sha256": "9377b15fcd2817d3699a5a85398a7fdb9f4512680d7da6ba7c9bc1884db46f25", "size": 13088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gptj_tiny_fp32_b2_s200": {"sha256": "8b365ef641bc038d912ee5670be2203d755e6e0a5a1d4d9a1da26a81278b87e5", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gptj_tiny_fp32_b2_s8": {"sha256": "ceb609d5f019d053ef57a41ad7a95b0f8efae0b0e81d17e9d6460ad911ae822a", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gptj_tiny_fp32_b2_s8_train": {"sha256": "3798b3f6694c4591514764ff5ebfee15b6b1f9d3764d2e1c0781667b29768686", "size": 9600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "bb962b117aed"},
    "gptj_tiny_fp64_b2_s16_gen8": {"sha256": "9377b15fcd2817d3699a5a85398a7fdb9f4512680d7da6ba7c9bc1884db46f25", "size": 13088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gptj_tiny_fp64_b2_s200": {"sha256": "8b365ef641bc038d912ee5670be2203d755e6e0a5a1d4d9a1da26a81278b87e5", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gptj_tiny_fp64_b2_s8": {"sha256": "ceb609d5f019d053ef57a41ad7a95b0f8efae0b0e81d17e9d6460ad911ae822a", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "gptj_tiny_fp64_b2_s8_train": {"sha256": "3798b3f6694c4591514764ff5ebfee15b6b1f9d3764d2e1c0781667b29768686", "size": 9600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "bb962b117aed"},
}
