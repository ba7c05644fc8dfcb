"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "s3d_bf16_b2_f13_r209": {"sha256": "efa28d65f198f1a93dcc569d0bdfb3466f0b4acf12e8f972d797d995fa1636d4", "size": 2464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "s3d_bf16_b2_f16_r224": {"sha256": "7c04fdb72b9fc41b674b1d0bdd569232467f6978b47834f07a446ae236402414", "size": 2464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "s3d_fp16_b2_f13_r209": {"sha256": "900c98712dd465ddfcfcbca61f2e7d9af03f7feda3fd301818cb28f2848e20b9", "size": 2464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "s3d_fp16_b2_f16_r224": {"sha256": "8a3215ba581354d23dd81216fad2d7e538428cb25caf5a346520740dfd8056ac", "size": 2464, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "s3d_fp32_b2_f13_r209": {"sha256": "d7d3f63e980b8b7a8bc1439855eed8bf81e50b6047b0979f35452be5f74ead75", "size": 4512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "s3d_fp32_b2_f16_r224": {"sha256": "63757210fe014312bc3cd75bdaa72ad5002c979535c42952d4e5f3a92e8493f2", "size": 4512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
    "s3d_fp64_b2_f13_r209": {"sha256": "d7d3f63e980b8b7a8bc1439855eed8bf81e50b6047b0979f35452be5f74ead75", "size": 4512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "faebfab82a3f"},
}
