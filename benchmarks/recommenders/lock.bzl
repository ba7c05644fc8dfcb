"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "deep_recommender_tiny_bf16_b2": {"sha256": "cf1ea4f719988857af0df1347171b696c61236722bdb009cfd9097f7714d90e7", "size": 904, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "deep_recommender_tiny_fp16_b2": {"sha256": "b2a9ddb425027f18798cf24584682ff3906616fe0c0a7a8462f234d22df1591d", "size": 904, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "deep_recommender_tiny_fp32_b16_train": {"sha256": "012d9f945903725b61cc21d1df1e6598496559d075e5c4e94b2d47f929adce46", "size": 8712, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "e56a5f599c5b"},
    "deep_recommender_tiny_fp32_b2": {"sha256": "905a61bf753de5274f9e6f53e55e2f01755adec0f0722811b4ecbec087faff62", "size": 1384, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "deep_recommender_tiny_fp64_b16_train": {"sha256": "012d9f945903725b61cc21d1df1e6598496559d075e5c4e94b2d47f929adce46", "size": 8712, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "e56a5f599c5b"},
    "deep_recommender_tiny_fp64_b2": {"sha256": "905a61bf753de5274f9e6f53e55e2f01755adec0f0722811b4ecbec087faff62", "size": 1384, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "din_fp32_b64": {"sha256": "5b2c3b36b515f7e9b84461b64248c821b2eb5c23b3be88bc98c285c510c05227", "size": 984, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "din_tiny_bf16_b64": {"sha256": "e37a4c7f37a2e7d64d6ca6d05cc02897465bef5ab396278e57b32ff943ba35e5", "size": 720, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "din_tiny_fp16_b64": {"sha256": "13d25bac715bc8ebaaf787301f44eb66f0641e90742b42183a60c229fb4c4fa5", "size": 720, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "din_tiny_fp32_b64": {"sha256": "8d2045e3fdeb6657abcebf07cb7b8fffba88f4e3eadaf2301f95f20c5f229a53", "size": 976, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "din_tiny_fp64_b64": {"sha256": "8d2045e3fdeb6657abcebf07cb7b8fffba88f4e3eadaf2301f95f20c5f229a53", "size": 976, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "dlrm_v2_fp32_b64": {"sha256": "d84940a4831cce78db76da0e1bf322191901914234a29f22cffaf0e4d3dfccae", "size": 1056, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "d05ad578d51c"},
    "dlrm_v2_tiny_bf16_b64": {"sha256": "4e0f140f4b58145dedc5dc476a5c1db49c02ba39a342b805a43061ac29db2bca", "size": 768, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "dlrm_v2_tiny_fp16_b64": {"sha256": "b88b371ca8409a93d440c65d57e55cd173798aecb41dc78c179257a82df1f39d", "size": 768, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "dlrm_v2_tiny_fp32_b16_train": {"sha256": "3f0d85f8e3dc77828e721b75109d4989bd2a0c92a4acf4933186f4bcceb17c58", "size": 8256, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "e56a5f599c5b"},
    "dlrm_v2_tiny_fp32_b64": {"sha256": "0ac9545c9e2ff9a60825ebe202daf299514a61d6a3addbf3749c65c8ab7246dc", "size": 1024, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "dlrm_v2_tiny_fp64_b16_train": {"sha256": "3f0d85f8e3dc77828e721b75109d4989bd2a0c92a4acf4933186f4bcceb17c58", "size": 8256, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "e56a5f599c5b"},
    "dlrm_v2_tiny_fp64_b64": {"sha256": "0ac9545c9e2ff9a60825ebe202daf299514a61d6a3addbf3749c65c8ab7246dc", "size": 1024, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "neumf_fp32_b64": {"sha256": "1fdb9e3fa2ebd4450e125371145fea3c27ebb73dd400608c9d08a5ab38d49cfd", "size": 952, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "neumf_tiny_bf16_b64": {"sha256": "79809743fa5a66590d91cbf022530e0b3515d7ba85befb165b4d62f234bdd182", "size": 680, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "neumf_tiny_fp16_b64": {"sha256": "cfe1d52775bec9c11550c3301f0c1e56b017a51b9777ec2643607ed0e8a5972c", "size": 680, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "neumf_tiny_fp32_b16_train": {"sha256": "6caa1d377064250538832e67bef11b9663e23c5b9cb83968eb69b5a42ade20e3", "size": 7440, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "e56a5f599c5b"},
    "neumf_tiny_fp32_b64": {"sha256": "5a5e90b0a0cdd29eac2fbb4f4fb59d7b850056acda20a663cf3ab17bcd6b8e1c", "size": 936, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "neumf_tiny_fp64_b16_train": {"sha256": "6caa1d377064250538832e67bef11b9663e23c5b9cb83968eb69b5a42ade20e3", "size": 7440, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam", "commit": "e56a5f599c5b"},
    "neumf_tiny_fp64_b64": {"sha256": "5a5e90b0a0cdd29eac2fbb4f4fb59d7b850056acda20a663cf3ab17bcd6b8e1c", "size": 936, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "nvidia_deeprecommender_fp32_b64": {"sha256": "fbb530a12e388d6c1fc7b0739978886592fd2359a610340c1071e5f7ff221bfa", "size": 4536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "wide_deep_fp32_b64": {"sha256": "3a3cc7eba9169936129e0f421fa65bb2f911d410de762639ccd7f5da28d52af0", "size": 984, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "wide_deep_tiny_bf16_b64": {"sha256": "97070ac026d24c10f6178ca5b49c33c504f4995790dd85c5b333fb4f3a1f3963", "size": 720, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "wide_deep_tiny_fp16_b64": {"sha256": "ecc7afb15a6fb1220eccbccf2fec69849cad8bd433f25f9aa77b8291e1f230bb", "size": 720, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "wide_deep_tiny_fp32_b64": {"sha256": "905b957cb6238ef37d9ef4faf09b213d7475e73deebc29d5afbdbf4fb699e9b4", "size": 976, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
    "wide_deep_tiny_fp64_b64": {"sha256": "905b957cb6238ef37d9ef4faf09b213d7475e73deebc29d5afbdbf4fb699e9b4", "size": 976, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "e56a5f599c5b"},
}
