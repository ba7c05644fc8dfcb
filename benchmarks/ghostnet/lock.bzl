"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "ghostnet_050_bf16_b2": {"sha256": "c322e8dda21f6b935a7499e7c19d0664d898b5ec77559d02693271a1e5276f83", "size": 2480, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_050_fp16_b2": {"sha256": "58cd5c3dbe4763e818bece4e1e88b9ca9c2c76aa647f3798bf0efe0d0ca377b7", "size": 2480, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_050_fp32_b2": {"sha256": "a743f9549f5fcc0c245da168cb164af8d4da1769aa804d351ab9b360588520f2", "size": 4528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_050_fp64_b2": {"sha256": "a743f9549f5fcc0c245da168cb164af8d4da1769aa804d351ab9b360588520f2", "size": 4528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_100_bf16_b2": {"sha256": "0cb1bcf8f378674c499bf3d35d75d21384cef4b0d9144988dabf2e95eaa45391", "size": 2480, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "ghostnet_100_fp16_b2": {"sha256": "6fdf4a870a9b2ab35acd8a9aca05b8eb24bc2162a89a1008d6d7e9ec186b953b", "size": 2480, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_100_fp32_b2": {"sha256": "ab7a4adef6f6675643274819fdf537c758b31cc42b4d76ee862334e0705217e9", "size": 4528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "ghostnet_100_fp32_b8_train": {"sha256": "fd1a3a9f385abd849d9fea6c3ce0a1999d4063601e14d801b18f26ce16558586", "size": 34256, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "3b0975ebf475"},
    "ghostnet_100_fp64_b2": {"sha256": "ab7a4adef6f6675643274819fdf537c758b31cc42b4d76ee862334e0705217e9", "size": 4528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "ghostnet_100_fp64_b8_r32_train": {"sha256": "0acd4014a4e964905c575b88576c45e55167df2fb679d12fe54b1cc728497c39", "size": 14432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "ghostnet_100_fp64_b8_train": {"sha256": "fd1a3a9f385abd849d9fea6c3ce0a1999d4063601e14d801b18f26ce16558586", "size": 34256, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "3b0975ebf475"},
    "ghostnet_130_bf16_b2": {"sha256": "7ca1646b53e00c51e1fb91e01af890c521e5b427daf7dcdf6b8887a263c8caae", "size": 2480, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_130_fp16_b2": {"sha256": "01912f49f6074bc5c41455adecb485e1e62fa7b9427db8ee72a1fca199523803", "size": 2480, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_130_fp32_b2": {"sha256": "a2b784b31b20725672823eefed04215365d8723eea0b1c5b3306e3934b687902", "size": 4528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_130_fp64_b2": {"sha256": "a2b784b31b20725672823eefed04215365d8723eea0b1c5b3306e3934b687902", "size": 4528, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
