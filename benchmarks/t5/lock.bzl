"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mt5_small_fp32_b2_s128_t128": {"sha256": "e838b3c80543e022a6fa23e0faaaf51983e8e5330459b1c0d31013f34d603dd1", "size": 4840, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2a2156feceb"},
    "mt5_tiny_bf16_b2_s160_t144": {"sha256": "f7c64d569d4721f77e979d7a36f577e58da3e71e3ecec28f2dcf73d80d66713d", "size": 2784, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "mt5_tiny_bf16_b2_s8_t8": {"sha256": "c2dab252f581e9b0499b7efb955f4dacd7e3d2924a424798ac9572683f94a684", "size": 2776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "mt5_tiny_fp16_b2_s160_t144": {"sha256": "2bb0e4bc2096aacf7c00497e754bf9245a0df93479795e26f0390487c23c2035", "size": 2784, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "mt5_tiny_fp16_b2_s8_t8": {"sha256": "52cbffa2aab9f5fd33de1cd193a225840d6c95d295c4ff93c34d5ce10727a8dc", "size": 2776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "mt5_tiny_fp32_b2_s160_t144": {"sha256": "8a4522294995a12386224d0cd9d095fa31da64e1ba8dc3201162e7aaef27c15b", "size": 4832, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "mt5_tiny_fp32_b2_s8_t8": {"sha256": "2be38f2000b5285038b86ce29a821a0e54cbee0ebe87a3eca21914388fc0f108", "size": 4824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "mt5_tiny_fp32_b2_s8_t8_train": {"sha256": "5543dd5733916bfd6c1d855be4ce75e00382e1449caa5bc4e5e03a9edb5d75d6", "size": 11288, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "efc3e865d357"},
    "mt5_tiny_fp64_b2_s160_t144": {"sha256": "8a4522294995a12386224d0cd9d095fa31da64e1ba8dc3201162e7aaef27c15b", "size": 4832, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "mt5_tiny_fp64_b2_s8_t8": {"sha256": "2be38f2000b5285038b86ce29a821a0e54cbee0ebe87a3eca21914388fc0f108", "size": 4824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "mt5_tiny_fp64_b2_s8_t8_train": {"sha256": "5543dd5733916bfd6c1d855be4ce75e00382e1449caa5bc4e5e03a9edb5d75d6", "size": 11288, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "efc3e865d357"},
    "t5_base_fp32_b2_s128_t128": {"sha256": "ffc97e10e42c1f83270a7e4f8271ed4eab8b9f842f1f03a471537bb4ac254392", "size": 4832, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2a2156feceb"},
    "t5_small_fp32_b2_s128_gen16": {"sha256": "56084f1f89c61d62359f0ced111474b3557a58d9d89fd5afbc03d70b3159351f", "size": 13272, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2a2156feceb"},
    "t5_small_fp32_b2_s128_t128": {"sha256": "5f7ddb235924d9b6ae9a9083d5e051ed0728ddc1ad7f5e15bb14d8906bb68525", "size": 4832, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "c2a2156feceb"},
    "t5_tiny_bf16_b2_s160_t144": {"sha256": "3f7269a56fe70dbf2240484a55150e84d5575b44620003cb979e9549576afdf7", "size": 2776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_bf16_b2_s16_gen24": {"sha256": "1b4b167abcc7a2fe390d7927ccdc553c60a7bd76995660a59fbc656f7b7391a0", "size": 7120, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_bf16_b2_s8_t8": {"sha256": "b34e0a4dbbf758e0cf1f8ccd034b0114a6d22d17f15e31c8a6a2f8d32c8d30c4", "size": 2768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp16_b2_s160_t144": {"sha256": "178702007b2f8bfb3d0ff60cc801ba29aa2d74d78ab89eff31333085fbd66a98", "size": 2776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp16_b2_s16_gen24": {"sha256": "0ecddf228b341f354553f4cca74b0d3482e4254ca9d5c66b3dd69c57c0e1cd75", "size": 7120, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp16_b2_s8_t8": {"sha256": "86e5d9fcdcdfbb2faac63ba90ecad10aa1ad736c7356e6201fcc8a487ee3eab8", "size": 2768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp32_b2_s160_t144": {"sha256": "89816e5321ced15265088422ee1fbb516f5b857d67fff247353fe57ffa803af0", "size": 4824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp32_b2_s16_gen24": {"sha256": "0da1fd15077baf34e23aa7337a62d0eb82accafe29fb600f04fe2d9a15b80574", "size": 13264, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp32_b2_s8_t8": {"sha256": "9bd9cca90a85f889928513c88ce408ea825d7f5b9aa491cf1d45e156fb06c17f", "size": 4816, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp32_b2_s8_t8_train": {"sha256": "e4d46b8c694701236a141ef2b2e701bd4b8b06dda7f884ca2a5fa5a52e3dc0b2", "size": 11000, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "efc3e865d357"},
    "t5_tiny_fp64_b2_s160_t144": {"sha256": "89816e5321ced15265088422ee1fbb516f5b857d67fff247353fe57ffa803af0", "size": 4824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp64_b2_s16_gen24": {"sha256": "0da1fd15077baf34e23aa7337a62d0eb82accafe29fb600f04fe2d9a15b80574", "size": 13264, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp64_b2_s8_t8": {"sha256": "9bd9cca90a85f889928513c88ce408ea825d7f5b9aa491cf1d45e156fb06c17f", "size": 4816, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "efc3e865d357"},
    "t5_tiny_fp64_b2_s8_t8_train": {"sha256": "e4d46b8c694701236a141ef2b2e701bd4b8b06dda7f884ca2a5fa5a52e3dc0b2", "size": 11000, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "efc3e865d357"},
}
