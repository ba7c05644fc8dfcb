"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mvit_v1_b_fp32_b2_f16_r224": {"sha256": "72c6d15d55c3e6c6024a06efc48025779992244c0962f870ce2ab963fac3625b", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "4441042916f3"},
    "mvit_v1_b_fp32_b2_f4_r32": {"sha256": "3d4eb0eef57ec5c196b16c84107e060354e2d3ec5f980df3d9528860e813fce2", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "0d24f1248e32"},
    "mvit_v1_tiny_bf16_b2_f4_r40": {"sha256": "d7266fcc6374eca4912c31f66a70cc3e7079e781db52aebafdc1bdb57cf9c15e", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "b0cd59193996"},
    "mvit_v1_tiny_fp16_b2_f4_r40": {"sha256": "eb656d17854ee00325ea07f09e554c0031c8a0a6ba96cedf6fef1bebb0bdbb3c", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "b0cd59193996"},
    "mvit_v1_tiny_fp32_b2_f4_r40": {"sha256": "2995c932301141f2d27d814f787d6dfea5cb3b5871972a4bf4e29ee1f808317a", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "b0cd59193996"},
    "mvit_v1_tiny_fp64_b2_f4_r40": {"sha256": "2995c932301141f2d27d814f787d6dfea5cb3b5871972a4bf4e29ee1f808317a", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "b0cd59193996"},
    "mvit_v1_tiny_fp64_b8_f2_r16_train": {"sha256": "dfe120ac17c59f38ca9edbf98bbd408e1eea6158dbe16b33d881e89f1866f7f1", "size": 9280, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "b0cd59193996"},
}
