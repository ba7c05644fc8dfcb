"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "fcn_resnet50_bf16_b2_r64": {"sha256": "ad418c6982259afffa766cf0ad040275c852e236116078e34a0a42c935eef591", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "fcn_resnet50_fp32_b2_r64": {"sha256": "2cb37686da922ffedc605568d1bb9a7886b574dc3b720fe5662893dd090e60a7", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "fcn_resnet50_fp64_b2_r64": {"sha256": "2cb37686da922ffedc605568d1bb9a7886b574dc3b720fe5662893dd090e60a7", "size": 16960, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "lraspp_mobilenet_v3_large_bf16_b2_r64": {"sha256": "03154492163380a17f4c80ab6152f2d1d2ed4e74931724604eb31572a78d7ee4", "size": 16968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "lraspp_mobilenet_v3_large_fp32_b2_r64": {"sha256": "49cee0c9ed57db086849ac7e85bef1980900bf7c255e59d252c31d488d32162a", "size": 16968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
    "lraspp_mobilenet_v3_large_fp64_b2_r64": {"sha256": "49cee0c9ed57db086849ac7e85bef1980900bf7c255e59d252c31d488d32162a", "size": 16968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "939f7e35d295"},
}
