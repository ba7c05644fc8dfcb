"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "tts_angular_bf16_b2": {"sha256": "f4d02efc0ce9f6ec056c81527d2e3ab3e9f86718cd35480b06a2da2c55d1b1d1", "size": 2528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "tts_angular_fp16_b2": {"sha256": "9281b716fed8f3e68a52cb1899abb95a0bb4b30c64b60556f959513474cfb3f0", "size": 2528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "tts_angular_fp32_b2": {"sha256": "b975b2dd438df0c7ae7e56563360129f93f338882241fa655025c7d8931613fe", "size": 4576, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "tts_angular_fp32_b64_train": {"sha256": "3fed8d48a4099edbcc7efb78890f78e728a69d6d03f147f31d7edba4be659de3", "size": 8960, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "4ab71df63eed"},
    "tts_angular_fp64_b2": {"sha256": "b975b2dd438df0c7ae7e56563360129f93f338882241fa655025c7d8931613fe", "size": 4576, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "tts_angular_fp64_b64_train": {"sha256": "3fed8d48a4099edbcc7efb78890f78e728a69d6d03f147f31d7edba4be659de3", "size": 8960, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "4ab71df63eed"},
    "tts_angular_tiny_bf16_b2": {"sha256": "5218b9dcd081a2c5a33abd9a5718e74b913c31e6a9ea6b124a46fe8c3aa94be2", "size": 856, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "tts_angular_tiny_fp16_b2": {"sha256": "afc81ebbe16ad05214ae9c338a0e47519214265ba838545fb33b151aa3e51668", "size": 856, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "tts_angular_tiny_fp32_b2": {"sha256": "764458f511b319e06a114c4dbecf9d16fe4cd5815aeac08fcdc519225ef7b06e", "size": 1240, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "tts_angular_tiny_fp32_b8_train": {"sha256": "f9cbe0bef83f2bf0b0d8e1ba72dd931b2e4c5cc512fd414c95955cd24974101f", "size": 8936, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "4ab71df63eed"},
    "tts_angular_tiny_fp64_b2": {"sha256": "764458f511b319e06a114c4dbecf9d16fe4cd5815aeac08fcdc519225ef7b06e", "size": 1240, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "4ab71df63eed"},
    "tts_angular_tiny_fp64_b8_train": {"sha256": "f9cbe0bef83f2bf0b0d8e1ba72dd931b2e4c5cc512fd414c95955cd24974101f", "size": 8936, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "4ab71df63eed"},
}
