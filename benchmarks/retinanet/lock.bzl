"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "retinanet_resnet50_fpn_bf16_b2": {"sha256": "9ec5d8d6df6f87be113122453804b59fa2d6ad352266902e35f7403ed99caf3a", "size": 4784, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_detections_fp32_b1": {"sha256": "ac03256a1563fc40b2bcdbf000ecc9d156d36ee59a4fc98fc3591b0811234c60", "size": 14968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_detections_fp32_b2_d100_r256": {"sha256": "686f33130f89bba1f6b264bbf134361d6e8bc6d19d3b4b48564b2a47ce806315", "size": 10168, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "a8281235a95e"},
    "retinanet_resnet50_fpn_detections_fp64_b1": {"sha256": "ac03256a1563fc40b2bcdbf000ecc9d156d36ee59a4fc98fc3591b0811234c60", "size": 14968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_fp16_b2": {"sha256": "16f838ed678600bd5529c0fd70d155a2a6d628dbca865ee40097b4f7230c44c2", "size": 4784, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_fp32_b2": {"sha256": "9c4ca2ee47f22595ab76a85c71e76a0a6f028bf32daa9a590aedf2a51504bd6c", "size": 8880, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_fp64_b2": {"sha256": "9c4ca2ee47f22595ab76a85c71e76a0a6f028bf32daa9a590aedf2a51504bd6c", "size": 8880, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_tiny_bf16_b2_r128": {"sha256": "9b6c499bf51fb068c3d3ac191e4c80b9bba1f43e0f31fd07b50c91d591e8db83", "size": 4768, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0; replaced: another backbone", "commit": "a8281235a95e"},
    "retinanet_tiny_detections_fp32_b2_r128": {"sha256": "baf343aa9300bd385ffdf22fc06297c1d20be2041bf5ce9ae468f3c548cab1b4", "size": 4400, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0; replaced: another backbone", "commit": "a8281235a95e"},
    "retinanet_tiny_detections_fp64_b2_r128": {"sha256": "baf343aa9300bd385ffdf22fc06297c1d20be2041bf5ce9ae468f3c548cab1b4", "size": 4400, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0; replaced: another backbone", "commit": "a8281235a95e"},
    "retinanet_tiny_fp16_b2_r128": {"sha256": "17843bfabb147a613777245500eb841d9a02cde935c2595a3415ad811730628b", "size": 4768, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0; replaced: another backbone", "commit": "a8281235a95e"},
    "retinanet_tiny_fp32_b2_r128": {"sha256": "57982e37ca5e095c85973ea34a342a0a716e6c6212102dacc56440e45cae6192", "size": 8864, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0; replaced: another backbone", "commit": "a8281235a95e"},
    "retinanet_tiny_fp64_b2_r128": {"sha256": "57982e37ca5e095c85973ea34a342a0a716e6c6212102dacc56440e45cae6192", "size": 8864, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0; replaced: another backbone", "commit": "a8281235a95e"},
    "retinanet_tiny_fp64_b4_r64_train": {"sha256": "cc63434ed33a490aaa09a02f73c6401275c1ec507bb33e7c073ac82544f70417", "size": 10672, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "ad81baeea23e"},
}
