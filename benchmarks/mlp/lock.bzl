"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mlp_bf16_b2": {"sha256": "d7f9f872c6d969dbe9b430166527b76eb18b30082a5961b4c4c96709b73d2b15", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp16_b2": {"sha256": "eb817b5c538b07ea740b641b5abfbeb2a31a4ea4f2bf8b889d405f12a9b05d67", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp32_b2": {"sha256": "290af58f04fd58a142cb0106677523354a3ee23dbbb555dbaeefa17c53fb89f0", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp32_b64_train": {"sha256": "f5a5b8e750e509c94304d2ae8df8c2fe0cee3aec3768d1f9619164ef9d1f3a9d", "size": 36896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "8e3bf1c756fc"},
    "mlp_fp32_b8_train": {"sha256": "c9d50428e0e1f7009f6a227cca2fad15f44119a89cd679d2c7cb1d754cb766d4", "size": 36456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: training verifies every optimizer", "commit": "8e3bf1c756fc"},
    "mlp_fp64_b2": {"sha256": "290af58f04fd58a142cb0106677523354a3ee23dbbb555dbaeefa17c53fb89f0", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "a879813f701f"},
    "mlp_fp64_b64_train": {"sha256": "f5a5b8e750e509c94304d2ae8df8c2fe0cee3aec3768d1f9619164ef9d1f3a9d", "size": 36896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "8e3bf1c756fc"},
    "mlp_fp64_b8_train": {"sha256": "c9d50428e0e1f7009f6a227cca2fad15f44119a89cd679d2c7cb1d754cb766d4", "size": 36456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: training verifies every optimizer", "commit": "8e3bf1c756fc"},
}
