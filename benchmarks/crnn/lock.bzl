"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "crnn_tiny_bf16_b2": {"sha256": "098372a7a8c4168952517fe6556c191e30e83ee9be067e4b40cf630db9d1016c", "size": 1016, "store": "embedded", "provenance": "torchvision 0.26.0, torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "crnn_tiny_fp16_b2": {"sha256": "23f1d1595213ffdb9811a3dc8bbb8b292d61a6d9a8e9b4ef756a6a5b489d1f00", "size": 1016, "store": "embedded", "provenance": "torchvision 0.26.0, torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "crnn_tiny_fp32_b2": {"sha256": "f786b8b6aff3e4e016cb75346ad484a62e690f368e26518eddf94aaaf101fae8", "size": 1544, "store": "embedded", "provenance": "torchvision 0.26.0, torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "crnn_tiny_fp64_b2": {"sha256": "f786b8b6aff3e4e016cb75346ad484a62e690f368e26518eddf94aaaf101fae8", "size": 1544, "store": "embedded", "provenance": "torchvision 0.26.0, torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "crnn_vgg16_bn_fp32_b2": {"sha256": "340fce2888bbbad3514b737dd4ef972668a4f12146bd767cd02f0af0f7620996", "size": 4608, "store": "embedded", "provenance": "torchvision 0.26.0, torch.nn 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
}
