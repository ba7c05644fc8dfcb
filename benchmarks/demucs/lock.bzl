"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "demucs_bf16_b2": {"sha256": "0ccf94cee3a753f470f97015f16547a41ef93b68afb48492f1be8ea78fc0d2ff", "size": 2576, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "65d42879d22a"},
    "demucs_fp32_b2": {"sha256": "ec777145a19317ee88b0f359f8514daad52f723feb735527b8b2353ea23b3e0a", "size": 4624, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "65d42879d22a"},
    "demucs_tiny_bf16_b2": {"sha256": "c3dd3e1d15cf48ea07e0f1759e98494124e0b067d7a86b4900f86fb4f58bc8fc", "size": 2576, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "65d42879d22a"},
    "demucs_tiny_fp16_b2": {"sha256": "ed313da60ef2d1819be41d896325a054e5e71add2e39d3ae9e1cd0f875f0d869", "size": 2576, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "65d42879d22a"},
    "demucs_tiny_fp32_b2": {"sha256": "af64331e170184c7754462da2584c14d1d51456a15a9ef8ada9ab4a4913a79f1", "size": 4624, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "65d42879d22a"},
    "demucs_tiny_fp32_b4_train": {"sha256": "07a2b099315de8a9cb99782b0c9cb12b058fa9f255fb07a22970c3ab3f8ed32c", "size": 6392, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "65d42879d22a"},
    "demucs_tiny_fp64_b2": {"sha256": "af64331e170184c7754462da2584c14d1d51456a15a9ef8ada9ab4a4913a79f1", "size": 4624, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "65d42879d22a"},
    "demucs_tiny_fp64_b4_train": {"sha256": "07a2b099315de8a9cb99782b0c9cb12b058fa9f255fb07a22970c3ab3f8ed32c", "size": 6392, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "65d42879d22a"},
}
