"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dcgan_discriminator_bf16_b2": {"sha256": "512b26e80de3cb853a4f4bb8ec41a709e3f04f77f3164b534af359082294fd4f", "size": 408, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_discriminator_fp16_b2": {"sha256": "3d2c2d8c8f0e83cbc0fd4dcb193f3479d49231427bd5dd0f651531453d2ff6f1", "size": 408, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_discriminator_fp32_b2": {"sha256": "50fe7b9fb9ee7d3f0d39d12b0be22150e016953d69877a34f2265f9f042eee28", "size": 408, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_discriminator_fp64_b2": {"sha256": "50fe7b9fb9ee7d3f0d39d12b0be22150e016953d69877a34f2265f9f042eee28", "size": 408, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_bf16_b2": {"sha256": "af8799fad3192e545d52f5027596a4b44bc3af99a394f3f5608a95cc1fb4fab9", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp16_b2": {"sha256": "0e03c0e03cfd830bc4e00f4f2082cba0238b2adf337fc243ac90ced9d45bd8d8", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp32_b2": {"sha256": "da431a85defbbc2c4c4a5693c00f1c6086310125504e96735728e75e561139df", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp64_b2": {"sha256": "da431a85defbbc2c4c4a5693c00f1c6086310125504e96735728e75e561139df", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
}
