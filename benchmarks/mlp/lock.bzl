"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mlp_bf16_b2": {"sha256": "4251c419160e973f71b43632231a5d9475bd58f86cfb69ac02711c7c1301d950", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "mlp_fp16_b2": {"sha256": "eb4ccf9b59a239359e04256736145bf7563cd2523b7a5dbce6a047646275b54f", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "mlp_fp32_b2": {"sha256": "179fca5516470bc240c6820291e3876978de6e0f04a181ba4c02b84cbb26aedd", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "mlp_fp32_b8_train": {"sha256": "0d0838eb95a8e8fd26a5438926d2759565b8d37127089d81b953e259cf23c446", "size": 72384, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim.SGD", "commit": "54d3cd209427"},
    "mlp_fp64_b2": {"sha256": "179fca5516470bc240c6820291e3876978de6e0f04a181ba4c02b84cbb26aedd", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "mlp_fp64_b8_train": {"sha256": "0d0838eb95a8e8fd26a5438926d2759565b8d37127089d81b953e259cf23c446", "size": 72384, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim.SGD", "commit": "54d3cd209427"},
}
