"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "densenet121_bf16_b2": {"sha256": "88c50f1c2df2977adb2b37c255e8143d3b4bfeb9e40055e986ed9cc8350f53dd", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "densenet121_fp16_b2": {"sha256": "1ab8b96dc7772b07334c9fbe48d9dd6786c7bcd5304e104e6c2c0067e12e0d21", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet121_fp32_b2": {"sha256": "d6f2513734261b1db306da993e2b3f14988b8a41df2dc6362882592ef1435290", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "densenet121_fp32_b8_train": {"sha256": "60be86ad1c6a92470ba2bf3f0c2e164c479ae529746c7a9b3a3e5982645d4e15", "size": 67312, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "densenet121_fp64_b2": {"sha256": "d6f2513734261b1db306da993e2b3f14988b8a41df2dc6362882592ef1435290", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "densenet121_fp64_b8_r32_train": {"sha256": "7f06b367482bfdcca3e910893df17996b0516870d00ebe5a3c948fbd4f9e66c4", "size": 28992, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "densenet121_fp64_b8_train": {"sha256": "60be86ad1c6a92470ba2bf3f0c2e164c479ae529746c7a9b3a3e5982645d4e15", "size": 67312, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw; replaced: smaller steps: what rounding changes in one grew in the next", "commit": "c01471f99b7f"},
    "densenet161_bf16_b2": {"sha256": "23918c9c2a5e1eb8d737c42bf2ae1a2f2701fd154df3bcf2f45e1efb1944e5fd", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet161_fp16_b2": {"sha256": "007e43a281e41eb35d63fb2babedd2cd454eaec9c15fedd4368b624f0798e3ba", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet161_fp32_b2": {"sha256": "b8809f8f756b0081bfbb4e95f11da9c5cd17c03be3c61d85cd092ddebee182ad", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet161_fp64_b2": {"sha256": "b8809f8f756b0081bfbb4e95f11da9c5cd17c03be3c61d85cd092ddebee182ad", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet169_bf16_b2": {"sha256": "82a9ae1e001f0f29abe42a35084fbfda3b99de82c8dd2a5f5cd2b71e8762b29b", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet169_fp16_b2": {"sha256": "2575f9240c79334621cb0da4daec9b6c82b314e0d1df4231d743f2e96f181cc7", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet169_fp32_b2": {"sha256": "f4bc63309361ce5af08a927d88ac6f7d4a2a748c8b0ca4ad7d1a6c9e94c34480", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet169_fp64_b2": {"sha256": "f4bc63309361ce5af08a927d88ac6f7d4a2a748c8b0ca4ad7d1a6c9e94c34480", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet201_bf16_b2": {"sha256": "3400224f7851afd1cc74049b69a46d97c7360fb6709dbe0bdd833b6a43422607", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet201_fp16_b2": {"sha256": "d05270057ef6d9f5d06f7e7b777b6d39cf598e80e92677507b42eaa68cf13405", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet201_fp32_b2": {"sha256": "8758231141e8b618b20e6deeb0e5857a47f43b7c2f561e7d732867facbe84f7b", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
    "densenet201_fp64_b2": {"sha256": "8758231141e8b618b20e6deeb0e5857a47f43b7c2f561e7d732867facbe84f7b", "size": 16480, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "9ddc21a73735"},
}
