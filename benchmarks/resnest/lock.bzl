"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "resnest101e_bf16_b2": {"sha256": "7d28307063e768bedf44fc98696f5d02ad2a92060726d4347d992b6c116d1f69", "size": 2496, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest101e_fp16_b2": {"sha256": "927862f882e0717a2f7c27a415f5f5c7861c635cb0852f96fb3af5672c89bc2d", "size": 2496, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest101e_fp32_b2": {"sha256": "3452d69f909c2fc3ccdbba585ed17a47d71b48af1d8066eb052b65d33da289ee", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest101e_fp64_b2": {"sha256": "3452d69f909c2fc3ccdbba585ed17a47d71b48af1d8066eb052b65d33da289ee", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest14d_bf16_b2": {"sha256": "55fa6be667e4e6cb9c7439743ce2abaae7683177ac47a66c94bc92ab2ce74943", "size": 2496, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest14d_fp16_b2": {"sha256": "4547800ccafbb45bff0b976d01428ac0cdeb991e8cb0b0b7e5c08dbdb8853c6a", "size": 2496, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest14d_fp32_b2": {"sha256": "973a3a557d0aeedcf424cc91ec54b77b2653d1cf4860db419378bb7d523bab4e", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest14d_fp32_b8_r64_train": {"sha256": "4bf23e2baeb6817e98f1c441d6c80c82f201226751d69154de7158336abb5760", "size": 20384, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "cda875c34f87"},
    "resnest14d_fp64_b2": {"sha256": "973a3a557d0aeedcf424cc91ec54b77b2653d1cf4860db419378bb7d523bab4e", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest14d_fp64_b2_r50": {"sha256": "202b9d354a1c410f3e6af3b289ce5dd0b091da4f515279afe5ab09ec0e2a967c", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "d5b7bef48906"},
    "resnest14d_fp64_b8_r32_train": {"sha256": "fc695709805dc1c25e76b76d5dfd3c23b340a9368246bc7ee308d73338488295", "size": 8888, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd", "commit": "cda875c34f87"},
    "resnest14d_fp64_b8_r64_train": {"sha256": "4bf23e2baeb6817e98f1c441d6c80c82f201226751d69154de7158336abb5760", "size": 20384, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "cda875c34f87"},
    "resnest26d_bf16_b2": {"sha256": "d0f51fb3c065af8166122aee7fbc5682c7056a891a06c50a4a5fbe0f842b3722", "size": 2496, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest26d_fp16_b2": {"sha256": "062f0759bdf1268730f34471ce8bb74e417f56727e51352b80251edf0a6bce35", "size": 2496, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest26d_fp32_b2": {"sha256": "cf699948fdb025bbc9786eadd39ee8bcb7f8d989c281babd27a6323c7c082980", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest26d_fp64_b2": {"sha256": "cf699948fdb025bbc9786eadd39ee8bcb7f8d989c281babd27a6323c7c082980", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest50d_bf16_b2": {"sha256": "591eb2655ed0662a4c66a268c1c70d1f34fd5d774a607cbb6e0854ee5e23cd8e", "size": 2496, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest50d_fp16_b2": {"sha256": "317ffae4a4916ca5328f2a0c28511a488c6e3f066802ffafb645965a19034951", "size": 2496, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest50d_fp32_b2": {"sha256": "83b75e612c2b12e9607bfae99cdad758a5a83bccbef060798d0abf8a08182357", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "resnest50d_fp64_b2": {"sha256": "83b75e612c2b12e9607bfae99cdad758a5a83bccbef060798d0abf8a08182357", "size": 4544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "cda875c34f87"},
}
