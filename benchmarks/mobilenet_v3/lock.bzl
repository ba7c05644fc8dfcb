"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilenet_v3_large_bf16_b2": {"sha256": "83f44958d343e3046085f58ab86205e80f1524485409442c906766eb9440ef38", "size": 2480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_large_fp16_b2": {"sha256": "987d28bf40c5de8b9ca59357741f20976070052dc0410c9b00e1311f7a766a04", "size": 2480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_large_fp32_b2": {"sha256": "8ca825442bfd0f3c784c5bbc31b7a76f9d36b1f3e8bc6fb9bffb64ce809c9125", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_large_fp32_b8_train": {"sha256": "2d644562924e50bcbf4de17429c6875ab485368088f29e7257bf5b641364c7e6", "size": 27656, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilenet_v3_large_fp64_b2": {"sha256": "8ca825442bfd0f3c784c5bbc31b7a76f9d36b1f3e8bc6fb9bffb64ce809c9125", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_large_fp64_b8_r32_train": {"sha256": "0f968acb34bcab17d18e0225247a5e95ee1b0bea117f27566e48f8bf082cb618", "size": 11792, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "mobilenet_v3_large_fp64_b8_train": {"sha256": "2d644562924e50bcbf4de17429c6875ab485368088f29e7257bf5b641364c7e6", "size": 27656, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilenet_v3_small_bf16_b2": {"sha256": "9bb4b8e0e195bc6d4c3d77511502058f18728dbbc6c55bcded827bc9fb67dc8c", "size": 2480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_small_fp16_b2": {"sha256": "aa7a6ad85b2a2b685dd5dbecbc95f399ca6f0309c2a8984d24cb48582c75a655", "size": 2480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_small_fp32_b2": {"sha256": "735ff466de8ceb45af2499241127f4a434245c254e5409ddf4975d76ab7c58ad", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
    "mobilenet_v3_small_fp64_b2": {"sha256": "735ff466de8ceb45af2499241127f4a434245c254e5409ddf4975d76ab7c58ad", "size": 4528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "8c23e75db558"},
}
