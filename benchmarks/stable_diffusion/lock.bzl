"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "sdxl_unet_tiny_bf16_b2": {"sha256": "22593311aa4febe54d4530248a2ed2dbead8b2a7f8706fe02404726011a64dc5", "size": 2704, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "sdxl_unet_tiny_fp16_b2": {"sha256": "b6250501e95c83c42764754a23bd32c1ca9ddb9898bf57392adebe4f01ef5849", "size": 2704, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "sdxl_unet_tiny_fp32_b2": {"sha256": "85a8b9e29d5fff1b3609a9b6cb6bce00b1aba749df6cd8e2ad948e936a0e1b83", "size": 4752, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "sdxl_unet_tiny_fp64_b2": {"sha256": "85a8b9e29d5fff1b3609a9b6cb6bce00b1aba749df6cd8e2ad948e936a0e1b83", "size": 4752, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "stable_diffusion_ddim_bf16_b2_h16_w16_n3": {"sha256": "46d1557ff773a36903da134a467ee2a0f95f42160084dc308bcade7bde345c55", "size": 2752, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "b6415a342da2"},
    "stable_diffusion_ddim_fp16_b2_h16_w16_n3": {"sha256": "9c0c21bf8adaa3f330fe25c9d8a37bf506d9b4359cc40c8da778fd281dc900a4", "size": 2752, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "b6415a342da2"},
    "stable_diffusion_ddim_fp32_b2_h16_w16_n3": {"sha256": "b71fbf9e0a24fad9de0e2e17c2579dfc1f54e719c4bd31c2b08497ee3a0a8cf0", "size": 4800, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "b6415a342da2"},
    "stable_diffusion_ddim_tiny_bf16_b2": {"sha256": "a9876aaa43fdf0fe97a8c7eac93896e2a2c07d399085ca2eb40e57bb23c1e259", "size": 2736, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "c299c9669968"},
    "stable_diffusion_ddim_tiny_fp32_b2": {"sha256": "ed3988c7130f4208dd580ea294b656be60869d41c93b148dd6c6957034c8c948", "size": 4784, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "c299c9669968"},
    "stable_diffusion_ddim_tiny_fp64_b2": {"sha256": "ed3988c7130f4208dd580ea294b656be60869d41c93b148dd6c6957034c8c948", "size": 4784, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "c299c9669968"},
    "stable_diffusion_euler_bf16_b2_h16_w16_n3": {"sha256": "2d9a68603ac6faf4356372ccb96403ef3688f509d84e060c7fe2d729677a638b", "size": 2760, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "b6415a342da2"},
    "stable_diffusion_euler_fp16_b2_h16_w16_n3": {"sha256": "b97c38d253f4f962d9857b6cb442e2e8292a524eea495968b149d8f175288d74", "size": 2760, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "b6415a342da2"},
    "stable_diffusion_euler_fp32_b2_h16_w16_n3": {"sha256": "17543b6066f16bcb60734238b7228446fe89dd76842f2c7df31b26c54ff774d3", "size": 4808, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "b6415a342da2"},
    "stable_diffusion_euler_tiny_bf16_b2": {"sha256": "d2c0f71e3c903a3ab4eb219d8851023643cfd82ab6b2024120f4a4d80a447335", "size": 2736, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "32eb25c105fc"},
    "stable_diffusion_euler_tiny_fp32_b2": {"sha256": "e96510ffe277051578a7f8df870cf5e4ffa250858bd2ae22f0f278e6595ef455", "size": 4784, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "32eb25c105fc"},
    "stable_diffusion_euler_tiny_fp64_b2": {"sha256": "e96510ffe277051578a7f8df870cf5e4ffa250858bd2ae22f0f278e6595ef455", "size": 4784, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "32eb25c105fc"},
    "stable_diffusion_unet_fp32_b2": {"sha256": "f32dd33bccf03b04d15f9cf0fadfc888c0e55e05e61c47242ce088a72d88547d", "size": 4728, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "e5683daae5a3"},
    "stable_diffusion_unet_tiny_bf16_b2": {"sha256": "e8242fe81bbcc60df4a69312042daf8c5c127952c832137e20dcddd36eb0be00", "size": 2664, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "stable_diffusion_unet_tiny_fp16_b2": {"sha256": "94b5db76ed5e7b042889142659bf246ca8e45d8ab04858119e2d523c662176fc", "size": 2664, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "stable_diffusion_unet_tiny_fp32_b2": {"sha256": "55f946a1185aa03363eae4fc969054c658e71fd54d14b9fac3e107bf36147ed9", "size": 4712, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "stable_diffusion_unet_tiny_fp32_b2_train": {"sha256": "c104db62d5250a26af2f58751ce763997413b6c3cf8a2133a3676f04add036d2", "size": 13360, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0, torch.optim: sgd; replaced: a larger learning rate", "commit": "8a0493f9181e"},
    "stable_diffusion_unet_tiny_fp64_b2": {"sha256": "55f946a1185aa03363eae4fc969054c658e71fd54d14b9fac3e107bf36147ed9", "size": 4712, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "stable_diffusion_unet_tiny_fp64_b2_h9_w7": {"sha256": "7366fb620538254165bdcbafe165f7920bde46a18d70e97724e81fcf7091be25", "size": 4640, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0", "commit": "a816ec597713"},
    "stable_diffusion_unet_tiny_fp64_b2_train": {"sha256": "c104db62d5250a26af2f58751ce763997413b6c3cf8a2133a3676f04add036d2", "size": 13360, "store": "embedded", "provenance": "diffusers 0.42.1, float64, torch 2.11.0, torch.optim: sgd; replaced: a larger learning rate", "commit": "8a0493f9181e"},
}
