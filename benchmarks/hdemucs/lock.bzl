"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "hdemucs_high_bf16_b2": {"sha256": "8f8996af53d28be0e07ecb1b803e22be5f45f7b312c86f21fbeaf0bcd73ad6b8", "size": 2528, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_high_fp32_b2": {"sha256": "cedc5e58fd68c6424350478d0eca7671f742ee0c80e31bff8f72e9a14149f4c5", "size": 4576, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_low_bf16_b2": {"sha256": "ae865e094645f7eeced727c92b30330ef1e3e0dc4f135634ae910327158b5a75", "size": 2528, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_low_fp32_b2": {"sha256": "4b60e85ff5d5f4937361746389fabc4ec24a185a1d6f189c8adb889faee056d6", "size": 4576, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_medium_bf16_b2": {"sha256": "25377ce89486adeb07645d27ab6f7211320d8a6cbcc438368b06330c39b1401d", "size": 2528, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_medium_fp32_b2": {"sha256": "7204abee3a5ae2abbc737d9469fbb0704986ee59e1b1a174a099c1e6048fd3d5", "size": 4576, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_tiny_bf16_b2": {"sha256": "7812557bf7068463be610b3e0f37c6f426c9e2bd68d86c93c4a2f15814e87c1d", "size": 2528, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_tiny_fp16_b2": {"sha256": "895b8e1857c654709a9efbec72b07db20ef4e966a34de56b4ed0160636ba98ad", "size": 2528, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_tiny_fp32_b2": {"sha256": "b67bbb41191b7f0988f1f79136728f4389d65f7bcd9c0bd107070be7ed4bbdbe", "size": 4576, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_tiny_fp32_b2_train": {"sha256": "7b29b123b6a5502a5cb0b7feb0e480096c76080603a75e4603ad70112ecfeeef", "size": 13224, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "0f4f856386bf"},
    "hdemucs_tiny_fp64_b2": {"sha256": "b67bbb41191b7f0988f1f79136728f4389d65f7bcd9c0bd107070be7ed4bbdbe", "size": 4576, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_tiny_fp64_b2_train": {"sha256": "7b29b123b6a5502a5cb0b7feb0e480096c76080603a75e4603ad70112ecfeeef", "size": 13224, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "0f4f856386bf"},
    "hdemucs_tiny_long_fp32_b2": {"sha256": "cbae251e38f02138e21bcf51cb6f7a8dfff6455eb6a94ddcf763c0acc5da284c", "size": 4568, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
    "hdemucs_tiny_long_fp64_b2": {"sha256": "cbae251e38f02138e21bcf51cb6f7a8dfff6455eb6a94ddcf763c0acc5da284c", "size": 4568, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "0f4f856386bf"},
}
