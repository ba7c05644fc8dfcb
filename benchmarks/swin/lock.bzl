"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "swin_b_bf16_b2": {"sha256": "5fc06644594c1a9cb604350ffed114df08e7de567540c124a1ed3e5519c2aeb3", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_b_fp16_b2": {"sha256": "b64e78aaeffaee490f28028cabe69395aa291cc23b709080820bd39fab5e2350", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_b_fp32_b2": {"sha256": "508b8e8ba99e1b5f1f0728e2dbefe87b0d02e0868ebad043bc7187a03908c7a3", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_b_fp32_b8_train": {"sha256": "c0c189f522a9be8ed8e12379772f0753e88a6353a0f3edfddbcb160ea7ca281a", "size": 57968, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "dc3b5ec754fa"},
    "swin_b_fp64_b2": {"sha256": "508b8e8ba99e1b5f1f0728e2dbefe87b0d02e0868ebad043bc7187a03908c7a3", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_s_bf16_b2": {"sha256": "bef53517d52bd9c4bffef9a038b95df993613571460229a36aa7d4a4be3802c5", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_s_fp16_b2": {"sha256": "a453c6e8029de8ef54ff2b417e66c52f50fd5a54d9ea6d8f1c6097466039286a", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_s_fp32_b2": {"sha256": "2b3b8ae2bdd9a6928752f27bb6023a8450aa2ddbbab89d0d947f308298c51845", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_s_fp64_b2": {"sha256": "2b3b8ae2bdd9a6928752f27bb6023a8450aa2ddbbab89d0d947f308298c51845", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_t_bf16_b2": {"sha256": "a8ca4fe5f6c2712f222ac903b32d59827a674071fa236af68c172e58310e798a", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "swin_t_fp16_b2": {"sha256": "9425ce480695d93cd1e6f86fc6bb7ae392d244a4d693dd616d14d2a14327e1cd", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_t_fp32_b2": {"sha256": "7e3be4bec0df5765fd5cf40fa5b235036ae9557e5809cffe52ead78ad652b4d7", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "swin_t_fp64_b2": {"sha256": "7e3be4bec0df5765fd5cf40fa5b235036ae9557e5809cffe52ead78ad652b4d7", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "swin_t_fp64_b2_r68": {"sha256": "19bb3f59263928cd02942207e95c9bb17f1a8cccc0606f17c08f253012b4a74c", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "swin_v2_b_bf16_b2": {"sha256": "405f66c9e5bba822696ef964fa49ba3428c4f7a6f3dbb7a5b7f48759d707941d", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_b_fp16_b2": {"sha256": "230bee6d75b271f89c9546e09dc1f9c920caec207c8872e6fd24680ec9af8543", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_b_fp32_b2": {"sha256": "3eb5be6b3d234840b1cad153777ad8b76c537a99b39bef414d73f734e016b2b9", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_b_fp64_b2": {"sha256": "3eb5be6b3d234840b1cad153777ad8b76c537a99b39bef414d73f734e016b2b9", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_s_bf16_b2": {"sha256": "27aca078ba0cabd7962fb772ef44c48f5eed8479850b7f557b7646ffb1234428", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_s_fp16_b2": {"sha256": "facfae98f0e917bca1bc3c62cbfcaf58c265a8a92fec41b68c3197d581b2edeb", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_s_fp32_b2": {"sha256": "7fc47e7359764cf49beb555b6dfd1188719c62c936cf12653c9fc5d0118ed35b", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_s_fp64_b2": {"sha256": "7fc47e7359764cf49beb555b6dfd1188719c62c936cf12653c9fc5d0118ed35b", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_bf16_b2": {"sha256": "d44fba1c2ad978bd16387027ee1069a21cd2d5caaa689cf961b0ee43310b0282", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_fp16_b2": {"sha256": "bff7331b3cdff32761f0dd1afa9d9d914694ab08ad0e58a7e66075187fed1115", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_fp32_b2": {"sha256": "917246a454e695492d6759313a397b9a3b29a78ff3e589c0d1fcf142710a9943", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_fp64_b2": {"sha256": "917246a454e695492d6759313a397b9a3b29a78ff3e589c0d1fcf142710a9943", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_fp64_b2_r68": {"sha256": "6c4ec9ac3c61ed907a089b7c7ce557e38a0ca986fc13b4f7026c9e8960a1f9a2", "size": 16496, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "876389adfb12"},
}
