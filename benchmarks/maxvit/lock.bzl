"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "maxvit_t_bf16_b2": {"sha256": "61a73794e5db90d210ebcce95d2cf972ed76bb53e1b4be9df0feac60527402d7", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "maxvit_t_fp16_b2": {"sha256": "a4771ad5c93c296a72d1a8789b3204cf236c599675f33dc2b7c09f6582e303c2", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "3236a3a57147"},
    "maxvit_t_fp32_b2": {"sha256": "4395886a958954a1517b5448b54bdd3ccd1db948a08b3ad533dd4a7a5dc4e562", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "maxvit_t_fp64_b2": {"sha256": "4395886a958954a1517b5448b54bdd3ccd1db948a08b3ad533dd4a7a5dc4e562", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
