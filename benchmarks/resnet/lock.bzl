"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "resnet101_bf16_b2": {"sha256": "27bab8c0745f422bb26c56aaad65e5bde82e10e00e5006205dbcc39dc776da97", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet101_fp16_b2": {"sha256": "6c1c4bf7f7c638bfbc47bccafd5ec6045675dd6d3eff11c94c4f96adb78f24df", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet101_fp32_b2": {"sha256": "68795d73c37e314554c6b361e65a3ea5052fd69b7e9f02fd1b9cf068f5fed87c", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet101_fp64_b2": {"sha256": "68795d73c37e314554c6b361e65a3ea5052fd69b7e9f02fd1b9cf068f5fed87c", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet152_bf16_b2": {"sha256": "b47743d548f82ef85c71da4b6fac9a4c871fb6c8c18a9a11477229b694d4a88c", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet152_fp16_b2": {"sha256": "45ded5b5362c553269fec5d0d06ab0301a6a2c2c8bc2030a6361b1c3f17ef1ac", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet152_fp32_b2": {"sha256": "9162c7c79d52dff1a1c66517e5446019eef012156c321e8c68cb833717d3a207", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet152_fp64_b2": {"sha256": "9162c7c79d52dff1a1c66517e5446019eef012156c321e8c68cb833717d3a207", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet18_bf16_b2": {"sha256": "c57df7a989d5fe500e219fabcdca68760d90fb225844ec543378326bfdaa6bb0", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet18_fp16_b2": {"sha256": "48e977c390b0650fbb60965ff412e31483b0f7911f70afc94b77bb216cea515c", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet18_fp32_b2": {"sha256": "0a2b38a1c47bb53e09cf96b423592910d43915be369de772b607b8cbf3cc7513", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet18_fp64_b2": {"sha256": "0a2b38a1c47bb53e09cf96b423592910d43915be369de772b607b8cbf3cc7513", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet34_bf16_b2": {"sha256": "19d846dff08a540a681095d1ba7d6a2f17143a01d6ba9851b0880abf22c02c68", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet34_fp16_b2": {"sha256": "4f1a7c2f482157c23558fd52e567c155ecb43de840c0c9f4a7461a1ee11a2608", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet34_fp32_b2": {"sha256": "af5a0e36aaec98faadf53bfe418ffd91c344c791eba66c9c4363e5f0a4d26830", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet34_fp64_b2": {"sha256": "af5a0e36aaec98faadf53bfe418ffd91c344c791eba66c9c4363e5f0a4d26830", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet50_bf16_b2": {"sha256": "a79c95cc441b0c94010fb846100777b70ea78dafceb9000e040faa7966396604", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet50_fp16_b2": {"sha256": "9ce26561c7fd102bc9d5c94750f91e6f0829877ffff45a277a8e0b56274ff067", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet50_fp32_b2": {"sha256": "0084fa9ab993ca1b18f2e78c810f2a6b4cd48e28b4d78857f1b4691673015bfd", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet50_fp64_b2": {"sha256": "0084fa9ab993ca1b18f2e78c810f2a6b4cd48e28b4d78857f1b4691673015bfd", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnext50_32x4d_bf16_b2": {"sha256": "0d31786c0e292bc61fb0ee63b6ca2e849fa6d4c6ddd0986df1c2ad568cfa671e", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnext50_32x4d_fp16_b2": {"sha256": "9d081a1dc521ed2c86488773712b19ac0020d0540d908995f27031b220cc477b", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnext50_32x4d_fp32_b2": {"sha256": "ef7e170aa3468a3f5e9466dcbdebe2f4953aec48317476280ce6a094d3e5358b", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnext50_32x4d_fp64_b2": {"sha256": "ef7e170aa3468a3f5e9466dcbdebe2f4953aec48317476280ce6a094d3e5358b", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "wide_resnet50_2_bf16_b2": {"sha256": "26a8d81970cd1868e04515c86030b52c511048eaf21a78c58ae6d02aa0a2975f", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "wide_resnet50_2_fp16_b2": {"sha256": "11db4cfa06c4ae49d3027f10c0289283b4bce2c65c51d2c3284c2eb37a1123c3", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "wide_resnet50_2_fp32_b2": {"sha256": "46d612b59929cf78f1ed947349b7c7d0372045b415e751a22024bc4ffe1a858a", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "wide_resnet50_2_fp64_b2": {"sha256": "46d612b59929cf78f1ed947349b7c7d0372045b415e751a22024bc4ffe1a858a", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
}
