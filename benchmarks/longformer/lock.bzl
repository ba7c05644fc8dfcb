"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "longformer_base_masked_lm_fp32_b2_s1024": {"sha256": "bce3ae45eb908fee8b3d11b04071daf4ac5a46b7ff4183c9046adc80b0c35914", "size": 4768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "7d398dca3e28"},
}
