"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "vgg11_bf16_b2": {"sha256": "4c48396c52181fde7008f9e0800f0012e388628774a256a8a27bbff729c84113", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vgg11_bn_bf16_b2": {"sha256": "adfd96beff03db636e9cbcd2c0ae81042dd18d6bcecb7ce89d7e2e8647174731", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg11_bn_fp16_b2": {"sha256": "6237a15e72d92757efe738808f7db30f2d172ecb9ebc7321813a5697931be4f2", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg11_bn_fp32_b2": {"sha256": "c046150196477a26a23821ed05d70aa39b162122172c991726f319ebda39ab85", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg11_bn_fp64_b2": {"sha256": "c046150196477a26a23821ed05d70aa39b162122172c991726f319ebda39ab85", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg11_fp16_b2": {"sha256": "3aaf82f76929c494ccf62312f4b6ffce4215cccdfa7babdb9f865f6b4819bd95", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg11_fp32_b2": {"sha256": "283b5ad2b265b6ce54bfe42172ed913f4c47b6c9bda13626d2908431311b98b8", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vgg11_fp64_b2": {"sha256": "283b5ad2b265b6ce54bfe42172ed913f4c47b6c9bda13626d2908431311b98b8", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vgg13_bf16_b2": {"sha256": "8e9f4c2a1e703090d2704b9b981184f884d31668695e4f9a260171992bb1a99f", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_bn_bf16_b2": {"sha256": "8731f4754a8007bb30475e7c7e4d1df51a6e128f26efb40767d193fa6381fa15", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_bn_fp16_b2": {"sha256": "a3344229ee971668834dc5649aa58088790ef1139a4816d1ee34c00490982f03", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_bn_fp32_b2": {"sha256": "d87081e56d49e766d75490478a69d346bc33a368f67337f5803d2a5f9c971de3", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_bn_fp64_b2": {"sha256": "d87081e56d49e766d75490478a69d346bc33a368f67337f5803d2a5f9c971de3", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_fp16_b2": {"sha256": "619b303684ca5fb5e2e4cc6d87ff1e80432d30976be6312084da4b0b3efa8408", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_fp32_b2": {"sha256": "1a4c75fa59ee1dd984bf8ef22daec40d65161dcf46e8b054f653d139a394c718", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
    "vgg13_fp64_b2": {"sha256": "1a4c75fa59ee1dd984bf8ef22daec40d65161dcf46e8b054f653d139a394c718", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "d53707c5dc97"},
}
