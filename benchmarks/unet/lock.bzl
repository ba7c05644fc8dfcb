"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "pytorch_unet_bf16_b2": {"sha256": "b447d77e14250eab44ab60a25766f26a0f44abbcf15629ef45d3fc021d6fcf98", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bf16_b2_h64_w95": {"sha256": "17c02bda797240a52d7d47501ae367483fe96dbb2427b53347db81a8124283b8", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_bf16_b2": {"sha256": "3a050d2be711113bcbdcea43586acb89860add2eea4a28b3652ee30a188ffc7c", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_bf16_b2_h64_w95": {"sha256": "a70868e25e0fd7a500e0b048762b8af985c34d9dd6ce0d20bcb68a3f6ee01bdd", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_fp16_b2": {"sha256": "bfbda9496b0dde3f874b8918c98d2cdbeae03841aaafd543a2b6d22c458dfa77", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_fp16_b2_h64_w95": {"sha256": "83c4370be2887972f36cd474c50d7733656cdf95cb2accc2803b5be66429a534", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_fp32_b2": {"sha256": "ce63d04526d54efe4599e862e828004c68b5a3620007503546d909a51018ed1b", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_fp32_b2_h64_w95": {"sha256": "21d1723c007e92f07fc43159b3c339c32e333eabbe2580e5a2c718bcf69e7ae9", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_bilinear_fp64_b2": {"sha256": "ce63d04526d54efe4599e862e828004c68b5a3620007503546d909a51018ed1b", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_bilinear_fp64_b2_h39_w22": {"sha256": "d8704ca8bfac924e1ef26b31a0f552d7f36434bc4ed5b7e7e707cb627c8e08fd", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "pytorch_unet_bilinear_fp64_b2_h64_w95": {"sha256": "21d1723c007e92f07fc43159b3c339c32e333eabbe2580e5a2c718bcf69e7ae9", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_fp16_b2": {"sha256": "dedbba2765c1a9159191ed5456281e5421028378aeb8c1b062143fa1024380d1", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_fp16_b2_h64_w95": {"sha256": "319c2b9bdb319a4ec311d0409ccd3a5458923511220d05b675a7887c644b7275", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_fp32_b2": {"sha256": "86f7543a8dfd13f8f92f12a90f52e28edc51c652ce78b45c8101ff40212c5d0d", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_fp32_b2_h64_w95": {"sha256": "afdb782f0fb88c89021c12942f8490eb6a2c638d039058b106f16ac195d16f3f", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_fp32_b8_h64_w95_train": {"sha256": "c37695a7f4c33d1e9b457c874f1f93c5c22d0b321c331f7cb3b4989839f29c89", "size": 50888, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
    "pytorch_unet_fp64_b2": {"sha256": "86f7543a8dfd13f8f92f12a90f52e28edc51c652ce78b45c8101ff40212c5d0d", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "pytorch_unet_fp64_b2_h39_w22": {"sha256": "4c4e90b1b8238e7d1ae998a4d2521694c8a5b6236c7a6a9a27ff8b1281725897", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "pytorch_unet_fp64_b2_h64_w95": {"sha256": "afdb782f0fb88c89021c12942f8490eb6a2c638d039058b106f16ac195d16f3f", "size": 16920, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "pytorch_unet_fp64_b8_h64_w95_train": {"sha256": "c37695a7f4c33d1e9b457c874f1f93c5c22d0b321c331f7cb3b4989839f29c89", "size": 50888, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "92e339c79d26"},
}
