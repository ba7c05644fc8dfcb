"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "wav2vec2_base_bf16_b2_n16000": {"sha256": "1ef33b0841d568d57614c450590c3dacea93d15d943a80fcd4afc66912d4c9d9", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_base_bf16_b2_n160000": {"sha256": "9fc9309e226679fb0d37fb46abe34ec5b3a4a2c7b7b4f32035bd788984430912", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_base_fp16_b2_n16000": {"sha256": "d6d26338baa8f513627f678aa0a1fe26a76cfca64cf17a0cbb121248353ad4f1", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_base_fp32_b2_n16000": {"sha256": "dc0f62165a593267913ee76da5fa3b84b314f7ea9ae28822b8ec066af72ce0f5", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_base_fp32_b2_n160000": {"sha256": "ca1ea5a295fe70ee8ef78da3b8c15ed616c6feeca74838b9b531d164b5a12bb9", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_base_fp32_b8_n16000_train": {"sha256": "3369dd943925de2809368750e9775d8e05bb9ed7c803c2ae80d372324c1ba3b0", "size": 20328, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "faebfab82a3f"},
    "wav2vec2_large_bf16_b2_n16000": {"sha256": "6f63d7ca1d2c72cff06eb55a081405ab3442ba4f3d6383d7c14c397f5d92c887", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_large_fp16_b2_n16000": {"sha256": "a8666b9f35b2cf2b1be58fb0596acafa73bf8f75badab3ab2b8eb063d3990d50", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_large_fp32_b2_n16000": {"sha256": "a82b482381f66349bc7d9b27111fbb721900822198cd61458213c143f43fdc21", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_large_lv60_bf16_b2_n16000": {"sha256": "64110e536252cb72b9c571c42f4fca2291b62fa820ccd34ebef4ff40750674df", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_large_lv60_fp16_b2_n16000": {"sha256": "97126899d105d34d73f6c23f24cd71d9e1b4a4e5c2be0e07a49e2b056101939d", "size": 2760, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_large_lv60_fp32_b2_n16000": {"sha256": "58e457d1b2b579c2fe2f769be37f220993a47cef0781661e91fe8bab8c6874b5", "size": 4808, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_bf16_b2_n2000": {"sha256": "437fa1df09c14788244364b70646e7c1febb7be653dfbc7e59a3cd118c2463c7", "size": 2232, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_fp16_b2_n2000": {"sha256": "1aadfda0f4cc7cc71c605776d02a8358cb8f9cb339f8dc4176eb633cdfe5c5ef", "size": 2232, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_fp32_b2_n2000": {"sha256": "1c3203503935deb765bcb11a4f8b5135c26c502dacc96805176f78b3134032c9", "size": 3768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_fp32_b2_n2000_train": {"sha256": "f0ad411d61c94e333e2b195683d7d004c4b67567777ea704ad225ba69ef50d16", "size": 6920, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_fp64_b2_n2000": {"sha256": "1c3203503935deb765bcb11a4f8b5135c26c502dacc96805176f78b3134032c9", "size": 3768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_fp64_b2_n2000_train": {"sha256": "f0ad411d61c94e333e2b195683d7d004c4b67567777ea704ad225ba69ef50d16", "size": 6920, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_stable_bf16_b2_n2000": {"sha256": "8cca72ca54e0af005d1fb3448aa0d7c78cab7b03a4c022558a93978c92cbedba", "size": 2232, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_stable_fp16_b2_n2000": {"sha256": "f8fb0d80bad1c389b82fde39b1adda34d2a2c27de149619b1c9fc43d7297f780", "size": 2232, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_stable_fp32_b2_n2000": {"sha256": "0577e052fccd7475567b2cd42d6e84f9233cf11c8aa8a2c1cf9a4770b9823b44", "size": 3768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_stable_fp32_b2_n2000_train": {"sha256": "604dee9d308af8f1765a05b24d077b2dc1ecbde2a0fb31e5c133f14cbae78a95", "size": 7520, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_stable_fp64_b2_n2000": {"sha256": "0577e052fccd7475567b2cd42d6e84f9233cf11c8aa8a2c1cf9a4770b9823b44", "size": 3768, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "wav2vec2_tiny_stable_fp64_b2_n2000_train": {"sha256": "604dee9d308af8f1765a05b24d077b2dc1ecbde2a0fb31e5c133f14cbae78a95", "size": 7520, "store": "embedded", "provenance": "transformers 5.23.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "faebfab82a3f"},
}
