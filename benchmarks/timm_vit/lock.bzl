"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "deit_base_distilled_patch16_224_bf16_b2": {"sha256": "ce6ad70e3cf8bbbad9490e7b1b51c825e55cd44652976367761eba2336343cd6", "size": 16528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "deit_base_distilled_patch16_224_fp16_b2": {"sha256": "057619777b1191c4fef70a4dd64edf4b1db75f53c9c67ddd13b73b4c45d1473f", "size": 16528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "deit_base_distilled_patch16_224_fp32_b2": {"sha256": "fa81b01d644a378ca799cc3c18cf25f795b01b968640c3cd50515f343e1aadbf", "size": 16528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "deit_base_distilled_patch16_224_fp32_b8_train": {"sha256": "f3bfa26c89ca51022852a31664bd00407e63499949cb1032c27cf3aeab934b3e", "size": 48864, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "2756c8521f91"},
    "deit_base_distilled_patch16_224_fp64_b2": {"sha256": "fa81b01d644a378ca799cc3c18cf25f795b01b968640c3cd50515f343e1aadbf", "size": 16528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "deit_tiny_patch16_224_bf16_b2": {"sha256": "a498ae3da6f8fca9380e0b8c56d33f6becbf6a3ecc602ae8cd9b748a8920d874", "size": 16520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "deit_tiny_patch16_224_fp16_b2": {"sha256": "198983b83c8a25c081011adcf1b190838de6615df799a33c9157222ea459fc3e", "size": 16520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "deit_tiny_patch16_224_fp32_b2": {"sha256": "b380e2a0e77d7a21ff9dcd67972350426883f503b0a77a0a2fa98e68b1e42a7a", "size": 16520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "deit_tiny_patch16_224_fp32_b8_train": {"sha256": "bd67ce3168817672aa7b7f1a03aa01d578ba603a2952dc926e90bde789a65a55", "size": 48616, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "deit_tiny_patch16_224_fp64_b2": {"sha256": "b380e2a0e77d7a21ff9dcd67972350426883f503b0a77a0a2fa98e68b1e42a7a", "size": 16520, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "deit_tiny_patch16_224_fp64_b8_train": {"sha256": "bd67ce3168817672aa7b7f1a03aa01d578ba603a2952dc926e90bde789a65a55", "size": 48616, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "vit_base_patch14_dinov2_bf16_b2": {"sha256": "bba242e97e8d2561ce6c4fbce11d17b992dece5a2be77e3910f7de894cf3ff73", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "vit_base_patch14_dinov2_fp16_b2": {"sha256": "61ddee72f7ab32515a7c458d38ffa24fa5cceecf5141bff4b414254358e9b96b", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vit_base_patch14_dinov2_fp32_b2": {"sha256": "7d578aea147d2dc146d5089529a807dc936881a53c8deb666205376989acc2b4", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "vit_base_patch14_dinov2_fp64_b2": {"sha256": "7d578aea147d2dc146d5089529a807dc936881a53c8deb666205376989acc2b4", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "52ae0447b1c4"},
    "vit_base_patch16_siglip_256_bf16_b2": {"sha256": "ece828574719b9246bf6616e7da326063fbd8f2db39b76a55f2676b9b1c4d36e", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "vit_base_patch16_siglip_256_fp16_b2": {"sha256": "37407bbb2f9bd5540fc83cc0e3b38b7650c73fc1c4f076cc6f4d6139329b652c", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vit_base_patch16_siglip_256_fp32_b2": {"sha256": "dab6ff0f6c8efef1d28fd006c382fb4d03ff562a85224b41f95bcb04beff0a7c", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "vit_base_patch16_siglip_256_fp32_b8_train": {"sha256": "df10e95e125edca0ca4c55e21a2b2b07212f341e7ca473093d172b3ccc739673", "size": 49416, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "368cd58ec9ec"},
    "vit_base_patch16_siglip_256_fp64_b2": {"sha256": "dab6ff0f6c8efef1d28fd006c382fb4d03ff562a85224b41f95bcb04beff0a7c", "size": 12800, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
}
