"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "pyhpc_isoneutral_mixing_tiny_fp32_b2": {"sha256": "1bcce1915d8c7b809fdb80ef94bfeebeb3d5766e929a1963140d3edf69896ec2", "size": 29784, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
    "pyhpc_isoneutral_mixing_tiny_fp64_b2": {"sha256": "1bcce1915d8c7b809fdb80ef94bfeebeb3d5766e929a1963140d3edf69896ec2", "size": 29784, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
    "pyhpc_turbulent_kinetic_energy_tiny_fp32_b2": {"sha256": "ceda85fc65feb6ec34c0589abff43a14ee30d02e42c63616d319b0bd73fc1bc5", "size": 12968, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
    "pyhpc_turbulent_kinetic_energy_tiny_fp64_b2": {"sha256": "ceda85fc65feb6ec34c0589abff43a14ee30d02e42c63616d319b0bd73fc1bc5", "size": 12968, "store": "embedded", "provenance": "torch functions 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
}
