"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mnasnet0_5_bf16_b2": {"sha256": "a4171984c16b960c0f98798771f9db6a36d29bdf3a61519eb4003bf2c519355e", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_5_fp16_b2": {"sha256": "87bbbd3cd0a8e09d4cccd6f83a686f879b47bf91795d658a45be1df11447390f", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_5_fp32_b2": {"sha256": "354654220c29f3210ccc3845271920817135c549a4f0afa8cff929815732ee48", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_5_fp64_b2": {"sha256": "354654220c29f3210ccc3845271920817135c549a4f0afa8cff929815732ee48", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_75_bf16_b2": {"sha256": "61cceb2b568666e13c83ef031a596e75a497c74fb76e94baea1f94cfac43439c", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_75_fp16_b2": {"sha256": "989c2b6fce119eb073aef4bbb789fc953ad84ad655d111af7b0ef3a8349331f2", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_75_fp32_b2": {"sha256": "5a69f8d5fac11900866b24c31d29031c1a7b1b262c5b2c0c6c96cf185215ff00", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet0_75_fp64_b2": {"sha256": "5a69f8d5fac11900866b24c31d29031c1a7b1b262c5b2c0c6c96cf185215ff00", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "6300081e3efa"},
    "mnasnet1_0_bf16_b2": {"sha256": "7d3d86f0cb16d58aa05903ec06b2ff7df5ee2c988711933e74e3e7d5535c3e62", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_0_fp16_b2": {"sha256": "6a9347aeb4ec1f576cf183f9952748755843c51c12051407eacff5ab70e453e2", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_0_fp32_b2": {"sha256": "14c0d5799af0cacfef8974ad04d725b5314c7608bfc1850051f028b9f8630299", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_0_fp32_b8_train": {"sha256": "2770f98a4b90f7d55b667c53a6b8259d6fddaba1d9df1afb8003c718d724c861", "size": 58368, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "mnasnet1_0_fp64_b2": {"sha256": "14c0d5799af0cacfef8974ad04d725b5314c7608bfc1850051f028b9f8630299", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_0_fp64_b8_r32_train": {"sha256": "54a75db8da4eba91459e158cc7feb77a6f93b0218a63a0079cc348aee6373213", "size": 25392, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "mnasnet1_0_fp64_b8_train": {"sha256": "2770f98a4b90f7d55b667c53a6b8259d6fddaba1d9df1afb8003c718d724c861", "size": 58368, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "mnasnet1_3_bf16_b2": {"sha256": "3dea3e08f33cb448297bdd774ce6a2d4892a98db4d62fe6c389e83859a76a370", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_3_fp16_b2": {"sha256": "aeae20b330c807d94097604dfa5c9d51caed2aa4453523d76cb135ba7a13705f", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_3_fp32_b2": {"sha256": "1ed2c06b083120c7ebd19d0822a343c83a74f118ce31acbb188b3d41b91c270c", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mnasnet1_3_fp64_b2": {"sha256": "1ed2c06b083120c7ebd19d0822a343c83a74f118ce31acbb188b3d41b91c270c", "size": 16432, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
