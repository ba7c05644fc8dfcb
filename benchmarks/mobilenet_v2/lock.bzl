"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilenet_v2_bf16_b2": {"sha256": "2118ef29b71ecec7894e125c4b2f3f011c85b28794ef0262f50a0985770eb833", "size": 2464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "233548138852"},
    "mobilenet_v2_fp16_b2": {"sha256": "ecd3dd61e548ec507f74f37506a77de12456b6b65adee9bc4cde6c938fbd6981", "size": 2464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "233548138852"},
    "mobilenet_v2_fp32_b2": {"sha256": "3f9ffb1ae370df75386adeb576fc6928c2132cf8116e825e4103144ea721edd4", "size": 4512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "233548138852"},
    "mobilenet_v2_fp32_b2_r64": {"sha256": "c7cbf95a8b547fbd3b01e6b9979e833345d5e71274994b3f1ac523b09811d518", "size": 4504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5bab5327960c"},
    "mobilenet_v2_fp32_b8_train": {"sha256": "fe917a867c734db497f299eaf44e00cc1baeeae8c54a1acf1b15af9ab21f549b", "size": 26360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "mobilenet_v2_fp64_b2": {"sha256": "3f9ffb1ae370df75386adeb576fc6928c2132cf8116e825e4103144ea721edd4", "size": 4512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "233548138852"},
    "mobilenet_v2_fp64_b8_r32_train": {"sha256": "84c3d0b4ff66025652466efe64352b5397b174811eef62e7fe0cd1895de468b4", "size": 11256, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "mobilenet_v2_fp64_b8_train": {"sha256": "fe917a867c734db497f299eaf44e00cc1baeeae8c54a1acf1b15af9ab21f549b", "size": 26360, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
}
