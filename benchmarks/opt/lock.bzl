"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "opt_125m_fp32_b2_s128": {"sha256": "713175fcedf6fa984309fbea272835f62052c621da7e3266a98afe1b46f23c0e", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_125m_fp32_b2_s128_gen128": {"sha256": "0ad3984f5eca5c132eaeeb62cbafa08092e01f908248b80e455c6717680850f1", "size": 13104, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "de662aee1e53"},
    "opt_tiny_bf16_b2_s16_gen8": {"sha256": "e4faf8a616b8b70227f45281bcec7190a2da7d9fb80a0ffa2b69957dd93e7b27", "size": 6944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_bf16_b2_s200": {"sha256": "ed998a523f6c2be67f2077a049b3dba01e4f0e9455590e9ff4f8100a2f226716", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6d73001d32c9"},
    "opt_tiny_bf16_b2_s8": {"sha256": "600968f4330a2a40d8bbd5fb75ec2be6e34e456d56fc7b7b2bb7138c87e907b0", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp16_b2_s16_gen8": {"sha256": "68670e28bbfb3b9f6e3d8bb4bff48a531ab3fe4ed594928f3652b31868290de5", "size": 6944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp16_b2_s200": {"sha256": "2bc54605dab5683c35e26d2a6d860ec70793da1ea3cbe35b3565894515f79230", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6d73001d32c9"},
    "opt_tiny_fp16_b2_s8": {"sha256": "111f6cca83c9f2126365a80df788fbfd7bd3434599fe7031a0a0aae4fc298cc2", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp32_b2_s16_gen8": {"sha256": "ff430100ec35134fbea0e7190aa7c61b6a36f85187e22d18fd4af5b12f53f687", "size": 13088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp32_b2_s200": {"sha256": "28a7aa5e22dcd7068fa650a2266e2636f53d55dc233f4f27bd21bb9559357a88", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp32_b2_s8": {"sha256": "d3577386905defa4c2eed724e21099af7308e9b737908ac8b806c3fd64b49468", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp32_b2_s8_train": {"sha256": "beabb24442bd28c7567385becdc60b04c06eca3e4b62f6c81fdfe7df13701f8e", "size": 10216, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "bb962b117aed"},
    "opt_tiny_fp64_b2_s16_gen8": {"sha256": "ff430100ec35134fbea0e7190aa7c61b6a36f85187e22d18fd4af5b12f53f687", "size": 13088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp64_b2_s200": {"sha256": "28a7aa5e22dcd7068fa650a2266e2636f53d55dc233f4f27bd21bb9559357a88", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp64_b2_s8": {"sha256": "d3577386905defa4c2eed724e21099af7308e9b737908ac8b806c3fd64b49468", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "opt_tiny_fp64_b2_s8_train": {"sha256": "beabb24442bd28c7567385becdc60b04c06eca3e4b62f6c81fdfe7df13701f8e", "size": 10216, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "bb962b117aed"},
    "xglm_564m_fp32_b2_s128": {"sha256": "d51f1e99bfcb891a30438ae5a515cbd441e4d44c40df9a0b8a1f15699326f497", "size": 4664, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "xglm_tiny_bf16_b2_s16_gen8": {"sha256": "b934415dfad07e6a6a9fdc631cf2720093780dfa44de0fe4b1d0ce6dc940e176", "size": 6944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6d73001d32c9"},
    "xglm_tiny_bf16_b2_s200": {"sha256": "84d330840190b593414567d82d5c8709b48fbcb7e823135378a97a8185343f36", "size": 2608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6d73001d32c9"},
    "xglm_tiny_bf16_b2_s8": {"sha256": "60b02dfb03608c634a841b195e4e0999910b31f37f01739084b76ff8c7e39ec3", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6d73001d32c9"},
    "xglm_tiny_fp16_b2_s16_gen8": {"sha256": "d6bffd93f72147c0b54bddae1ac757fa3a65a7587d2cd3d02ddde960bc603000", "size": 6944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6d73001d32c9"},
    "xglm_tiny_fp16_b2_s200": {"sha256": "145a069f28c1f5785e620d8aa1c82f1eaa8f3ec93719c39cf853e54687556d09", "size": 2608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6d73001d32c9"},
    "xglm_tiny_fp16_b2_s8": {"sha256": "59779045a398fd5dab234ee5d4eb06094b8cd54c8a25ae8ce653c5c793c6315d", "size": 2600, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "6d73001d32c9"},
    "xglm_tiny_fp32_b2_s16_gen8": {"sha256": "d3c7b061ca28694f32b838464a4d135fcce9c8556db240a98b970f3ac343b46d", "size": 13088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "xglm_tiny_fp32_b2_s200": {"sha256": "a52c9f6d5da59afb3097e78e0efd1c2b5810086d18b583fdd34a5ffe5278c5f4", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "xglm_tiny_fp32_b2_s8": {"sha256": "ee57f9109b1ab899f896973422775c4bf370d95ef393542d19676b7d82fef675", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "xglm_tiny_fp32_b2_s8_train": {"sha256": "65c12c174dc8ebb3ada6f7cad5d4fae67e42957a759873af8ac8205b6af34e6b", "size": 10160, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "bb962b117aed"},
    "xglm_tiny_fp64_b2_s16_gen8": {"sha256": "d3c7b061ca28694f32b838464a4d135fcce9c8556db240a98b970f3ac343b46d", "size": 13088, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "xglm_tiny_fp64_b2_s200": {"sha256": "a52c9f6d5da59afb3097e78e0efd1c2b5810086d18b583fdd34a5ffe5278c5f4", "size": 4656, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "xglm_tiny_fp64_b2_s8": {"sha256": "ee57f9109b1ab899f896973422775c4bf370d95ef393542d19676b7d82fef675", "size": 4648, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "bb962b117aed"},
    "xglm_tiny_fp64_b2_s8_train": {"sha256": "65c12c174dc8ebb3ada6f7cad5d4fae67e42957a759873af8ac8205b6af34e6b", "size": 10160, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "bb962b117aed"},
}
