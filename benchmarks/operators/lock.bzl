"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "addmm_fp32_b2": {"sha256": "b5a63b0bd8b8f509822748eaabddbc7929803d579fa58eb9a0bb08686668b3a9", "size": 8464, "store": "embedded", "provenance": "this suite's own C++, float64", "commit": "a879813f701f"},
}
