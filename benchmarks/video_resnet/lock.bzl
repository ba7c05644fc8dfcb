"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mc3_18_bf16_b2_f16_r112": {"sha256": "8452e298cb46be7eb625fc240414dcd8898f67014c15944cf30c1699ee4971af", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "mc3_18_bf16_b2_f4_r32": {"sha256": "0c4a2b3290eaf7231f13f454f9de05dacb6213b130c7b19f9a816399582235d0", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "mc3_18_fp16_b2_f16_r112": {"sha256": "e80ffbf1bea2aef71b05efbc23803cc09a7becf9c70e09d65e6c2221b19a28f2", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "mc3_18_fp16_b2_f4_r32": {"sha256": "f6e0fa2f12374b1d2f44ccdbb066a6600cf2f8c265faf1c02d0f632853a3c049", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "mc3_18_fp32_b2_f16_r112": {"sha256": "2d20ea8328ce29d15b3f145e613bbd06450dee7175b54f4232d3e7ed3257d8c0", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "mc3_18_fp32_b2_f4_r32": {"sha256": "92af2a2bbaf2fe7213198454cbd2fc876b839c2086bc0939093210a8924f3368", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "mc3_18_fp64_b2_f4_r32": {"sha256": "92af2a2bbaf2fe7213198454cbd2fc876b839c2086bc0939093210a8924f3368", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "mc3_18_fp64_b4_f2_r16_train": {"sha256": "61e896f652fed6ef396694d70092c8298d13b426ee7133d2ee11f9be325c6b40", "size": 8248, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "57751b1d85ed"},
    "r2plus1d_18_bf16_b2_f4_r32": {"sha256": "8106b564d7addcf63734e48d651ab7f59f559e18fb2797b354cc60cbf2857097", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r2plus1d_18_fp16_b2_f4_r32": {"sha256": "f76bdb7c2cafd9b8612d079feda6d89df196c194e71b2f6a37d7ec4804005945", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r2plus1d_18_fp32_b2_f4_r32": {"sha256": "6fbe50bc157d345c8ba056841beb2c4423e2fa04884e3e9bb91992f3f9cb1850", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r2plus1d_18_fp64_b2_f4_r32": {"sha256": "6fbe50bc157d345c8ba056841beb2c4423e2fa04884e3e9bb91992f3f9cb1850", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r3d_18_bf16_b2_f16_r112": {"sha256": "7fa87192ba0b71d4021313426525dc658f993df9dac722573586d84a92e8730b", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r3d_18_bf16_b2_f4_r32": {"sha256": "9f86643901e5959ec02191fa86dce94fbe8cc0f5389086f36f77da16d2a25217", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r3d_18_fp16_b2_f16_r112": {"sha256": "a6dab9d8f348fe5ff51e78fa805f6c788160297415fc9be1b9530bafa36dc057", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r3d_18_fp16_b2_f4_r32": {"sha256": "92577043a9dbe1dbe5f9902c887c1bc52901dd0c6c3bdba57b0c837726fecc69", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r3d_18_fp32_b2_f16_r112": {"sha256": "f8be070a0761c5335f52ed101da594958a236efc674d52636926780a464c601f", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r3d_18_fp32_b2_f4_r32": {"sha256": "3942f0006f7298e69ac43c950f075a3dc01bb0caa5aada85c5e0798adf3fd3d8", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "r3d_18_fp32_b2_f4_r32_train": {"sha256": "e6ad09fad42fc2c2b09637c7f28d0e84994c1b3d796aa863a66953f58cfef926", "size": 18720, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "faebfab82a3f"},
    "r3d_18_fp64_b2_f4_r32": {"sha256": "3942f0006f7298e69ac43c950f075a3dc01bb0caa5aada85c5e0798adf3fd3d8", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
}
