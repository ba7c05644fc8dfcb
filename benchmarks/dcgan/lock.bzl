"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dcgan_generator_bf16_b2": {"sha256": "af8799fad3192e545d52f5027596a4b44bc3af99a394f3f5608a95cc1fb4fab9", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp16_b2": {"sha256": "0e03c0e03cfd830bc4e00f4f2082cba0238b2adf337fc243ac90ced9d45bd8d8", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp32_b2": {"sha256": "da431a85defbbc2c4c4a5693c00f1c6086310125504e96735728e75e561139df", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp64_b2": {"sha256": "da431a85defbbc2c4c4a5693c00f1c6086310125504e96735728e75e561139df", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
}
