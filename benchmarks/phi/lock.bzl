"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "phi_1_5_2l_fp32_b2_s128": {"sha256": "1282ba3b4d3c9b7c868c0b48a9c1afc8f5cd246062b322d6f6960c89885152e1", "size": 4736, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "4a13f002c84d"},
    "phi_1_5_2l_fp32_b2_s128_gen128": {"sha256": "692382f68b6dde0759c87bb303952c3f2d3b522057d008d9af31f7b6a25a20e8", "size": 13184, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "4a13f002c84d"},
    "phi_tiny_bf16_b2_s16_gen8": {"sha256": "8db9ec12dd80daead56075f121a6322e7f687e864d1075da1377d36a1a614f4c", "size": 7024, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_bf16_b2_s200": {"sha256": "3e81351602281f9424e0c691dd75a3909496c576ceb7d6bdbd5ed6dde8a87e54", "size": 2680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_bf16_b2_s8": {"sha256": "b6091b23b2e55d3765f6552918151d2c2eba61f0ece95ff421e6809048ca7a29", "size": 2680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp16_b2_s16_gen8": {"sha256": "4edda96d5a67668da3695ad32ba99d6ddae8cb8e97832d9861865324af0b7f47", "size": 7024, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp16_b2_s200": {"sha256": "56425c3eae1a689d476f0a510f17e048fe9456c1b0ce6442888ae92a9d1a8275", "size": 2680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp16_b2_s8": {"sha256": "9e868e133319be9cbb3983bf5d52486a6d8ff5984aaee5a8a9391f1b38c1b66c", "size": 2680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp32_b2_s16_gen8": {"sha256": "bcf35276b45d30418fa622895653bd910285b9550937cb3e6af9e74002c2dc93", "size": 13168, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp32_b2_s200": {"sha256": "6c5d3ce3568b1a349b7f18ca89f89602466b6f7f1ff2f9a66c2609880d5145dc", "size": 4728, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp32_b2_s8": {"sha256": "97804df4347245dda50136b7b9a4a671b029c1dfbee1beccfdb2ceba2c1903ac", "size": 4728, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp32_b2_s8_train": {"sha256": "289aa675c6c560f480768d1a58e56855f55000c2f63a682cc6ede965d3f769ab", "size": 10128, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "dfad6a13fffd"},
    "phi_tiny_fp64_b2_s16_gen8": {"sha256": "bcf35276b45d30418fa622895653bd910285b9550937cb3e6af9e74002c2dc93", "size": 13168, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp64_b2_s200": {"sha256": "6c5d3ce3568b1a349b7f18ca89f89602466b6f7f1ff2f9a66c2609880d5145dc", "size": 4728, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp64_b2_s8": {"sha256": "97804df4347245dda50136b7b9a4a671b029c1dfbee1beccfdb2ceba2c1903ac", "size": 4728, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "phi_tiny_fp64_b2_s8_train": {"sha256": "289aa675c6c560f480768d1a58e56855f55000c2f63a682cc6ede965d3f769ab", "size": 10128, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "dfad6a13fffd"},
}
