"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "ghostnet_100_bf16_b2": {"sha256": "fee34ba90aa47be74df174ca04690c087986798c343af466b70677a0ba5a217f", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "ghostnet_100_fp32_b2": {"sha256": "b47465eee405d55093a42fe00736338f2d76dd536b50220d99391b38323adf87", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
}
