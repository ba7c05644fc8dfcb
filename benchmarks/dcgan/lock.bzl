"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dcgan_discriminator_bf16_b8": {"sha256": "7700c169ac1fe5952dce76d0cfb53e5f1c0d73440c96a70b2b74c40b20b6723b", "size": 456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "dcgan_discriminator_fp16_b8": {"sha256": "cfe35442f421cbe1843d96f5f2112cae3336ab7bf2e1af76d9b5d4ffe717f31e", "size": 456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "dcgan_discriminator_fp32_b8": {"sha256": "641405784338c6cddb4896e7acd0ba35bc324b8a27e8030e1744e2a77b463862", "size": 456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "dcgan_discriminator_fp32_b8_train": {"sha256": "6ff3b7fb52540b2260154e3ae0b32e07fb847fbcc14864e255881689a69c11d3", "size": 38216, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
    "dcgan_discriminator_fp64_b8": {"sha256": "641405784338c6cddb4896e7acd0ba35bc324b8a27e8030e1744e2a77b463862", "size": 456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "dcgan_discriminator_fp64_b8_train": {"sha256": "6ff3b7fb52540b2260154e3ae0b32e07fb847fbcc14864e255881689a69c11d3", "size": 38216, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
    "dcgan_generator_bf16_b2": {"sha256": "af8799fad3192e545d52f5027596a4b44bc3af99a394f3f5608a95cc1fb4fab9", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp16_b2": {"sha256": "0e03c0e03cfd830bc4e00f4f2082cba0238b2adf337fc243ac90ced9d45bd8d8", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp32_b2": {"sha256": "da431a85defbbc2c4c4a5693c00f1c6086310125504e96735728e75e561139df", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp32_b8_train": {"sha256": "b0847a61d7c8a706494c491d31b8e63cae95f238edb5cbe7c4c43da20b6ec37f", "size": 46784, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
    "dcgan_generator_fp64_b2": {"sha256": "da431a85defbbc2c4c4a5693c00f1c6086310125504e96735728e75e561139df", "size": 16896, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp64_b8_train": {"sha256": "b0847a61d7c8a706494c491d31b8e63cae95f238edb5cbe7c4c43da20b6ec37f", "size": 46784, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
}
