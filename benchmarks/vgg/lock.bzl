"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "vgg11_bf16_b2": {"sha256": "4c48396c52181fde7008f9e0800f0012e388628774a256a8a27bbff729c84113", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vgg11_fp16_b2": {"sha256": "3aaf82f76929c494ccf62312f4b6ffce4215cccdfa7babdb9f865f6b4819bd95", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg11_fp32_b2": {"sha256": "283b5ad2b265b6ce54bfe42172ed913f4c47b6c9bda13626d2908431311b98b8", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vgg11_fp64_b2": {"sha256": "283b5ad2b265b6ce54bfe42172ed913f4c47b6c9bda13626d2908431311b98b8", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vgg13_bf16_b2": {"sha256": "8e9f4c2a1e703090d2704b9b981184f884d31668695e4f9a260171992bb1a99f", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_fp16_b2": {"sha256": "619b303684ca5fb5e2e4cc6d87ff1e80432d30976be6312084da4b0b3efa8408", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_fp32_b2": {"sha256": "1a4c75fa59ee1dd984bf8ef22daec40d65161dcf46e8b054f653d139a394c718", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_fp64_b2": {"sha256": "1a4c75fa59ee1dd984bf8ef22daec40d65161dcf46e8b054f653d139a394c718", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg16_bf16_b2": {"sha256": "b9e30677c56e5eb95efed6f7dfb36dca61b3a01b342beb745041c03e5fbb5dbf", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_fp16_b2": {"sha256": "f181c9fd99185411731b968d2e0fcb0fa925b4d3fe955fbd0fe27433616fa1fb", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_fp32_b2": {"sha256": "42d50c8cac4c622c59901a176d26029f6e1d414017f49ac391d149dd50a4218a", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_fp32_b8_train": {"sha256": "9048fa9fccf090a8533b6edd8188a386af91a415b52aea8b7b8462b73c8413b4", "size": 38944, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "59358699046f"},
    "vgg16_fp64_b2": {"sha256": "42d50c8cac4c622c59901a176d26029f6e1d414017f49ac391d149dd50a4218a", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_bf16_b2": {"sha256": "6e216907c88fbf08e42fd9cc303a5ec25394f956261f44b33762232acee6285b", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_fp16_b2": {"sha256": "be3f0207b62e073ce94e6377b28cbbd289d52dbb4b440cf3a522aeb5d6cad32d", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_fp32_b2": {"sha256": "3a3296e7b91a7a4d9bfcbb74f08db7fce7350af113350d4ea1ded52f53b4d424", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_fp64_b2": {"sha256": "3a3296e7b91a7a4d9bfcbb74f08db7fce7350af113350d4ea1ded52f53b4d424", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
