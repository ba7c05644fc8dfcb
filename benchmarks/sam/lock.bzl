"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "sam_mask_decoder_bf16_b1_p1": {"sha256": "ef0a7dcd4b881d5b634a210d668c1f910a881bf45903b42f3f3219ba2af1eaa2", "size": 2716, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_mask_decoder_bf16_b1_p64": {"sha256": "a377f284787c3c7f06055a1b9e91ff08cfc5084caa009f32c6e357bdf22a6516", "size": 3480, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_mask_decoder_fp32_b1_p1": {"sha256": "b2b3c83123cdecff36afd352f1ffa182226577c7bc28e41aa70fc15c7472c555", "size": 4776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "98fcf5bfd92b"},
    "sam_mask_decoder_fp32_b1_p64": {"sha256": "be5cff794825eb2ce53cbf3df62b936a59103efcbd209fbb1b0ec934c1d23ede", "size": 6296, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_mask_decoder_fp32_b2_e16_p2_k2": {"sha256": "321aa7ad7bde130d53a9e7807f9e2489791c6f94f822ffaf17fc18bb083f03f1", "size": 4848, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "98fcf5bfd92b"},
    "sam_mask_decoder_fp64_b1_p1": {"sha256": "b2b3c83123cdecff36afd352f1ffa182226577c7bc28e41aa70fc15c7472c555", "size": 4776, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "98fcf5bfd92b"},
    "sam_mask_decoder_fp64_b1_p64": {"sha256": "be5cff794825eb2ce53cbf3df62b936a59103efcbd209fbb1b0ec934c1d23ede", "size": 6296, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_mask_decoder_tiny_bf16_b2_p2_k3": {"sha256": "c525126511fce88a1c28dca0075064276435c6f1763ae4460792dd00ad92e5d5", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_mask_decoder_tiny_fp16_b2_p2_k3": {"sha256": "b2248f1714169051bf5dbd83afc138bca95c164606490ab0df3ef75cfc15fcf0", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_mask_decoder_tiny_fp32_b2_p2_k3": {"sha256": "fc2a073f89f04b7519877d6403a56111c07e296070c29dbfc1f8390b8dda6138", "size": 4848, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_mask_decoder_tiny_fp64_b2_p2_k3": {"sha256": "fc2a073f89f04b7519877d6403a56111c07e296070c29dbfc1f8390b8dda6138", "size": 4848, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_tiny_bf16_b2_p2_k3": {"sha256": "efe3853d88ea0ec174ac142b1953765ee4eb2b89fc27e453a399d12380906d3e", "size": 2824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_tiny_fp16_b2_p2_k3": {"sha256": "dd77c7c6de54983cd3b77ded6351c221d870c83960511884c462d5df69490461", "size": 2824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_tiny_fp32_b2_p2_k3": {"sha256": "859a687345378691951d023a2dd732d1fc0d5c580674ae48a96641f480831bbf", "size": 4920, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_tiny_fp64_b2_p2_k3": {"sha256": "859a687345378691951d023a2dd732d1fc0d5c580674ae48a96641f480831bbf", "size": 4920, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_vit_b_bf16_b1": {"sha256": "e3c95644f540b2b172f7a7d1718f9195ce5b164cdcbb7eb66820759d8e8da3ab", "size": 2812, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_vit_b_fp16_b1": {"sha256": "f780d5bd95a0f4e5c722f5655a13c2c7305e0e2d1138b8cf55d34756c074e832", "size": 2812, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "18cb6d7543af"},
    "sam_vit_b_fp32_b1": {"sha256": "3a434a9aff270628ad3b1d4f67777f10a9d5ff35a429750b167aca888025f311", "size": 4872, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "98fcf5bfd92b"},
    "sam_vit_b_fp32_b2_e16_p2_k2": {"sha256": "90464dd30dc3f96b02ac37ab1aee253f5892a0b007399e06b98f9dad3b33911f", "size": 4944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "98fcf5bfd92b"},
    "sam_vit_b_fp64_b1": {"sha256": "3a434a9aff270628ad3b1d4f67777f10a9d5ff35a429750b167aca888025f311", "size": 4872, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "98fcf5bfd92b"},
    "sam_vit_h_fp32_b2_e16_p2_k2": {"sha256": "2d1cd0f367693929c367bce75b00fd5188c8f9496f46cdedf4b36db3e3e5c36d", "size": 4944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "98fcf5bfd92b"},
    "sam_vit_l_fp32_b2_e16_p2_k2": {"sha256": "eba0f9953ac05ecc4fb2207255a5ae3124173a583e742d5f12dc10fc8ae87856", "size": 4944, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "98fcf5bfd92b"},
}
