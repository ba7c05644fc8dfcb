"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "retinanet_resnet50_fpn_bf16_b2": {"sha256": "9ec5d8d6df6f87be113122453804b59fa2d6ad352266902e35f7403ed99caf3a", "size": 4784, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_detections_fp32_b1": {"sha256": "ac03256a1563fc40b2bcdbf000ecc9d156d36ee59a4fc98fc3591b0811234c60", "size": 14968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_detections_fp64_b1": {"sha256": "ac03256a1563fc40b2bcdbf000ecc9d156d36ee59a4fc98fc3591b0811234c60", "size": 14968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_fp16_b2": {"sha256": "16f838ed678600bd5529c0fd70d155a2a6d628dbca865ee40097b4f7230c44c2", "size": 4784, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_fp32_b2": {"sha256": "9c4ca2ee47f22595ab76a85c71e76a0a6f028bf32daa9a590aedf2a51504bd6c", "size": 8880, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_resnet50_fpn_fp64_b2": {"sha256": "9c4ca2ee47f22595ab76a85c71e76a0a6f028bf32daa9a590aedf2a51504bd6c", "size": 8880, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_tiny_bf16_b2_r128": {"sha256": "2e249f722875e8c6a05b73aa855473257cddc0d4ccebbca9608b895f3f6842f9", "size": 4768, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_tiny_detections_fp32_b2_r128": {"sha256": "f056f0f0a8e4718667b78107256443aa85c90e284044ff0a0a0a60a65204edc9", "size": 4400, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_tiny_detections_fp64_b2_r128": {"sha256": "f056f0f0a8e4718667b78107256443aa85c90e284044ff0a0a0a60a65204edc9", "size": 4400, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_tiny_fp16_b2_r128": {"sha256": "4daf3e00cc00e68faaa9174d7e32707dd787e8bb8ba537e49b219b4c24c5e3cd", "size": 4768, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_tiny_fp32_b2_r128": {"sha256": "4c4b37af192372f15895bd22723bf10a4ff41df4157a00a95d2f6101c3e94b88", "size": 8864, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_tiny_fp64_b2_r128": {"sha256": "4c4b37af192372f15895bd22723bf10a4ff41df4157a00a95d2f6101c3e94b88", "size": 8864, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "cc6e8cbe4542"},
    "retinanet_tiny_fp64_b8_r128_train": {"sha256": "ce4dfb7599df15defbcda17496acebd1c803df5b6af557f36b23e6c34fd00996", "size": 9912, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "cc6e8cbe4542"},
}
