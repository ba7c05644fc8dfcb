"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mlp_bf16_b2": {"sha256": "d7f9f872c6d969dbe9b430166527b76eb18b30082a5961b4c4c96709b73d2b15", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp16_b2": {"sha256": "eb817b5c538b07ea740b641b5abfbeb2a31a4ea4f2bf8b889d405f12a9b05d67", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp32_b2": {"sha256": "290af58f04fd58a142cb0106677523354a3ee23dbbb555dbaeefa17c53fb89f0", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp32_b8_train": {"sha256": "0d0838eb95a8e8fd26a5438926d2759565b8d37127089d81b953e259cf23c446", "size": 72384, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim.SGD", "commit": "a879813f701f"},
    "mlp_fp64_b2": {"sha256": "290af58f04fd58a142cb0106677523354a3ee23dbbb555dbaeefa17c53fb89f0", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp64_b8_train": {"sha256": "0d0838eb95a8e8fd26a5438926d2759565b8d37127089d81b953e259cf23c446", "size": 72384, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim.SGD", "commit": "a879813f701f"},
}
