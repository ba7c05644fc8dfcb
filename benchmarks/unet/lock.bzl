"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "pytorch_unet_bf16_b2": {"sha256": "5b3c8985d0d4e01113c6b703733bf1afa3b3785e3d678c471d591f92f092ff0d", "size": 2488, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bf16_b2_h64_w95": {"sha256": "bb2d191a6353dc853c108186f118572e5e07ba53e11f804c0da8805878f07c5a", "size": 2480, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_bf16_b2": {"sha256": "7156acbfd7ab923975afdb8ae4f7fc831667360315d0448abd34b70862694956", "size": 2480, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_bf16_b2_h64_w95": {"sha256": "9dca6a43f2ed1f05840402657dce591ad64883babac7b7afe3b94fe1e3fc5f49", "size": 2480, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_fp16_b2": {"sha256": "70484ccbfe71e69fc0b66f5fea4e70cd57494a131859e53d3bceb9d2eb6fe3c2", "size": 2480, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_fp16_b2_h64_w95": {"sha256": "6593ba2eb686376462f6400a2638de82b943af8261222770456804e087f6efc8", "size": 2480, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_fp32_b2": {"sha256": "09f9487529fd9fbfbacb10370679fd688e2cff272bbbafec53dd0f4be67c00f8", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_fp32_b2_h64_w95": {"sha256": "6676c14c7f0b6af9db6246c9332773e7051199d3ce5422fb6d49a844d78cf528", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_fp64_b2": {"sha256": "09f9487529fd9fbfbacb10370679fd688e2cff272bbbafec53dd0f4be67c00f8", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_fp64_b2_h39_w22": {"sha256": "15d4f44530e2e8838962941ce6e5a453db921e7dd53422ee255528436a94f184", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "pytorch_unet_bilinear_fp64_b2_h64_w95": {"sha256": "6676c14c7f0b6af9db6246c9332773e7051199d3ce5422fb6d49a844d78cf528", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_fp16_b2": {"sha256": "6542263335371613a11cac79ecae0d02cdb865ae0f865927e6f5062a6e1b4360", "size": 2488, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_fp16_b2_h64_w95": {"sha256": "6bf132c3d099b5d52948bc294660fb95bf1eb9f533c23fd9d136ec3b61848b66", "size": 2480, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_fp32_b2": {"sha256": "4246b969c748dd5703dcbc6c33e1b72246b208c33b6ed66db7e4f42ece7c9118", "size": 4536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_fp32_b2_h64_w95": {"sha256": "06b82b74eef6701be16bf99d1d09f4b8b34476abf4e203ea402c7089dede53f7", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_fp32_b8_h64_w95_train": {"sha256": "95da583a7e183621d33fbabda5e8f8357a7f3a0fafac6cdd01c1e04bc0e0b4e2", "size": 18840, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
    "pytorch_unet_fp64_b2": {"sha256": "4246b969c748dd5703dcbc6c33e1b72246b208c33b6ed66db7e4f42ece7c9118", "size": 4536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_fp64_b2_h39_w22": {"sha256": "14b2be829a62ead6088fb6d6e34fe5dccc297bf9ae643343db4a2fc6928c7ac0", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "pytorch_unet_fp64_b2_h64_w95": {"sha256": "06b82b74eef6701be16bf99d1d09f4b8b34476abf4e203ea402c7089dede53f7", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_fp64_b8_h64_w95_train": {"sha256": "95da583a7e183621d33fbabda5e8f8357a7f3a0fafac6cdd01c1e04bc0e0b4e2", "size": 18840, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
}
