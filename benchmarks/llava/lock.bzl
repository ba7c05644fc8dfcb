"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "llava_1_5_7b_2l_fp32_b2_s640": {"sha256": "1088436c3a7f48b85210a969a4764571415499099fc9b37ea2fc5f1452644ec5", "size": 4920, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "0208a2d044fe"},
    "llava_tiny_bf16_b2_s16": {"sha256": "85a19688c6b3a82a33d7424d72e75c38e742e3f4279e67f92138a1a4f85d5dd7", "size": 2848, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "llava_tiny_bf16_b2_s16_gen8": {"sha256": "ace2cd42cf290589b6d3e58d73a10b62ec5f4f3e3e363ec9409cc855e6fa59c6", "size": 7184, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "llava_tiny_fp16_b2_s16": {"sha256": "5b0236a8bc5565c8352ce62a5aa355c1d50870e2db334b8e7eb31d5016fed7ab", "size": 2848, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "llava_tiny_fp16_b2_s16_gen8": {"sha256": "855af91cba21913b175192f9e2e18aedd881370f506979195edfae83be0fa039", "size": 7184, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "llava_tiny_fp32_b2_s16": {"sha256": "f970f38e9fed4786cc85e0d21bbf604459875386b81b7eb04991cc78c97668a0", "size": 4896, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "llava_tiny_fp32_b2_s16_gen8": {"sha256": "0c94476a9c916b1e10fae17a9bedb12dffa870e12a1cb48345ecf5a03531fd5e", "size": 13328, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "llava_tiny_fp64_b2_s16": {"sha256": "f970f38e9fed4786cc85e0d21bbf604459875386b81b7eb04991cc78c97668a0", "size": 4896, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
    "llava_tiny_fp64_b2_s16_gen8": {"sha256": "0c94476a9c916b1e10fae17a9bedb12dffa870e12a1cb48345ecf5a03531fd5e", "size": 13328, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "dfad6a13fffd"},
}
