"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "pyhpc_isoneutral_mixing_fp32_b2": {"sha256": "ebec70f2d723440400e8a7c0e596b771b5a9ec3c619fad2c986c4b40059864af", "size": 29808, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "pyhpc_isoneutral_mixing_fp64_b2": {"sha256": "ebec70f2d723440400e8a7c0e596b771b5a9ec3c619fad2c986c4b40059864af", "size": 29808, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "d05ad578d51c"},
    "pyhpc_isoneutral_mixing_tiny_fp32_b2": {"sha256": "418796255e9e9fcbd8c7a236c0ace1280048b2f7bea33a3a61e9595293f81825", "size": 28224, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "2494a5f636be"},
    "pyhpc_isoneutral_mixing_tiny_fp64_b2": {"sha256": "418796255e9e9fcbd8c7a236c0ace1280048b2f7bea33a3a61e9595293f81825", "size": 28224, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "2494a5f636be"},
    "pyhpc_turbulent_kinetic_energy_fp32_b2": {"sha256": "5051a53aeab84720c30eb8faa2d89ba1f9957b5f4155b4c3f1bfb35383b6dd9b", "size": 12984, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "pyhpc_turbulent_kinetic_energy_fp64_b2": {"sha256": "5051a53aeab84720c30eb8faa2d89ba1f9957b5f4155b4c3f1bfb35383b6dd9b", "size": 12984, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "d05ad578d51c"},
    "pyhpc_turbulent_kinetic_energy_tiny_fp32_b2": {"sha256": "ceda85fc65feb6ec34c0589abff43a14ee30d02e42c63616d319b0bd73fc1bc5", "size": 12968, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
    "pyhpc_turbulent_kinetic_energy_tiny_fp64_b2": {"sha256": "ceda85fc65feb6ec34c0589abff43a14ee30d02e42c63616d319b0bd73fc1bc5", "size": 12968, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
}
