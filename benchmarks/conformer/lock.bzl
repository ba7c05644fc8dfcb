"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "conformer_example_bf16_b2_t400": {"sha256": "3124f9b9e63456e40febeb3e2713bf627613b0c4f1e1561dde74a261565f2317", "size": 2616, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_example_fp16_b2_t400": {"sha256": "e7d0bf81a44d1060b85441bf3cc10073aefc51ceab4d4949cdd991fafa56fd0b", "size": 2616, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_example_fp32_b2_t400": {"sha256": "329125411d24a4fdfdeac888a5e854d07d49a6c67e128811bc9d93dba29b4d55", "size": 4664, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_rnnt_base_bf16_b2_t400": {"sha256": "0b413c787b706ff73f9eedf52410aeedcd786d9d836998deb425d80c0a05b64f", "size": 2616, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_rnnt_base_fp16_b2_t400": {"sha256": "887bccf60ca84f47ee1684c25ee55af6716e851ac775ebcdd741b78e81b2e18e", "size": 2616, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_rnnt_base_fp32_b2_t400": {"sha256": "f412133087ce85d2a75fe2d0673964712f0af88ab1fb30f34b1337ad9db22ace", "size": 4664, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_tiny_bf16_b2_t16": {"sha256": "c4772bab8b5d8e7c57a24410ccca8e2dd8416fc0201f37f1915e30e704c2aaf8", "size": 2616, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_tiny_fp16_b2_t16": {"sha256": "6f7a2a55da53f261be437da80ddb0845d2fae7c05049713a94751b3675b6a736", "size": 2616, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_tiny_fp32_b2_t16": {"sha256": "f3c9e771cc6a5f9ac24c0c7dfff9356139e4d12bc423df964c42891f46386ac7", "size": 4664, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_tiny_fp64_b2_t16": {"sha256": "f3c9e771cc6a5f9ac24c0c7dfff9356139e4d12bc423df964c42891f46386ac7", "size": 4664, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_tiny_fp64_b2_t16_train": {"sha256": "435cd5a4632d94640db7574b424513c7edaa40b4282fadba670a55882c2926c8", "size": 8248, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "faebfab82a3f"},
    "conformer_tiny_rnnt_bf16_b2_t16": {"sha256": "f21d6398ab202482021628a161fc456edb0b67e2c0218a5f5849ee7428ea125c", "size": 2608, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_tiny_rnnt_fp16_b2_t16": {"sha256": "de7459f6f573ee97119a5a941ff062d2463cda9f0a545c489c00f8ccfe1bd6c0", "size": 2608, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_tiny_rnnt_fp32_b2_t16": {"sha256": "c27d5178b88c5ef4bc8ba4a84d10ecaf067fd57109165e94490547b6757bff57", "size": 4656, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "conformer_tiny_rnnt_fp64_b2_t16": {"sha256": "c27d5178b88c5ef4bc8ba4a84d10ecaf067fd57109165e94490547b6757bff57", "size": 4656, "store": "embedded", "provenance": "torchaudio 2.11.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
}
