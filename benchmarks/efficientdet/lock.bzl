"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "efficientdet_d0_bf16_b2": {"sha256": "b1902c1b0cc7a7f10649c492030d83c11cd477b06ce8742e76caf8268241599b", "size": 4880, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_d0_detections_fp32_b2": {"sha256": "6ee77063b13bd3ee4b96fdb3c8a00eed191b4ab144f04334471d3d2d5744ee13", "size": 10280, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_d0_fp32_b2": {"sha256": "d90c1475b6d14ed9c019d23f9ee610f5ddbe9d9936d301625b51d3d33e087151", "size": 8976, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_tiny_bf16_b2_r128": {"sha256": "a3ce658fa54126c6dff32c973ffd323f699ba6f9b5fc54151931b1709b7ffbe9", "size": 4872, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_tiny_detections_fp32_b2_r128": {"sha256": "ba10657afff63f3ad92d6427c2e619ddf7f0610bd151dbf73c37454fc30b5db1", "size": 2592, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_tiny_detections_fp64_b2_r128": {"sha256": "ba10657afff63f3ad92d6427c2e619ddf7f0610bd151dbf73c37454fc30b5db1", "size": 2592, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_tiny_fp16_b2_r128": {"sha256": "cbada02e61234c59245efc3d6d170d90a8e78dbfd94ab4247dca2e5195148b4c", "size": 4872, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_tiny_fp32_b2_r128": {"sha256": "e1d327075e3150df7d96837b3a739721e930e5152f17d68d2f5c79368aa87d45", "size": 8968, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_tiny_fp64_b2_r128": {"sha256": "e1d327075e3150df7d96837b3a739721e930e5152f17d68d2f5c79368aa87d45", "size": 8968, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "efficientdet_tiny_fp64_b4_r128_train": {"sha256": "ce15f83cbd633a7a0139aa81f33c9ef196f7b527bb61946a0bb2558009261bcf", "size": 15920, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd", "commit": "34b5cc8b965d"},
    "tf_efficientdet_d1_bf16_b2": {"sha256": "7f1f05c7f95eb1ca20126ff14025054e02f00734c3c546c74b3c6f6dd7fd7a14", "size": 4880, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "tf_efficientdet_d1_detections_fp32_b2": {"sha256": "d25d073b9d2d26498dfbf84740f3fcfc1bd9bc11f489e1efa0d88a015057c706", "size": 10280, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "tf_efficientdet_d1_fp32_b2": {"sha256": "609198ca4b124773741847138c8b52f42e3886bc2053526f7261577662037122", "size": 8976, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "tf_efficientdet_tiny_detections_fp32_b2_r128": {"sha256": "c069da3fc1eee6e7020b22f999a8518123f3982b0dd71565195764ebb7cfea91", "size": 2592, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "tf_efficientdet_tiny_detections_fp64_b2_r128": {"sha256": "c069da3fc1eee6e7020b22f999a8518123f3982b0dd71565195764ebb7cfea91", "size": 2592, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "tf_efficientdet_tiny_fp32_b2_r128": {"sha256": "0aad329c701bc3b6ed8ae7c15820f8667a0e487fea838e12826833323d596168", "size": 8968, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
    "tf_efficientdet_tiny_fp64_b2_r128": {"sha256": "0aad329c701bc3b6ed8ae7c15820f8667a0e487fea838e12826833323d596168", "size": 8968, "store": "embedded", "provenance": "effdet 0.4.1, timm 1.0.31, float64, torch 2.11.0", "commit": "34b5cc8b965d"},
}
