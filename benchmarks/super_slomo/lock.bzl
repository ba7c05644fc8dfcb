"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "super_slomo_fp32_b2": {"sha256": "ebb567f8247c3ad232cb95ef9ef688580de28c9e5d8d9600fc0a0c9ae2541444", "size": 4504, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "d5b7bef48906"},
    "super_slomo_fp32_b2_r64": {"sha256": "d40e32f9d124a3633618cb346141538400af22978e3bf6f7ade9de40adf8f806", "size": 4504, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "0d24f1248e32"},
    "super_slomo_tiny_fp32_b2": {"sha256": "8843e81199af1d63a48f76350409005ea5fe876c7a19f5225ea29d29777a432f", "size": 4496, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "super_slomo_tiny_fp64_b2": {"sha256": "8843e81199af1d63a48f76350409005ea5fe876c7a19f5225ea29d29777a432f", "size": 4496, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "super_slomo_tiny_fp64_b8_train": {"sha256": "793a13a20aa869c16c74c2eeda76e4bde10e8345618cea6de087ea9990cb8bcf", "size": 18520, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "03eb2c0c0bed"},
}
