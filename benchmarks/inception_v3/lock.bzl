"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "inception_v3_bf16_b2": {"sha256": "b0b9ffe441ebc0d3e027b80942a63f3afa072f43382474dda832ca31757c9bd1", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "inception_v3_fp16_b2": {"sha256": "84501fb56e186345fec78eecc7ffaddcacf3c6eed52a0ab25d771c6b1cf208fe", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5ff100b1b65b"},
    "inception_v3_fp32_b2": {"sha256": "d926f6c3345bfc9183797ad6d08b3e4a50a62da89abe2904ce7ad10794aa5bfd", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "inception_v3_fp64_b2": {"sha256": "d926f6c3345bfc9183797ad6d08b3e4a50a62da89abe2904ce7ad10794aa5bfd", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "inception_v3_fp64_b8_train": {"sha256": "d71c65b2b0f45fb4f4dc6733b79c408faa01635efa6cd1f8eb1ba046271f7471", "size": 67232, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps", "commit": "914f6838a512"},
}
