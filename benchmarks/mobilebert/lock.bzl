"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilebert_masked_lm_bf16_b2_s128": {"sha256": "efa90c571b6cbb056f9606a35177f3599492b1ee7324c1e3abf3953328628ec0", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6928f29a08e0"},
    "mobilebert_masked_lm_fp16_b2_s128": {"sha256": "98e6c20173175822d41630ab3d84144e65a9e8dab86ee5085e16f9c267c940eb", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6928f29a08e0"},
    "mobilebert_masked_lm_fp32_b2_s128": {"sha256": "5335894452dbc0c4a1e78255dd4152d1dc3c653a6f05af3b54873727da227687", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_qa_bf16_b2_s128": {"sha256": "7b84a3f1e4119d248dd6f2f61a9c5b2d1f1ab7402c02e14f955989d11b711fc9", "size": 2896, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6928f29a08e0"},
    "mobilebert_qa_fp16_b2_s128": {"sha256": "6719b024545e92cdad5b5c3f49b9f9b1ed59b49de8891ad09affce3c26055ee5", "size": 2896, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6928f29a08e0"},
    "mobilebert_qa_fp32_b2_s128": {"sha256": "3b1213de081761fcda1e32abc9cafb0679b1eaaadaf844af1f041f520a5ae3e4", "size": 4944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_bf16_b2_s128": {"sha256": "1296a2c8159a1d82759c53d6f9d90f255981effec3ace02d1385d5a45b25f603", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_bf16_b2_s8": {"sha256": "7f4c4c4824de3f51f3eef03dc18a92477d22141ba0527d8bd03197ee210b4f37", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_fp16_b2_s128": {"sha256": "1384610e601e8c4cdc85cc210354d8ae06daf1620aa2bf5526cf6115466d3bf9", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_fp16_b2_s8": {"sha256": "5080e66ce0077dd833ad6476c26f834a49d496f4744bc0ecbe0b10cd82abcb0d", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_fp32_b2_s128": {"sha256": "b0ae61b6ebc51dca4b2d350090ed655288caccbdb1356ae8a465d7d522cf85bc", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_fp32_b2_s8": {"sha256": "2a534a9d98728e8de1bffb4bed090e4126747b35e12871917e1f76f8aed78c22", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_fp32_b2_s8_train": {"sha256": "3052b566a73aa2e203fdc40303a5df4c95a5703d819d0fb99083214790e06080", "size": 7816, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_fp64_b2_s128": {"sha256": "b0ae61b6ebc51dca4b2d350090ed655288caccbdb1356ae8a465d7d522cf85bc", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_fp64_b2_s8": {"sha256": "2a534a9d98728e8de1bffb4bed090e4126747b35e12871917e1f76f8aed78c22", "size": 4800, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_masked_lm_fp64_b2_s8_train": {"sha256": "3052b566a73aa2e203fdc40303a5df4c95a5703d819d0fb99083214790e06080", "size": 7816, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "65c01e300c5a"},
    "mobilebert_tiny_qa_bf16_b2_s8": {"sha256": "ad744aa91b02c51e89b153dacf41bb5957a9ea353ff38e4a032769e4c390c33d", "size": 960, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_qa_fp16_b2_s8": {"sha256": "74126a6d440c405ce28845e4f582954760a09fd7cd84df00824fdd356b73e151", "size": 960, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_qa_fp32_b2_s8": {"sha256": "8b48222d93e1c294b3a48cecb23c8aced2fca36fea604b3f6662c9958dc0ba8c", "size": 1088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_qa_fp32_b2_s8_train": {"sha256": "ae7aa970fefaa9ae578473c96a4ff65c2444dcaa55a534fcf222a74939ac0b82", "size": 7424, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "65c01e300c5a"},
    "mobilebert_tiny_qa_fp64_b2_s8": {"sha256": "8b48222d93e1c294b3a48cecb23c8aced2fca36fea604b3f6662c9958dc0ba8c", "size": 1088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "65c01e300c5a"},
    "mobilebert_tiny_qa_fp64_b2_s8_train": {"sha256": "ae7aa970fefaa9ae578473c96a4ff65c2444dcaa55a534fcf222a74939ac0b82", "size": 7424, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "65c01e300c5a"},
}
