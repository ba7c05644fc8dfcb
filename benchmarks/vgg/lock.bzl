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
    "vgg16_bf16_b2": {"sha256": "b9e30677c56e5eb95efed6f7dfb36dca61b3a01b342beb745041c03e5fbb5dbf", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_bn_bf16_b2": {"sha256": "a1eca3eb120bd57d2f7f3bb551cedddade6a279fcccadca0626a99d67e5f9a01", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_bn_fp16_b2": {"sha256": "f29e08126fec9b00e2945509b83a05790289fdf1ae6439a2f9827653635e8d91", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_bn_fp32_b2": {"sha256": "dbdd021a55cec100d6743a8b8efb28f35f43099af253b614c0913ecdaf7f26ee", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_bn_fp64_b2": {"sha256": "dbdd021a55cec100d6743a8b8efb28f35f43099af253b614c0913ecdaf7f26ee", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_fp16_b2": {"sha256": "f181c9fd99185411731b968d2e0fcb0fa925b4d3fe955fbd0fe27433616fa1fb", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_fp32_b2": {"sha256": "42d50c8cac4c622c59901a176d26029f6e1d414017f49ac391d149dd50a4218a", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg16_fp64_b2": {"sha256": "42d50c8cac4c622c59901a176d26029f6e1d414017f49ac391d149dd50a4218a", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_bf16_b2": {"sha256": "6e216907c88fbf08e42fd9cc303a5ec25394f956261f44b33762232acee6285b", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_bn_bf16_b2": {"sha256": "91f2973938fdf5ba36f7f5ebaae8f6660ca6b9fa68124a0a002eb1c97c71c125", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_bn_fp16_b2": {"sha256": "57721a6cd0229885b92aa0d3fa557b5830ef6a0fc1b9c555ed060c8505a69b95", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_bn_fp32_b2": {"sha256": "c00b2d687b4e0dbe88265d3819abb064a1bb835eac043285e96601d4516d7a1f", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_bn_fp64_b2": {"sha256": "c00b2d687b4e0dbe88265d3819abb064a1bb835eac043285e96601d4516d7a1f", "size": 16464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_fp16_b2": {"sha256": "be3f0207b62e073ce94e6377b28cbbd289d52dbb4b440cf3a522aeb5d6cad32d", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_fp32_b2": {"sha256": "3a3296e7b91a7a4d9bfcbb74f08db7fce7350af113350d4ea1ded52f53b4d424", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "vgg19_fp64_b2": {"sha256": "3a3296e7b91a7a4d9bfcbb74f08db7fce7350af113350d4ea1ded52f53b4d424", "size": 16472, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
