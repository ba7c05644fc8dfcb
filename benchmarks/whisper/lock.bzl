"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "whisper_base_fp32_b2_t128": {"sha256": "44549b3732f5e0fb2cbc54ce50e93b8e0d813826a05f1aa76618fada9690ae9b", "size": 4672, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "de662aee1e53"},
    "whisper_base_fp32_b2_t16": {"sha256": "a88c3a3d709b98b7b8a27ec427d4c28747a41ef2b1e917a0056c3d9c10ade097", "size": 4672, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_base_fp32_b2_t4_gen64": {"sha256": "8135a19db848f72f9cda21138367e7cea6e8749c2eabe28a5cceff234f53f6a9", "size": 13112, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "de662aee1e53"},
    "whisper_mini_audio_classification_bf16_b8": {"sha256": "f94891f99f7d4c694710f7d0ddccb6f00d3b756ef4629f6bbb98edf7eb93fe51", "size": 616, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "9403b665fce0"},
    "whisper_mini_audio_classification_fp16_b8": {"sha256": "3a75d72e32613d283d6dad0550b3eea21160650b1aaebe0da28938ff35650aba", "size": 616, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "9403b665fce0"},
    "whisper_mini_audio_classification_fp32_b8": {"sha256": "5a7dad0a19480132ed221e1f12ac30984794f89d328b690fc7d93acb85e342d2", "size": 680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "9403b665fce0"},
    "whisper_mini_audio_classification_fp64_b8": {"sha256": "5a7dad0a19480132ed221e1f12ac30984794f89d328b690fc7d93acb85e342d2", "size": 680, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "9403b665fce0"},
    "whisper_mini_bf16_b2_t4_gen8": {"sha256": "070ef6e5c3a2ec68ddbf26820984bdf0bbec3ba19597dbbd13d220f6c5af5f10", "size": 6960, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_mini_bf16_b2_t8": {"sha256": "72bed0029fdf06ca760cb0936a7cd4eb84b4d78bf91411b90630417939847d11", "size": 2616, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_mini_fp16_b2_t4_gen8": {"sha256": "1f15b80b01f80d063cc92e409c9eb858a03f03590accb4477816ce2788d7b96b", "size": 6960, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_mini_fp16_b2_t8": {"sha256": "9beb55886e04527c017e2acddc3ec9bd4c88097ab7bfa3ad9f94c581eb7362db", "size": 2616, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_mini_fp32_b2_t4_gen8": {"sha256": "0845fb5ad700717167dcfe40e9a591fb5714059ae6322cd01b614b607c42b336", "size": 13104, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_mini_fp32_b2_t8": {"sha256": "22028e352e4c14ed62454345e551ec36f00bf7c68e7bb64a7b670e3a34c96e97", "size": 4664, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_mini_fp32_b2_t8_train": {"sha256": "76608b00de3f44783efa0fac66e716db8e491bfd0ca76aef2c12d6c439f2854a", "size": 13152, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "ac3ea9f1565b"},
    "whisper_mini_fp64_b2_t4_gen8": {"sha256": "0845fb5ad700717167dcfe40e9a591fb5714059ae6322cd01b614b607c42b336", "size": 13104, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_mini_fp64_b2_t8": {"sha256": "22028e352e4c14ed62454345e551ec36f00bf7c68e7bb64a7b670e3a34c96e97", "size": 4664, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_mini_fp64_b2_t8_train": {"sha256": "76608b00de3f44783efa0fac66e716db8e491bfd0ca76aef2c12d6c439f2854a", "size": 13152, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "ac3ea9f1565b"},
    "whisper_small_fp32_b2_t16": {"sha256": "f12ef210289780af91a350c4bfb44addf271897a0375e0741242dafe2571a63a", "size": 4672, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_tiny_audio_classification_bf16_b8": {"sha256": "798183b77c6cb054ed71a08e2ce2dcfb68e9f93c86a49f20e24b0b12b7afb598", "size": 624, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "9403b665fce0"},
    "whisper_tiny_audio_classification_fp16_b8": {"sha256": "04c1687ba39216b66129a578875bb4427cb108489a8b1e868bd1f2d5ae6cc145", "size": 624, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "9403b665fce0"},
    "whisper_tiny_audio_classification_fp32_b8": {"sha256": "0aea05fea2cb8c5bd94213976a9923a6fa651212176e367d05ab10140edf7aad", "size": 688, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "9403b665fce0"},
    "whisper_tiny_fp32_b2_t128": {"sha256": "48b830c5e2da25b2483633160d23ea5022ee5a483a47f0f69873154e49cd9f61", "size": 4672, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "de662aee1e53"},
    "whisper_tiny_fp32_b2_t16": {"sha256": "98fca340bb50d93a6f13f9a4f84f5bc7cb41a4bb5db6f9c2d5a45bb58de096fd", "size": 4672, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "ac3ea9f1565b"},
    "whisper_tiny_fp32_b2_t4_gen64": {"sha256": "c4f6a012b86766f4fde27886d066f002d1f2006cef7f8158e5b87e63fe9254da", "size": 13112, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "de662aee1e53"},
}
