"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "yolov3_bf16_b2": {"sha256": "7ef15ab7fd82fc97d51210156331ed9531f7a6f64ac89d76f391d41291364f81", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "yolov3_bf16_b2_r64": {"sha256": "bc01c0e9fbb1fc3c19962700259370a516326ba2a83efa234ce41d28160939bb", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "yolov3_fp32_b2": {"sha256": "4feae4b8a3613b80287c38d710d31ec5a67b03f841f154daf3b248943ba746fc", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "yolov3_fp32_b2_r64": {"sha256": "691dd606bf0f9583a367bfaf1ad624b554f743138fb3e4aed201efcc6c9cc669", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "yolov3_fp64_b2": {"sha256": "4feae4b8a3613b80287c38d710d31ec5a67b03f841f154daf3b248943ba746fc", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "yolov3_fp64_b2_r64": {"sha256": "691dd606bf0f9583a367bfaf1ad624b554f743138fb3e4aed201efcc6c9cc669", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "yolov3_fp64_b2_r96": {"sha256": "fb6c0bc0c63f66a2c535dbb69e49ebb869a4cfdaf18b0285cc9b95b6b757b801", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "876389adfb12"},
}
