"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "googlenet_bf16_b2": {"sha256": "b449c464833943cf6ead4fa8f8c6f9a077669d83867b398f79cc8f019693d802", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "googlenet_fp16_b2": {"sha256": "c30b8d020ad4589e4f54fcf1e9cdc3e35f62ccf38fd61e362e4ca73a0d841689", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d3ffbc985116"},
    "googlenet_fp32_b2": {"sha256": "34bc3e3e643af4effa5111b46ce0eb49f8ac7b19076d99d4ca221bf882b7f186", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "googlenet_fp32_b8_train": {"sha256": "7930586698866720303f367b4a092ef400cd439c75ca898d957a52eaa7da4021", "size": 60664, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps", "commit": "5c8721f6eaf4"},
    "googlenet_fp64_b2": {"sha256": "34bc3e3e643af4effa5111b46ce0eb49f8ac7b19076d99d4ca221bf882b7f186", "size": 16416, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "googlenet_fp64_b8_r32_train": {"sha256": "aac706d8efcfedf6e2afd26125683427902f2a450dd31caf901a384cab01f837", "size": 26296, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "bc6769d87918"},
    "googlenet_fp64_b8_train": {"sha256": "7930586698866720303f367b4a092ef400cd439c75ca898d957a52eaa7da4021", "size": 60664, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps", "commit": "5c8721f6eaf4"},
}
