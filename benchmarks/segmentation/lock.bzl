"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "deeplabv3_mobilenet_v3_large_bf16_b2_r320": {"sha256": "dd02468a94a5511769a68f304029b9a4ff048f282972cbe4139f14aba042609a", "size": 16976, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "deeplabv3_mobilenet_v3_large_fp32_b2_r320": {"sha256": "40f21cc2d3e2f359a795f41748bc3e3b617f97c8f2d7e775ba260230764adb04", "size": 16976, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "deeplabv3_mobilenet_v3_large_fp64_b2_r320": {"sha256": "40f21cc2d3e2f359a795f41748bc3e3b617f97c8f2d7e775ba260230764adb04", "size": 16976, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "deeplabv3_resnet50_bf16_b2_r320": {"sha256": "9f4595481736415f1f1dd924aa17d0fb5f4a21b8b4ff38f8b600291afc882ffa", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "deeplabv3_resnet50_fp32_b2_r320": {"sha256": "a1cc28d3d2830560b1d89d83692f21ef35ae81fb7ab270220c7a4ffc90615627", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "deeplabv3_resnet50_fp64_b2_r320": {"sha256": "a1cc28d3d2830560b1d89d83692f21ef35ae81fb7ab270220c7a4ffc90615627", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "fcn_resnet50_bf16_b2_r64": {"sha256": "ad418c6982259afffa766cf0ad040275c852e236116078e34a0a42c935eef591", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "fcn_resnet50_fp32_b2": {"sha256": "18979417ebdc1b25ce584ccd8ff10f87c120c70a03246e840d5c52062120e2b9", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1a3a64364c18"},
    "fcn_resnet50_fp32_b2_r64": {"sha256": "2cb37686da922ffedc605568d1bb9a7886b574dc3b720fe5662893dd090e60a7", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "fcn_resnet50_fp64_b2_r64": {"sha256": "2cb37686da922ffedc605568d1bb9a7886b574dc3b720fe5662893dd090e60a7", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "lraspp_mobilenet_v3_large_bf16_b2_r64": {"sha256": "03154492163380a17f4c80ab6152f2d1d2ed4e74931724604eb31572a78d7ee4", "size": 16968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "lraspp_mobilenet_v3_large_fp32_b2": {"sha256": "139f2ed7bb3631412e2a515420d65362d8c111d3c1be3fcd2545387d4847ceaf", "size": 16968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "lraspp_mobilenet_v3_large_fp32_b2_r64": {"sha256": "49cee0c9ed57db086849ac7e85bef1980900bf7c255e59d252c31d488d32162a", "size": 16968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "lraspp_mobilenet_v3_large_fp64_b2_r64": {"sha256": "49cee0c9ed57db086849ac7e85bef1980900bf7c255e59d252c31d488d32162a", "size": 16968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
}
