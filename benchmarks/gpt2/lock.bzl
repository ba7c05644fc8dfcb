"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "gpt2_bf16_b2_s128": {"sha256": "ff9420e6a95c0fb15c03eab5591c2e3cde6d8eef1cf5d51199a1822d1c063e8a", "size": 2568, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_bf16_b2_s128_gen128": {"sha256": "e6584a9d6a48079d0f8df6b3cfd73275b14095f881ad96969de71af9d40ee79a", "size": 6912, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_bf16_b2_s512": {"sha256": "303fc1f2399e8cfc6323c042599f4995db46aa2f6782e6697283a255db9df381", "size": 2568, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_fp32_b2_s128": {"sha256": "e7938c81477da18ab1f20a7ac6da829518b2ed550b2a8b9139d5062084b16b95", "size": 4616, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_fp32_b2_s128_gen128": {"sha256": "db7dbbe38e93184f6af2779669b62bd058ebbbeb7b8e641130e3117041d2163f", "size": 13056, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_fp32_b2_s512": {"sha256": "8c4ec937f870c219f63ade70fc154cca3a0a638d8dbb3c5117759501247796a4", "size": 4616, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_bf16_b2_s128": {"sha256": "1b6a975066374b46f14b198077c6485cef7c0f3be1b0ed881ad5cac753231086", "size": 2560, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_bf16_b2_s64_gen16": {"sha256": "3f10c1a761c932a89991cc729fcde8e885ef985713539abdacc35c9255b35c5f", "size": 6904, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_bf16_b2_s8": {"sha256": "f8d146a89d80b1c401b5c67f05f6c6c1bc5618c566559c80226449bdcfe80ed5", "size": 2560, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp16_b2_s128": {"sha256": "f40a8d2622e96d04d273cb9ac3fd9b90dd94c75d79589df7620dbb1c926a50e0", "size": 2560, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp16_b2_s64_gen16": {"sha256": "78e0a2c1011990308641d491655d59237fe7d4abeaab6f527fd9c1fe2721c50d", "size": 6904, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp16_b2_s8": {"sha256": "8d81f1e5849dee537a5732142992552e9124d9449455f3c8e875abbec17cad8f", "size": 2560, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp32_b2_s128": {"sha256": "fb53d718247513d498f3948fd2a75fbd7230952d41983bb2ca166ec6c1c7b79f", "size": 4608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp32_b2_s128_train": {"sha256": "c605a65e189f06ab90b7f7fecdc9ff01127ccc7731732232133da7b5beb2a6fa", "size": 9736, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp32_b2_s64_gen16": {"sha256": "514f7847bc8781deca15715f69a92731b29ac2cc3e9e30b23b1d00ef36baa19f", "size": 13048, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp32_b2_s8": {"sha256": "93d7fc6ca4e359d5d6f528a8bace9cdb28cc9abed4d4819087f1764f56a2e4e8", "size": 4608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp32_b2_s8_train": {"sha256": "a88c1659b3530ce36fd477ce7a4aeade7b322cb7401f88c82315edd7e8869009", "size": 9728, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp64_b2_s128": {"sha256": "fb53d718247513d498f3948fd2a75fbd7230952d41983bb2ca166ec6c1c7b79f", "size": 4608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp64_b2_s128_train": {"sha256": "c605a65e189f06ab90b7f7fecdc9ff01127ccc7731732232133da7b5beb2a6fa", "size": 9736, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp64_b2_s64_gen16": {"sha256": "514f7847bc8781deca15715f69a92731b29ac2cc3e9e30b23b1d00ef36baa19f", "size": 13048, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp64_b2_s8": {"sha256": "93d7fc6ca4e359d5d6f528a8bace9cdb28cc9abed4d4819087f1764f56a2e4e8", "size": 4608, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ef1c11f785d4"},
    "gpt2_tiny_fp64_b2_s8_train": {"sha256": "a88c1659b3530ce36fd477ce7a4aeade7b322cb7401f88c82315edd7e8869009", "size": 9728, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "ef1c11f785d4"},
}
