"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "ghostnet_050_bf16_b2": {"sha256": "930bd07e0a0d0268b1c2f31e36cd3704146a9a1cf568b3fa532ad4e8f42b6f1d", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_050_fp16_b2": {"sha256": "31e9c2f4627e5195cae96d2e5597229ed151069080ffac9f8079433a65a988a1", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_050_fp32_b2": {"sha256": "d95c84df855d1448adff1c473a31c0d107940a733d6f28f2592b843d36f132e8", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_050_fp64_b2": {"sha256": "d95c84df855d1448adff1c473a31c0d107940a733d6f28f2592b843d36f132e8", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_100_bf16_b2": {"sha256": "fee34ba90aa47be74df174ca04690c087986798c343af466b70677a0ba5a217f", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "ghostnet_100_fp16_b2": {"sha256": "940f8d776531cefdd4abf5e21faa0179c25aa9d1cc937138674ceafe182e075a", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_100_fp32_b2": {"sha256": "b47465eee405d55093a42fe00736338f2d76dd536b50220d99391b38323adf87", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "ghostnet_100_fp32_b8_train": {"sha256": "207877a4846326238e9bf9a69d3b60ba842a7c89a611b6c27ea92d2970b77c57", "size": 67264, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "3b0975ebf475"},
    "ghostnet_100_fp64_b2": {"sha256": "b47465eee405d55093a42fe00736338f2d76dd536b50220d99391b38323adf87", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "ghostnet_100_fp64_b8_r32_train": {"sha256": "cde4ee4f42de4c18171ea3c3e0529ffa96dd77fdf90a866d4078ee4b8f3949e1", "size": 28944, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "ghostnet_100_fp64_b8_train": {"sha256": "207877a4846326238e9bf9a69d3b60ba842a7c89a611b6c27ea92d2970b77c57", "size": 67264, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "3b0975ebf475"},
    "ghostnet_130_bf16_b2": {"sha256": "00a3c1bba316902e2e49751ecbd3c128eb241a519d93845276264bf9837a092b", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_130_fp16_b2": {"sha256": "ced1de1d2f04b342c824657f18eac49287bb2237ff84eabbc6ccc13c221f717f", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_130_fp32_b2": {"sha256": "530773f3d47a43c770880c9e4fdc2d0dc9b1b9beebb282fc58851524d152d05b", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "ghostnet_130_fp64_b2": {"sha256": "530773f3d47a43c770880c9e4fdc2d0dc9b1b9beebb282fc58851524d152d05b", "size": 16432, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
