"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "fcos_resnet50_fpn_bf16_b2": {"sha256": "5c6730ed8792c8010ed39aea8dec65497ad4225e0c36aeeffa75e538ad81b4d2", "size": 6936, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "fcos_resnet50_fpn_detections_fp32_b2": {"sha256": "5c50ff2931c0ca0d0e5bad0e00ecd3d3ed1c18f7ab0f93ae332113bba60e562d", "size": 10160, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "fcos_resnet50_fpn_fp32_b2": {"sha256": "c8f5a6d2f213bfc4c75c6c7d3324ed52df2a4c5576b19f34e3a3ed0369f30e73", "size": 13080, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "fcos_resnet50_fpn_fp64_b2": {"sha256": "c8f5a6d2f213bfc4c75c6c7d3324ed52df2a4c5576b19f34e3a3ed0369f30e73", "size": 13080, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "fcos_tiny_bf16_b2_r64": {"sha256": "67f0c630f395d0e6aa6ecc6be5793de92d2ac7d80cf244ce7608c472b6763500", "size": 5552, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "fcos_tiny_detections_fp32_b2_r64": {"sha256": "379a156bc769d0fd59f528a3c056f608530a17bd95ffd442fa4fd3c5e8465cb1", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "fcos_tiny_detections_fp64_b2_r64": {"sha256": "379a156bc769d0fd59f528a3c056f608530a17bd95ffd442fa4fd3c5e8465cb1", "size": 2472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "fcos_tiny_fp32_b2_r64": {"sha256": "83dc06d0050de32bebdf80c30e6e7d7af00b4ddd2753375e64a9870d9b04662b", "size": 10336, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "fcos_tiny_fp64_b2_r128_train": {"sha256": "6a663334bda97fd9af62c2afafcce098f1ae8f9d99f663ca78d2d592ee09ce98", "size": 11736, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "1bff34e5affc"},
    "fcos_tiny_fp64_b2_r64": {"sha256": "83dc06d0050de32bebdf80c30e6e7d7af00b4ddd2753375e64a9870d9b04662b", "size": 10336, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
}
