"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "inception_v3_bf16_b2": {"sha256": "1f23e419753977f6cb65623465b5c2e8853da670f1659d46a4b7c8a8b5065d28", "size": 2464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "inception_v3_fp16_b2": {"sha256": "e6d1248636dac3f7481d86f75d8ad95c20a041c948ae16f7362dc08872e11cfd", "size": 2464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5ff100b1b65b"},
    "inception_v3_fp32_b2": {"sha256": "e3b6ec66f5189fb8b9e5a2e0596e7c702cbfd5507e37b71f69e7a4b5406fec92", "size": 4512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "inception_v3_fp64_b2": {"sha256": "e3b6ec66f5189fb8b9e5a2e0596e7c702cbfd5507e37b71f69e7a4b5406fec92", "size": 4512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "inception_v3_fp64_b8_train": {"sha256": "53aa182a14184e86e2b63951e6f79551f7008e9d9603566c2e546842f04bd434", "size": 34240, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps", "commit": "914f6838a512"},
}
