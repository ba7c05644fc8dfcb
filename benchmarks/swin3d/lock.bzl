"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "swin3d_t_bf16_b2_f16_r224": {"sha256": "a0eb7817fe9ca6674a8664842cf15c24060aaf165cde17cc1883cd6e7d422d34", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d5b7bef48906"},
    "swin3d_t_fp32_b2_f16_r224": {"sha256": "4294b19d04d4319d7c9f4cca2e68b030be0c7358058b8ad27b8138ea986392c7", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d5b7bef48906"},
    "swin3d_t_fp32_b2_f4_r32": {"sha256": "0f6f4bc43fb3075fe9abaee5b124a04d5afb1aa7297ff332757ba94b3f3116c8", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "0d24f1248e32"},
    "swin3d_tiny_bf16_b2_f4_r40": {"sha256": "0e4f16a99c4689c658e60c4d577dca59465240274f1cad5f7aaed250f4e15275", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6f1454928b01"},
    "swin3d_tiny_fp16_b2_f4_r40": {"sha256": "2fe1339f4bf7151b8e47b8995810dffcdeb0dc3566591917070effddd588dd55", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6f1454928b01"},
    "swin3d_tiny_fp32_b2_f4_r40": {"sha256": "26f4a9029fbf06011520bd6a83ff438762e0ff25f52a5f6b40ecdca9efae384f", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6f1454928b01"},
    "swin3d_tiny_fp64_b2_f17_r9": {"sha256": "5b98f8d82f61468cf714e34aa3c542bedee9d64aab3d90d0933e1b1126e30d15", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6f1454928b01"},
    "swin3d_tiny_fp64_b2_f4_r40": {"sha256": "26f4a9029fbf06011520bd6a83ff438762e0ff25f52a5f6b40ecdca9efae384f", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6f1454928b01"},
    "swin3d_tiny_fp64_b8_f2_r16_train": {"sha256": "62b35ba38d6154b9a309f7fef3c7f563c5a8cf125bbca7c88ed53be4b83a8a4b", "size": 7648, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "6f1454928b01"},
}
