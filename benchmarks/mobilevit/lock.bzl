"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "mobilevit_s_bf16_b2": {"sha256": "bb69495db9523c1acea246c2b21894e702379df579fc4073601e82b8930a2eb9", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp16_b2": {"sha256": "c16e77ac77e1be321d57df92fe946ad1aabb40f87dc554fb632e54ea50bf6163", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_s_fp32_b2": {"sha256": "b48d40e4c4d0c6b6bfbde02e85b5070114cdcf8b5fb5b45d978361a630bd164f", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp32_b2_r224": {"sha256": "2ffd864037d8d64baecc37e858c7d8d01f3dc3e4f7c18957a33d66b72f8a4f8c", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp32_b8_train": {"sha256": "b3730e49f51c9e86375b7756f2986f4abffea6c72804b543c4c8a7b92b46cea9", "size": 63008, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilevit_s_fp64_b2": {"sha256": "b48d40e4c4d0c6b6bfbde02e85b5070114cdcf8b5fb5b45d978361a630bd164f", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "df983299787f"},
    "mobilevit_s_fp64_b8_r32_train": {"sha256": "c922e36258c18f6ae281b1ad95a6bb785d50c9cab5f88a43496509569aa29374", "size": 27296, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd", "commit": "876389adfb12"},
    "mobilevit_s_fp64_b8_train": {"sha256": "b3730e49f51c9e86375b7756f2986f4abffea6c72804b543c4c8a7b92b46cea9", "size": 63008, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "d7e91ed13b2c"},
    "mobilevit_xs_bf16_b2": {"sha256": "e1344fd251fd96236a1aaa496c4cf962b89467159b15e5c131cd17dda771d22a", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xs_fp16_b2": {"sha256": "a50db899822373eadfcacffc3dd87338fb2ece53db6f6b8e8827a3d86483bdf6", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xs_fp32_b2": {"sha256": "fe502a978371a8d6906813d98430aaa1706948befcb218a099f1851790d3eda4", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xs_fp64_b2": {"sha256": "fe502a978371a8d6906813d98430aaa1706948befcb218a099f1851790d3eda4", "size": 16512, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xxs_bf16_b2": {"sha256": "33d3cdfd79735a80ddf53732884965badda62c9b64f56f271143c9fd353d739a", "size": 16504, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xxs_fp16_b2": {"sha256": "8e866d11143b056d666bd82299c8d1d059cc7c6c40c6e3ae23b7c8f187cc3b5c", "size": 16504, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xxs_fp32_b2": {"sha256": "a6a06567a7dc36e6a279a6470ade8c5b15cb213d2c37b6c514cd10977068a909", "size": 16504, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
    "mobilevit_xxs_fp64_b2": {"sha256": "a6a06567a7dc36e6a279a6470ade8c5b15cb213d2c37b6c514cd10977068a909", "size": 16504, "store": "embedded", "provenance": "timm 1.0.31, float64, torch 2.11.0", "commit": "eee20eb720d1"},
}
