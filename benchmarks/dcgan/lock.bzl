"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dcgan_discriminator_bf16_b8": {"sha256": "74cb596de385c87da90f7591118c7608d463f717026a966d3d086be2269ae07d", "size": 416, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "dcgan_discriminator_fp16_b8": {"sha256": "528255dad2c8fed8beb76bac34774647ebb2e01ee58701fc308f9bb2c7a600ca", "size": 416, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "dcgan_discriminator_fp32_b8": {"sha256": "2c5894c9345aa7f16db97b33d7d4da6fe76eee2e391174f0162f9392c2d64d11", "size": 448, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "dcgan_discriminator_fp32_b8_train": {"sha256": "94b536979264fe93a4fd87bb3854815c462263c0089c749194a89a6d0c8c1a99", "size": 12712, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
    "dcgan_discriminator_fp64_b8": {"sha256": "2c5894c9345aa7f16db97b33d7d4da6fe76eee2e391174f0162f9392c2d64d11", "size": 448, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "dcgan_discriminator_fp64_b8_train": {"sha256": "94b536979264fe93a4fd87bb3854815c462263c0089c749194a89a6d0c8c1a99", "size": 12712, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
    "dcgan_generator_bf16_b2": {"sha256": "deb2fb1bbc7987045ba19f2f3d0fc3eb985371dba7d2658ea89679f622890d27", "size": 2464, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp16_b2": {"sha256": "2bbf1b3068745a8df5b0794e08ad3665e0a3fe5edd65d7cfd190730abfb60d1b", "size": 2464, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp32_b2": {"sha256": "70995de750672a94e7e16602f0ea9cdbd110e5d2ef0e1107614743d21b966c9f", "size": 4512, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp32_b8_train": {"sha256": "9ed47fe0fe6da60b70e79d51b17324dc693ec2e80674ac05529e767e2d027a98", "size": 14712, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
    "dcgan_generator_fp64_b2": {"sha256": "70995de750672a94e7e16602f0ea9cdbd110e5d2ef0e1107614743d21b966c9f", "size": 4512, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "dcgan_generator_fp64_b8_train": {"sha256": "9ed47fe0fe6da60b70e79d51b17324dc693ec2e80674ac05529e767e2d027a98", "size": 14712, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
}
