"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilevit_s_bf16_b2": {"sha256": "29364b4bcc9ca1a8f2ebb68ffd014c651179907fefafc1119a4e18bc10933a17", "size": 2552, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp16_b2": {"sha256": "5ff843c997ab73314c90b00eb2e2d620aeb20cfab77ca93ef56d81f9537f0187", "size": 2552, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_s_fp32_b2": {"sha256": "9b3e48d1f9b2fc13b08585903c653fbf0cb44ab11a15176f06db3d36f1eb91ab", "size": 4600, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp32_b2_r224": {"sha256": "50723ddb2c593f3d4afddc272f9bb174af848297b171f3af675a67be6bbf43f0", "size": 4600, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp32_b8_train": {"sha256": "85f2c806b8759c4d6531f2b8637c7c6c623754370de60aa623ba06518ff29536", "size": 31016, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilevit_s_fp64_b2": {"sha256": "9b3e48d1f9b2fc13b08585903c653fbf0cb44ab11a15176f06db3d36f1eb91ab", "size": 4600, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp64_b8_r32_train": {"sha256": "54e59bc94aafc17565b5a1d25d5701685dbdb84593e3a172ba7ba07defb9c9e6", "size": 13176, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "mobilevit_s_fp64_b8_train": {"sha256": "85f2c806b8759c4d6531f2b8637c7c6c623754370de60aa623ba06518ff29536", "size": 31016, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilevit_xs_bf16_b2": {"sha256": "6abac85268e4910dc2dd069b73dff44dbce67c899ee89449c235d17a5dc7a3c8", "size": 2552, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xs_fp16_b2": {"sha256": "b2c6603788e3a834dc9fba11edc23d992fe755650c03203f47a98c51bb4c033f", "size": 2552, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xs_fp32_b2": {"sha256": "fb10490726da854ee2d02463627f08e0887ce3443b9d81e3e88286f4a43ea03e", "size": 4600, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xs_fp64_b2": {"sha256": "fb10490726da854ee2d02463627f08e0887ce3443b9d81e3e88286f4a43ea03e", "size": 4600, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xxs_bf16_b2": {"sha256": "07a6be71400000d2e5fdb34b051d72dc8792987d1eb7e1dcf4fc2f99976323c0", "size": 2544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xxs_fp16_b2": {"sha256": "c178843e5b1d6143f9c02a0f6a19b472f1042bee9b47483543c5c3906af4dd5f", "size": 2544, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xxs_fp32_b2": {"sha256": "e0104850e4f803138d0ac84257ac735b21e9729b96681e294e74760dc288b225", "size": 4592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xxs_fp64_b2": {"sha256": "e0104850e4f803138d0ac84257ac735b21e9729b96681e294e74760dc288b225", "size": 4592, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
