"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mlp_bf16_b2": {"sha256": "5a405ebe4b038e0807f229bb5873a47c03cfff2b58c6aa116f08417146940116", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "mlp_fp16_b2": {"sha256": "ad44aced792ae189a65795df10216226c4024e365201165142e8135b759d2788", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "mlp_fp32_b2": {"sha256": "de8ba61ea87eb6793b863470304957baba0215f995ccc3285ab155db4a736505", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "mlp_fp64_b2": {"sha256": "de8ba61ea87eb6793b863470304957baba0215f995ccc3285ab155db4a736505", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "36920066417f"},
}
