"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "convnextv2_atto_bf16_b2": {"sha256": "fc33b0b678665d1668f8426231010ba510472a401344d176b41f7181aff70d61", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_atto_fp16_b2": {"sha256": "93481a1d1b3f67a8117a85c913663c3868ad8fb0df8edcaa4b5bc5bca94761f8", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_atto_fp32_b2": {"sha256": "fbbd2ce4170d47c738212b0aae39ae46dc8fdeaa121d9e35a4cb0a6c89c04e51", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_atto_fp64_b2": {"sha256": "fbbd2ce4170d47c738212b0aae39ae46dc8fdeaa121d9e35a4cb0a6c89c04e51", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_femto_bf16_b2": {"sha256": "c66fbf306bbeb82f2af40829fa9851d6cbce7d86f478e5d854da7405ce2f990f", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_femto_fp16_b2": {"sha256": "3cffad9a77f506fb07bba13f036d89a9aca84405b9e548e186989deac176e032", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_femto_fp32_b2": {"sha256": "ccdcfd568076c124b6fb4f3c12d824afc8c48ccc79f62f897071b7bbe06ef9bb", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_femto_fp64_b2": {"sha256": "ccdcfd568076c124b6fb4f3c12d824afc8c48ccc79f62f897071b7bbe06ef9bb", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_nano_bf16_b2": {"sha256": "3b223f0bd49f68563f2767ebefb680ca568de5b76324126dd1c6c627cec45dec", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "convnextv2_nano_fp16_b2": {"sha256": "8ac770ad6fc4c9c7ddf89e20179fc8ed67244a0c7446a61d9fc2e2e1eaf01795", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_nano_fp32_b2": {"sha256": "bf12dbc83032489f4847bb114f3abf79695dc61722baee9b0683a0e46848d82d", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "convnextv2_nano_fp32_b8_train": {"sha256": "be51e123b27334dd8449939b297758e9a7598f89c75cf7ff9c4b1ce1945c9deb", "size": 24064, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "convnextv2_nano_fp64_b2": {"sha256": "bf12dbc83032489f4847bb114f3abf79695dc61722baee9b0683a0e46848d82d", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "12fc683666a0"},
    "convnextv2_nano_fp64_b8_train": {"sha256": "be51e123b27334dd8449939b297758e9a7598f89c75cf7ff9c4b1ce1945c9deb", "size": 24064, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "convnextv2_pico_bf16_b2": {"sha256": "0a0a71f3705b2e20f36fd8b23f40e1ee77f6a188dbfaa05f8126d9b2f5f34415", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_pico_fp16_b2": {"sha256": "2e6368be3de726206ce55c7670110e0225fad184fa138d9a1b0657726a8eb7b8", "size": 2512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_pico_fp32_b2": {"sha256": "406721e3286ce0d265503b383ad859fffe98b3e13ce92ee0ed05991b9b209c94", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "convnextv2_pico_fp64_b2": {"sha256": "406721e3286ce0d265503b383ad859fffe98b3e13ce92ee0ed05991b9b209c94", "size": 4560, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
