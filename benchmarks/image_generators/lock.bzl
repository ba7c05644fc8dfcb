"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "cyclegan_generator_bf16_b2": {"sha256": "906a0a04245cf5ee3fdb94ca9d4b9cb137f7b4cdc4abbb4797d3f0f74017dbdf", "size": 2480, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "d5b7bef48906"},
    "cyclegan_generator_fp32_b2": {"sha256": "4a7bcf92b35d75dd6d901ea04b2109870a2b8fba7ba39b448db3059598d87dc8", "size": 4528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "d5b7bef48906"},
    "cyclegan_generator_fp32_b2_r64": {"sha256": "fc57ce73016f199696c516ccfb619255cf60678543163f988f8c8cd0141e3fe6", "size": 4520, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "0d24f1248e32"},
    "cyclegan_generator_tiny_bf16_b2": {"sha256": "d7ced6b97768fdc35c808c685838dbc3ce00264f5cc86115fe14457d54125d98", "size": 2472, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "cyclegan_generator_tiny_fp16_b2": {"sha256": "6394b40baa271845765980e5064f6490881b10ff376dad98748c4a967b91d643", "size": 2472, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "cyclegan_generator_tiny_fp32_b2": {"sha256": "60e2e5db3e16977028dc332655bbd437ed2ea342b48b1b45faa0a0e99c2d2547", "size": 4520, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "cyclegan_generator_tiny_fp64_b2": {"sha256": "60e2e5db3e16977028dc332655bbd437ed2ea342b48b1b45faa0a0e99c2d2547", "size": 4520, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "cyclegan_generator_tiny_fp64_b8_train": {"sha256": "abefb04a82ff290c0b70414c2cff9cb8bf96cfe5fee4cc7b214b2086fae39a87", "size": 12752, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "03eb2c0c0bed"},
    "stargan_generator_bf16_b2": {"sha256": "874c1f621c3c50b28c051c8812e773ca3c35d3e76577279354fe5f5cb25618a4", "size": 2488, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "d5b7bef48906"},
    "stargan_generator_fp32_b2": {"sha256": "3de7948f1619cf1f52d7deb069e7dfdafb5bc2136b5f58fc83a5757d972fb642", "size": 4536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "d5b7bef48906"},
    "stargan_generator_fp32_b2_r64": {"sha256": "8e15154aee2f09963f8e19edcdf1fe501f378047c71a8def2cd5feb539c9cdd8", "size": 4536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "0d24f1248e32"},
    "stargan_generator_tiny_bf16_b2": {"sha256": "deb32d7b3bbca415e4295f9ed26a628d40aacd7494e6b62ab931938a5cc02d10", "size": 2488, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "stargan_generator_tiny_fp16_b2": {"sha256": "a699fecea32ddb7e45787fa89859702372b95776aff2795b4f54438880aa2427", "size": 2488, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "stargan_generator_tiny_fp32_b2": {"sha256": "823d5fcc80d4f9158d2a2e6aedaf27270a9131a4e0ecb82785918025288a92ca", "size": 4536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "stargan_generator_tiny_fp64_b2": {"sha256": "823d5fcc80d4f9158d2a2e6aedaf27270a9131a4e0ecb82785918025288a92ca", "size": 4536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "stargan_generator_tiny_fp64_b8_train": {"sha256": "0f8b2494e83596ee6cb69273c43fb4e686136068d05ec13aea1dbc24a965e5eb", "size": 15912, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "03eb2c0c0bed"},
}
