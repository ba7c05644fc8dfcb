"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "dlrm_bf16_b64": {"sha256": "6724ee05389400951d1edd55c5d62be1dc6866658cb41e095e2ac952fb97d4c1", "size": 768, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "c8ebad37a956"},
    "dlrm_fp32_b64": {"sha256": "fb67037d9f440d98aa271d6f5bf87e29d562c4aad282f6bf8a4e100308ced030", "size": 1024, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "c8ebad37a956"},
    "dlrm_ragged_bf16_b64": {"sha256": "72929d7e7db2e1c32e5f73ce5396d7b66c37edc1d3d73ae55f729133b498a299", "size": 768, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "c8ebad37a956"},
    "dlrm_ragged_fp32_b64": {"sha256": "9a54e3622eaa0c08174189d08407d1409be81f51abfe433208532a23cde3d00b", "size": 1024, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "c8ebad37a956"},
    "dlrm_tiny_bf16_b64": {"sha256": "f9096fb3cdba5d9ca45b8ad25f1cff3f733c75c1f252e618e149048bba2ec5f0", "size": 752, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "c8ebad37a956"},
    "dlrm_tiny_fp16_b64": {"sha256": "09aa2618a4229b020c2a7c924efe946a6ead9bd1ead1a437658cb59b40ec62ca", "size": 752, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "c8ebad37a956"},
    "dlrm_tiny_fp32_b64": {"sha256": "6e7e9a46f8e9fa01765a0dc2c953505ea0991baf132d982c1a861f0402d6d4cb", "size": 1008, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "c8ebad37a956"},
    "dlrm_tiny_fp32_b8_train": {"sha256": "1696b35c7e6ec786cba52c94ddd90704147e5345cfc898d8fa76e71f0ca57312", "size": 7776, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "c8ebad37a956"},
    "dlrm_tiny_fp64_b64": {"sha256": "6e7e9a46f8e9fa01765a0dc2c953505ea0991baf132d982c1a861f0402d6d4cb", "size": 1008, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "c8ebad37a956"},
    "dlrm_tiny_fp64_b8_train": {"sha256": "1696b35c7e6ec786cba52c94ddd90704147e5345cfc898d8fa76e71f0ca57312", "size": 7776, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adamw", "commit": "c8ebad37a956"},
}
