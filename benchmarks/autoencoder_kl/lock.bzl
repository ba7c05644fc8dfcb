"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "autoencoder_kl_decoder_fp32_b2_h8_w8": {"sha256": "d33c336af05de236564e5ad9c6158d47b48e64d6de288d3fadad2f57f37be657", "size": 4624, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "82dd52f7a6f3"},
    "autoencoder_kl_decoder_tiny_bf16_b2": {"sha256": "d4d9abf91b027094b285e2aabfbc9223dc14c099c68d661113178a7d435853fc", "size": 2568, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "5aa8b3042ff7"},
    "autoencoder_kl_decoder_tiny_fp16_b2": {"sha256": "9617be5b5cba18969fabd959523b73c5f9af0e7256763c965855c37b923d8154", "size": 2568, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "5aa8b3042ff7"},
    "autoencoder_kl_decoder_tiny_fp32_b2": {"sha256": "9f0daec5c604d490f18bf324ba8b26ddb6311b15035699fa7335c706c5376adf", "size": 4616, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "5aa8b3042ff7"},
    "autoencoder_kl_decoder_tiny_fp64_b2": {"sha256": "9f0daec5c604d490f18bf324ba8b26ddb6311b15035699fa7335c706c5376adf", "size": 4616, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "5aa8b3042ff7"},
    "autoencoder_kl_encoder_fp32_b2_h8_w8": {"sha256": "cd412e16648ed57a61ab6e8a2eb5aa5d54f51c70a9e094ccc36a37c0d02b0fe3", "size": 8816, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "82dd52f7a6f3"},
    "autoencoder_kl_encoder_tiny_bf16_b2": {"sha256": "3828bba07aa577955424e513217e2214b4ee0871b6153aa6c71b6308990dfb12", "size": 1384, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "5aa8b3042ff7"},
    "autoencoder_kl_encoder_tiny_fp16_b2": {"sha256": "bd7dcccebada53daf47713a970235c3969c1cc78e4620c516c6c0b3ab458c9fc", "size": 1384, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "5aa8b3042ff7"},
    "autoencoder_kl_encoder_tiny_fp32_b2": {"sha256": "ca4672202ee90c2df7da72c7a8362d652e223606c498791efd5b9d28bd3aad94", "size": 2152, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "5aa8b3042ff7"},
    "autoencoder_kl_encoder_tiny_fp64_b2": {"sha256": "ca4672202ee90c2df7da72c7a8362d652e223606c498791efd5b9d28bd3aad94", "size": 2152, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "5aa8b3042ff7"},
}
