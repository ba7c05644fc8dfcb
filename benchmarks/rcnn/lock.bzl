"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "fasterrcnn_resnet101_c4_fp32_b2_k8_d4_r256": {"sha256": "5f10333978e5d956e9b8e52c2110e96d2e285ca0a029f6857e6c83412b28c074", "size": 17360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet101_dc5_fp32_b2_k8_d4_r256": {"sha256": "151f7d83af0ed531ca13ddbe865e3be23ab8d5b0db3ce270cd5da8c9b9d36c95", "size": 17360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet101_fpn_detections_fp32_b1": {"sha256": "f9cb9ab827ea9fc20a81c741b93bed73f8b2eb8f3bda233bd57d648fe148795b", "size": 5440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet101_fpn_fp32_b2_k8_d4_r256": {"sha256": "f2f5ab273e8b2a6372e5aaf7514f13f98ef12f94200af12a8a90ec677877be8b", "size": 17360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet50_c4_fp32_b2_k8_d4_r256": {"sha256": "bd46e9289e0eca3b609ad7d32922fbdd0d20f366ea42ec630496e7eccd71d832", "size": 17360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet50_dc5_fp32_b2_k8_d4_r256": {"sha256": "af7500d0f4afb4e54111457ecd566b7c86fa92c8886dbe0b4616e13de2b31355", "size": 17360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet50_fpn_bf16_b2": {"sha256": "f4e2e550a3fc164f71d5054673d2fc1c932784c0bb09b1c2421ef149ee448b54", "size": 9176, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet50_fpn_detections_fp32_b1": {"sha256": "625a797ca665d2d6a0ddcb5651d3e58c4b629f7919e6065ca2733a713203f943", "size": 5440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet50_fpn_fp32_b2": {"sha256": "19b43a3c1afdd876fbb20439b64ad5514f31993f11dfa030e54aa49b4eff3b42", "size": 17376, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_resnet50_fpn_fp32_b2_k8_d4_r256": {"sha256": "fd058438b7d46196a25ef93cc3900e915b2794c7465c41f2553ef6d9f18a6b31", "size": 17360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_tiny_c4_bf16_b2_r64": {"sha256": "2a23f79ac6ebc01b289fbd9f18cc9e00484a526ca94631395bfd2bc2e8cc4cf4", "size": 7152, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_tiny_c4_detections_fp32_b1_r64": {"sha256": "aa2431e030001966575d9567e0fc3415384f572dc81fe963916fc6ab41df142d", "size": 904, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_tiny_c4_detections_fp64_b2_r64": {"sha256": "dd60a91d55aa7601b1850d53ff91b518c2e4ac42d431e94271b657de2ad3e806", "size": 1192, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_tiny_c4_fp32_b2_r64": {"sha256": "0cac79ef1b818f1a1fdc747a6676cadca32339aef65635252beb24c80b7bdfe3", "size": 13360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "fasterrcnn_tiny_c4_fp64_b2_r64": {"sha256": "0cac79ef1b818f1a1fdc747a6676cadca32339aef65635252beb24c80b7bdfe3", "size": 13360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_resnet101_c4_fp32_b2_k8_d4_r256": {"sha256": "30777ebe1e80e504064fc670c1485cd455729fe5f842b305700daf647360770f", "size": 21576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_resnet101_fpn_fp32_b2_k8_d4_r256": {"sha256": "12c19c97e5a0c4de371e2fbc451113e45f0624fc48ffb34520aa5f10624fa838", "size": 21576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_resnet50_c4_fp32_b2_k8_d4_r256": {"sha256": "d16fa60fb16232acb525fb674016b7b997ae986100ebc4eeec2267655a41545e", "size": 21576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_resnet50_fpn_fp32_b2_k8_d4_r256": {"sha256": "4c8bf8872622f05cdeba7d581a0f6240b7e0a35142c3169e2a6c5ff3e108c1cc", "size": 21576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_tiny_fpn_bf16_b2_r64": {"sha256": "b69d4cd19c634808e58a535b26a8df1e32282eb5999c46c352876f6545c08e95", "size": 9456, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_tiny_fpn_detections_fp32_b1_r64": {"sha256": "507a30e3b0dd74421348cb3bce49397027ca85022b905c1b34f5e08dd2c6fb8b", "size": 5112, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_tiny_fpn_detections_fp64_b2_r64": {"sha256": "d32ce7601944a0979d0020331290124a141a7511cd4cb7a992dcee882d7e6677", "size": 5400, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_tiny_fpn_fp32_b2_r64": {"sha256": "e474b137e2b0987d601443a6726c9c6f2655b7ced7aff5a99e4025e3e6ec6959", "size": 17840, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
    "maskrcnn_tiny_fpn_fp64_b2_r64": {"sha256": "e474b137e2b0987d601443a6726c9c6f2655b7ced7aff5a99e4025e3e6ec6959", "size": 17840, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "079c1b3bc8c3"},
}
