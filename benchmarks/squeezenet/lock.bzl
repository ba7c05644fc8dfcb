"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "squeezenet1_0_bf16_b2": {"sha256": "0c229a8ace3b844f85591e73962bce147ba20d8d932bddb199fb10e4b9d9e5af", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_0_fp16_b2": {"sha256": "7307069a5a5151aa65e2797693bafeba717df5a04e70ba8a260d7c41371b38ce", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_0_fp32_b2": {"sha256": "18e719be2d469403ba3f5d9facc168e809214f344e0607ffb8425ab6495436e3", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_0_fp64_b2": {"sha256": "18e719be2d469403ba3f5d9facc168e809214f344e0607ffb8425ab6495436e3", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_bf16_b2": {"sha256": "f696ba29f6efe4d5866e97c295858e4807af9dcc7b6812ac265a94d7c43160cd", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_fp16_b2": {"sha256": "4289268b1ad9e25d538d8d7105c9745653b6cabaf999ade2c36df0b4b5481289", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_fp32_b2": {"sha256": "072c949df26cade7f04f1f6f0d5412fc07706eb84ee0b012d6b2aa5b45f6e4ed", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_fp32_b8_train": {"sha256": "a5648469bb6dfca0ffc8c0254f2189ed47909e5ae98fb2e20792317c0ab71fa3", "size": 40520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "squeezenet1_1_fp64_b2": {"sha256": "072c949df26cade7f04f1f6f0d5412fc07706eb84ee0b012d6b2aa5b45f6e4ed", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "2c9539e21ae7"},
    "squeezenet1_1_fp64_b2_r66": {"sha256": "0ab65c21547daddf8e86281a299044b439cd79b478e08746bd7eb75cf5e0ef7a", "size": 16440, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "squeezenet1_1_fp64_b8_r66_train": {"sha256": "cf77a4ff727cc751f727500ba784d3f3298db72dd77dbed33850b68529d907d2", "size": 17328, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "squeezenet1_1_fp64_b8_train": {"sha256": "a5648469bb6dfca0ffc8c0254f2189ed47909e5ae98fb2e20792317c0ab71fa3", "size": 40520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
}
