"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "sam_mask_decoder_tiny_bf16_b2_p2_k3": {"sha256": "c525126511fce88a1c28dca0075064276435c6f1763ae4460792dd00ad92e5d5", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
    "sam_mask_decoder_tiny_fp16_b2_p2_k3": {"sha256": "b2248f1714169051bf5dbd83afc138bca95c164606490ab0df3ef75cfc15fcf0", "size": 2752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
    "sam_mask_decoder_tiny_fp32_b2_p2_k3": {"sha256": "fc2a073f89f04b7519877d6403a56111c07e296070c29dbfc1f8390b8dda6138", "size": 4848, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
    "sam_mask_decoder_tiny_fp64_b2_p2_k3": {"sha256": "fc2a073f89f04b7519877d6403a56111c07e296070c29dbfc1f8390b8dda6138", "size": 4848, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
    "sam_tiny_bf16_b2_p2_k3": {"sha256": "efe3853d88ea0ec174ac142b1953765ee4eb2b89fc27e453a399d12380906d3e", "size": 2824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
    "sam_tiny_fp16_b2_p2_k3": {"sha256": "dd77c7c6de54983cd3b77ded6351c221d870c83960511884c462d5df69490461", "size": 2824, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
    "sam_tiny_fp32_b2_p2_k3": {"sha256": "859a687345378691951d023a2dd732d1fc0d5c580674ae48a96641f480831bbf", "size": 4920, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
    "sam_tiny_fp64_b2_p2_k3": {"sha256": "859a687345378691951d023a2dd732d1fc0d5c580674ae48a96641f480831bbf", "size": 4920, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
    "sam_vit_b_fp32_b2_e16": {"sha256": "a8962def795d0017e97ff83ce6479df1b8efa0830a6e543790d1ba2bd5bcfe63", "size": 4896, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ecdcfef3a703+dirty"},
}
