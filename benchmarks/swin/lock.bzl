"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "swin_b_bf16_b2": {"sha256": "da5c9bd20f755c8ea76d0eea1e1e205ce4eb3a767d0154bd6831779bcecb7168", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_b_fp16_b2": {"sha256": "f22104284afb782fed1567e568a2e0140cbc67cfee33e7dc7487d36e93c59c8e", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_b_fp32_b2": {"sha256": "dd59c25b74cc0c8a93fe3a1454333e04b656e0c037c632f3dcb80f1b4b2b2a65", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_b_fp32_b8_train": {"sha256": "d732106c6bbc60fb4cfbe0e55f85bb999dd2482c658afa7aab7b54fc2b4771d6", "size": 31824, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "dc3b5ec754fa"},
    "swin_b_fp64_b2": {"sha256": "dd59c25b74cc0c8a93fe3a1454333e04b656e0c037c632f3dcb80f1b4b2b2a65", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_s_bf16_b2": {"sha256": "0c44821f51913270d2794adcbb5df42251f507f8c91bc6075a10e2e24beaf47f", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_s_fp16_b2": {"sha256": "be03f48ccb8f8e5c43ea567c164438f3ca504b97766a4d58f16057fda683518a", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_s_fp32_b2": {"sha256": "253b473609775b319320081751c822811b133e4e0f96aa97e195614ef98267c6", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_s_fp64_b2": {"sha256": "253b473609775b319320081751c822811b133e4e0f96aa97e195614ef98267c6", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_t_bf16_b2": {"sha256": "03580c747d2d299cb1f0a50cdde00575752a7c0cad1b70139c84ae447eba7fdf", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "swin_t_fp16_b2": {"sha256": "f9cfe4f43734801d29518cf5260ce80f1103c6c5ed6a74ea4219feb5c15159b6", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_t_fp32_b2": {"sha256": "d52bbd26f3da835f8bf611bf1a466cfb5573b4df220b5f2e1ad61981c11b2171", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "swin_t_fp64_b2": {"sha256": "d52bbd26f3da835f8bf611bf1a466cfb5573b4df220b5f2e1ad61981c11b2171", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "swin_t_fp64_b2_r68": {"sha256": "a0c5d3363e64e384877d57c37556d25c54c1a9635691a21b24b298f0a4e6fe0d", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "swin_v2_b_bf16_b2": {"sha256": "9f430df7f5cdc3ebf44ff3f4542e611aa563faf15c9dcf3ab373179d5d5b2486", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_b_fp16_b2": {"sha256": "39c109157b15ea8860fd88dd2dd7840b2ce00639db659934d286827d7867ad33", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_b_fp32_b2": {"sha256": "a6289132a5f37d86f582d46473b8626cb37f5220c294e2bb9213d939103bfd25", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_b_fp64_b2": {"sha256": "a6289132a5f37d86f582d46473b8626cb37f5220c294e2bb9213d939103bfd25", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_s_bf16_b2": {"sha256": "112e856b93b40b5b47094d1aa32bcefbc0873878f675eafdfcb2c42b120c3a8b", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_s_fp16_b2": {"sha256": "58a0fa0ba4d580aa95e84af8360592eaf0ec6c1b39e14984b92846b6a7794345", "size": 2544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_s_fp32_b2": {"sha256": "e9616f48210d7527f12c86d33a26e8422f2edad668d5f55fa96b1e2558c15c2e", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_s_fp64_b2": {"sha256": "e9616f48210d7527f12c86d33a26e8422f2edad668d5f55fa96b1e2558c15c2e", "size": 4592, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_bf16_b2": {"sha256": "163d108cc0aeb7179cfa53b31c5f020c85d152f9c31ca6c97698a69f32dba4c0", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_fp16_b2": {"sha256": "7113883ffb999101f18c43d05a0e0b4f244e46bf136803489a30a640e88187ff", "size": 2536, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_fp32_b2": {"sha256": "d0187fad9775b02add885e399b0a8248e351b60d844c3b0a5af04d4a2efd1984", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_fp64_b2": {"sha256": "d0187fad9775b02add885e399b0a8248e351b60d844c3b0a5af04d4a2efd1984", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "5c4679c8993c"},
    "swin_v2_t_fp64_b2_r68": {"sha256": "a33b412b839b098a14f686a133e38a556f6c9f9c8addcf899be4ff00bd5d4129", "size": 4584, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "876389adfb12"},
}
