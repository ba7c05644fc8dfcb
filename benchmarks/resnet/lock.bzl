"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "resnet101_bf16_b2": {"sha256": "09ad5ee6fe3a7d6652febfb3e189613ebbd4b73cfadf3971e6f4c3bfceb7efb7", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet101_fp16_b2": {"sha256": "7928e7f73ce7c09a1455e04ccdabd35f23e9aab044b360d7275322bce979cd61", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet101_fp32_b2": {"sha256": "3d2e90bfa0b9debf0872b45a05cd54b74bb618c41c499d94cbac9156bda89f3c", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet101_fp64_b2": {"sha256": "3d2e90bfa0b9debf0872b45a05cd54b74bb618c41c499d94cbac9156bda89f3c", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet152_bf16_b2": {"sha256": "67b9cedf34ec77a44fdf73046d3cd7db5db14aba89031699e03133f52a07e926", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet152_fp16_b2": {"sha256": "a5feaa5492c6bfcdd8c39c785d5ac559f5f8c712f63176939657979fdd9ce6cd", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet152_fp32_b2": {"sha256": "1df6753a6635b2a92f939ed43b6c492a531199a88a708ccbd42519a3372600ac", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet152_fp64_b2": {"sha256": "1df6753a6635b2a92f939ed43b6c492a531199a88a708ccbd42519a3372600ac", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet18_bf16_b2": {"sha256": "43537c3777aae675dde5ac5a83e4a8494c82523bbe34274ef81b311b4b26aa10", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet18_fp16_b2": {"sha256": "e5ded3ccef0146ff24d819ade31cceac4cb4cf6105561177cb82d498feb8b86d", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet18_fp32_b2": {"sha256": "69d382a3b60d835eb595b7aeee1a31af396640106583cef01e325d0266c38dc4", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet18_fp64_b2": {"sha256": "69d382a3b60d835eb595b7aeee1a31af396640106583cef01e325d0266c38dc4", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet34_bf16_b2": {"sha256": "9f2faf700bc01e8026da34479b61ce2dcc2418ab17e1c26320fbc3671c087752", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet34_fp16_b2": {"sha256": "6d04fd2c00bfa858d11c6c2125254940b29cb6fa37dd11b957643c90f2b86908", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet34_fp32_b2": {"sha256": "745777a884272a1fee5d8d3367092433df7a7678092189f02e38c140ee12d8ef", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet34_fp64_b2": {"sha256": "745777a884272a1fee5d8d3367092433df7a7678092189f02e38c140ee12d8ef", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet50_bf16_b2": {"sha256": "ef7289b1f14cd9006ccb41b2cdf7bfb1ddd5fdfd990c2d56f15951675aa2a921", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet50_fp16_b2": {"sha256": "53c579607bfd89ff88048793c0b1d900c782df8c72cfe346eff079b7f0903b11", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet50_fp32_b2": {"sha256": "7335a9c95507b43a0b20e5f827916d7e10e04de5017035f728c814d7e9a45787", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnet50_fp64_b2": {"sha256": "7335a9c95507b43a0b20e5f827916d7e10e04de5017035f728c814d7e9a45787", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnext50_32x4d_bf16_b2": {"sha256": "a35873c4a3ae8ac92ab4759db41babc9633ecdcea2e023a172c724b5e4a1a7b7", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnext50_32x4d_fp16_b2": {"sha256": "96d2434259ee5a30469f360ece2aa28d8eb14ee7f04661e1430d3f9980e96ba2", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnext50_32x4d_fp32_b2": {"sha256": "e20d28a9ef4ab496347a9aeefa13faef9101b2c4d5bfd9a2e9d996a559403f48", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "resnext50_32x4d_fp64_b2": {"sha256": "e20d28a9ef4ab496347a9aeefa13faef9101b2c4d5bfd9a2e9d996a559403f48", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "wide_resnet50_2_bf16_b2": {"sha256": "11001df2821b816e20be5fc2b5280a21a1d500096b9632a221a565bcdbc640e2", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "wide_resnet50_2_fp16_b2": {"sha256": "1fc2422ab5f0c40b90419666c8719f07c1a671aa48f67878acb5164c8fb29155", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "wide_resnet50_2_fp32_b2": {"sha256": "47f4dca2ee067c7321bb1602d16fcd013cffd99f006add935708c1de52acdf49", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
    "wide_resnet50_2_fp64_b2": {"sha256": "47f4dca2ee067c7321bb1602d16fcd013cffd99f006add935708c1de52acdf49", "size": 16504, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "36920066417f"},
}
