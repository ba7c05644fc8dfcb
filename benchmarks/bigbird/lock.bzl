"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "bigbird_base_masked_lm_bf16_b2_s1024": {"sha256": "cb8240b354817c4d72ef3d6254349bd7b26799511cdd0987578c40255e5b61ad", "size": 2720, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_base_masked_lm_fp16_b2_s1024": {"sha256": "77266e275aeff75d4d4f6c19d3fd711ec895f24d69fb48e4c092e7f36a1b19be", "size": 2720, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_base_masked_lm_fp32_b2_s1024": {"sha256": "4e2300a22156701f0ff9af60db3cc67dbb7f63522e73d8d1b49d8ffb48df44c2", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_bf16_b2_s37": {"sha256": "62590deecf7146a3041e44a85c3ff891765b03c56200aab67c876709ee2f9285", "size": 2704, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_bf16_b2_s64": {"sha256": "85cc79a4cd5b48e63306693a0752181e427dce83572b92ef4962da22e8813479", "size": 2704, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_fp16_b2_s37": {"sha256": "db9acc2485e4fef0db60269064483e7a589fd394508a9f5282e9b7dc18f36b8a", "size": 2704, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_fp16_b2_s64": {"sha256": "09765f5955cd346943d947e995b23eff79d42b8e08606babdbbc84a850cca0ec", "size": 2704, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_fp32_b2_s37": {"sha256": "815d6e7d7b8fbcc23e5329de4e2be83bb4ed4dcf0ea8e74d1563e3a8491f74b6", "size": 4752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_fp32_b2_s37_train": {"sha256": "32b7b81fa243b257affacb5c7a2f32709fdb5e1ba3773e04a114b89741fb9f17", "size": 6584, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_fp32_b2_s64": {"sha256": "06e011affd39bf3795a7d4431522181b3998d01cfe025e9129b70d3efcf4583e", "size": 4752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_fp64_b2_s37": {"sha256": "815d6e7d7b8fbcc23e5329de4e2be83bb4ed4dcf0ea8e74d1563e3a8491f74b6", "size": 4752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_fp64_b2_s37_train": {"sha256": "32b7b81fa243b257affacb5c7a2f32709fdb5e1ba3773e04a114b89741fb9f17", "size": 6584, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "faebfab82a3f"},
    "bigbird_tiny_masked_lm_fp64_b2_s64": {"sha256": "06e011affd39bf3795a7d4431522181b3998d01cfe025e9129b70d3efcf4583e", "size": 4752, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
}
