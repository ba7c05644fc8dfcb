"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "fasterrcnn_tiny_c4_bf16_b2_r64": {"sha256": "2a23f79ac6ebc01b289fbd9f18cc9e00484a526ca94631395bfd2bc2e8cc4cf4", "size": 7152, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "fasterrcnn_tiny_c4_detections_fp32_b1_r64": {"sha256": "aa2431e030001966575d9567e0fc3415384f572dc81fe963916fc6ab41df142d", "size": 904, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "fasterrcnn_tiny_c4_detections_fp64_b2_r64": {"sha256": "dd60a91d55aa7601b1850d53ff91b518c2e4ac42d431e94271b657de2ad3e806", "size": 1192, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "fasterrcnn_tiny_c4_fp32_b2_r64": {"sha256": "0cac79ef1b818f1a1fdc747a6676cadca32339aef65635252beb24c80b7bdfe3", "size": 13360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "fasterrcnn_tiny_c4_fp64_b2_r64": {"sha256": "0cac79ef1b818f1a1fdc747a6676cadca32339aef65635252beb24c80b7bdfe3", "size": 13360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "maskrcnn_tiny_fpn_bf16_b2_r64": {"sha256": "b69d4cd19c634808e58a535b26a8df1e32282eb5999c46c352876f6545c08e95", "size": 9456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "maskrcnn_tiny_fpn_detections_fp32_b1_r64": {"sha256": "507a30e3b0dd74421348cb3bce49397027ca85022b905c1b34f5e08dd2c6fb8b", "size": 5112, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "maskrcnn_tiny_fpn_detections_fp64_b2_r64": {"sha256": "d32ce7601944a0979d0020331290124a141a7511cd4cb7a992dcee882d7e6677", "size": 5400, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "maskrcnn_tiny_fpn_fp32_b2_r64": {"sha256": "e474b137e2b0987d601443a6726c9c6f2655b7ced7aff5a99e4025e3e6ec6959", "size": 17840, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
    "maskrcnn_tiny_fpn_fp64_b2_r64": {"sha256": "e474b137e2b0987d601443a6726c9c6f2655b7ced7aff5a99e4025e3e6ec6959", "size": 17840, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8fc8d025b998+dirty"},
}
