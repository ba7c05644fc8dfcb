"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "densenet121_bf16_b2": {"sha256": "5227f84863d5f5c8de7020bcccc33c4fc9eeda63b07c7a9288dceb0fcc637b5c", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "densenet121_fp16_b2": {"sha256": "7d6da495ac270cc3181537a8bfd70f937959e1ac3d49555524205cf3387edf78", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet121_fp32_b2": {"sha256": "bc51a3b4693c560a8105703a7e97b7c26d28c15f5d5a8d7ea921726fbbf298fe", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "densenet121_fp32_b8_train": {"sha256": "8363c210b0c2ea9fec78c59744d32b4874dfaf8a76d4cbfd3af90d4af7efdcc8", "size": 34304, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "densenet121_fp64_b2": {"sha256": "bc51a3b4693c560a8105703a7e97b7c26d28c15f5d5a8d7ea921726fbbf298fe", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "densenet121_fp64_b8_r32_train": {"sha256": "7d5e39a10a7794200a77c7b8945ca9c6ea75d9eacc7faa2e5cce4636a845eecf", "size": 14480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "densenet121_fp64_b8_train": {"sha256": "8363c210b0c2ea9fec78c59744d32b4874dfaf8a76d4cbfd3af90d4af7efdcc8", "size": 34304, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "densenet161_bf16_b2": {"sha256": "6c717301a9a6865f27586d36a9402fee9f2fd6cbb88b7dd2a55ad939681f7df7", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet161_fp16_b2": {"sha256": "7857b41b42e6845c3d357ca904cb84a404d39dd76a58b97d7624839a1db020da", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet161_fp32_b2": {"sha256": "959f8170e6dc8e34dace7682268097801c25cc74060b0ed7ea0ad5bc2423af23", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet161_fp64_b2": {"sha256": "959f8170e6dc8e34dace7682268097801c25cc74060b0ed7ea0ad5bc2423af23", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet169_bf16_b2": {"sha256": "49e27b53eb0f9e0fb3c9b4c9cecb458721f68a11296a794dcca25445e6d2e293", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet169_fp16_b2": {"sha256": "a0739ed40ee8449c416f3d0ee6ad87eb31c18bedce6a170c3e8664cf52ba478e", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet169_fp32_b2": {"sha256": "c04bd8c98cd13b8143cb248dc6c8dfe41e41f899427a5bc9074e077385051c1a", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet169_fp64_b2": {"sha256": "c04bd8c98cd13b8143cb248dc6c8dfe41e41f899427a5bc9074e077385051c1a", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet201_bf16_b2": {"sha256": "34e129525ae692ce63c31b7e91553e6325a033b448956e07e57a62f89f7bee1c", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet201_fp16_b2": {"sha256": "5865e27cf510490c08874e8e8910f9854a4a3a487c8d7db63501c7a3e64fbe4d", "size": 2528, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet201_fp32_b2": {"sha256": "e6d8d65f352f2bd5de11cf251930bd781ac6f687d227faa41e333ed040e5cf9a", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet201_fp64_b2": {"sha256": "e6d8d65f352f2bd5de11cf251930bd781ac6f687d227faa41e333ed040e5cf9a", "size": 4576, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
}
