"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "visformer_small_bf16_b2": {"sha256": "27f108f22115eef73f85dcc0e7a675871eda520666cd1a3cf8141a54a14358f2", "size": 16488, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "visformer_small_fp16_b2": {"sha256": "39ac943792aefca3b34942283a4d9ed9b4595ec885fab9ca40f11b76a6299c0c", "size": 16488, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "visformer_small_fp32_b2": {"sha256": "0218b5463e8bc5e040524c72cbe423947c70713b4fe7a84b069eeaef5bfe10ab", "size": 16488, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "visformer_small_fp32_b8_train": {"sha256": "785e00f4a5d9f0023bb11b0ab235cb5c0025457ece5643d0bdae80fbe9e2c31b", "size": 55472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "04632444bd3b"},
    "visformer_small_fp64_b2": {"sha256": "0218b5463e8bc5e040524c72cbe423947c70713b4fe7a84b069eeaef5bfe10ab", "size": 16488, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "2f2eb78e59ea"},
    "visformer_small_fp64_b8_train": {"sha256": "785e00f4a5d9f0023bb11b0ab235cb5c0025457ece5643d0bdae80fbe9e2c31b", "size": 55472, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "04632444bd3b"},
}
