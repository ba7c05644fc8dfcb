"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "deit_base_distilled_patch16_224_bf16_b2": {"sha256": "dca5272ed90f4c259114e9bf3df345d9b9dbf3d82518be7c330ef1ba662790bc", "size": 2568, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "deit_base_distilled_patch16_224_fp16_b2": {"sha256": "2b813778cac5e85ec9e67cdc77128558fb127d0b1b60544f0db522d0d64464e0", "size": 2568, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "deit_base_distilled_patch16_224_fp32_b2": {"sha256": "a51e5540552dd8d058a4663e59a7f0efb4ed1a6edde4b108fddd796841ba6945", "size": 4616, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "deit_base_distilled_patch16_224_fp32_b8_train": {"sha256": "ea60f1b4fbb1315ea577eb87c75c9e920f832713ca1c4045ab9eeed624409523", "size": 23720, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "2756c8521f91"},
    "deit_base_distilled_patch16_224_fp64_b2": {"sha256": "a51e5540552dd8d058a4663e59a7f0efb4ed1a6edde4b108fddd796841ba6945", "size": 4616, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "deit_tiny_patch16_224_bf16_b2": {"sha256": "a04c8aa68a6d7e2dc568f22558858c286bd2979eace2bd0c950683aa74a2b9a1", "size": 2560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "deit_tiny_patch16_224_fp16_b2": {"sha256": "95985251221b23b43b195d1225bc6141aa3f9b6516c8ca771aaa51d795f7832b", "size": 2560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "deit_tiny_patch16_224_fp32_b2": {"sha256": "b948a9a76483e6ee1c97a13fba32e2fb765668e8fc58750ca90d415a4f4d4c2d", "size": 4608, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "deit_tiny_patch16_224_fp32_b8_train": {"sha256": "a90d5dcd1ca84376b4e8230006de55a369fce8773f631bbca52ef23b9ff3d5f1", "size": 23464, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "deit_tiny_patch16_224_fp64_b2": {"sha256": "b948a9a76483e6ee1c97a13fba32e2fb765668e8fc58750ca90d415a4f4d4c2d", "size": 4608, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "deit_tiny_patch16_224_fp64_b8_train": {"sha256": "a90d5dcd1ca84376b4e8230006de55a369fce8773f631bbca52ef23b9ff3d5f1", "size": 23464, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "vit_base_patch14_dinov2_bf16_b2": {"sha256": "b784df0695c0771e9a014154608849d99fb1c965be657a66b4cbbd62cf4c6760", "size": 2552, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "vit_base_patch14_dinov2_fp16_b2": {"sha256": "2ec545ad189346dca33a979c96162b5ab843cfe656bac5d3a1aaa88694105732", "size": 2552, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vit_base_patch14_dinov2_fp32_b2": {"sha256": "4944abd1c30497a18ff73f788461fb2f1544c6c0a2a78bae688795667665ad40", "size": 4600, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "vit_base_patch14_dinov2_fp64_b2": {"sha256": "4944abd1c30497a18ff73f788461fb2f1544c6c0a2a78bae688795667665ad40", "size": 4600, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "vit_base_patch16_siglip_256_bf16_b2": {"sha256": "c43fe08e8d89cb2fda4d2ebc2acbd3d28593d190d0e6b5bd39c87f66ad47cdeb", "size": 2544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "vit_base_patch16_siglip_256_fp16_b2": {"sha256": "0a0258925e59c2cee5d7eafba7d6af3ae8f76ba10d7e610a4e82dd6edb5fcaf7", "size": 2544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vit_base_patch16_siglip_256_fp32_b2": {"sha256": "0f3dd5e84aadc5f34137951658ed049b074fea84299c62b80ee49125ab7c7b63", "size": 4592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "vit_base_patch16_siglip_256_fp32_b8_train": {"sha256": "29e6dac9eee4910749c015a866c2bb72f3ff5f408749ee88b0a326e77a4c3370", "size": 24256, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "368cd58ec9ec"},
    "vit_base_patch16_siglip_256_fp64_b2": {"sha256": "0f3dd5e84aadc5f34137951658ed049b074fea84299c62b80ee49125ab7c7b63", "size": 4592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "vit_small_patch16_224_bf16_b2": {"sha256": "3b799080fff004b121b0e9349387cf96d166d878776d30a95d1d50237b790475", "size": 2560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "c3ef0a802d22"},
    "vit_small_patch16_224_fp16_b2": {"sha256": "328b287bbee65bd033b9f840caefe52aefd64b081160cd3cea13504508744a35", "size": 2560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "c3ef0a802d22"},
    "vit_small_patch16_224_fp32_b2": {"sha256": "33575c22fd6fa2576257b10c4c63ec246b877dc1807b844c68dda4f41155569c", "size": 4608, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "c3ef0a802d22"},
    "vit_small_patch16_224_fp64_b2": {"sha256": "33575c22fd6fa2576257b10c4c63ec246b877dc1807b844c68dda4f41155569c", "size": 4608, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "c3ef0a802d22"},
}
