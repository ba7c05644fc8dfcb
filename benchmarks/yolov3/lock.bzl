"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "yolov3_bf16_b2": {"sha256": "b5762f25d31f1b8b090c9d2317556590352bbcdf2602f72d6d2a809875f71d2f", "size": 2456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "yolov3_bf16_b2_r64": {"sha256": "72c244a846c8c71db954c591a29b187028f1e6ca9871c3777425fcc0bda22178", "size": 2456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "yolov3_fp16_b2_r64": {"sha256": "f2ab35509677810e4ebe04313a599435a79c20c07c78b63738240ce48221378c", "size": 2456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "6928f29a08e0"},
    "yolov3_fp32_b2": {"sha256": "fd03ab6a46bbbb9cef2ad4a78799a3137f72133094ca876bfd4c7a001721f871", "size": 4504, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "yolov3_fp32_b2_r64": {"sha256": "5f829e4893e399d0baade8a496db55a2f0530bf915dda3501e07926a478ad5bd", "size": 4504, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "yolov3_fp64_b2": {"sha256": "fd03ab6a46bbbb9cef2ad4a78799a3137f72133094ca876bfd4c7a001721f871", "size": 4504, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "9ce3a5927707"},
    "yolov3_fp64_b2_r64": {"sha256": "5f829e4893e399d0baade8a496db55a2f0530bf915dda3501e07926a478ad5bd", "size": 4504, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "207801439af3"},
    "yolov3_fp64_b2_r96": {"sha256": "01f78efa0efcf0caecb64af339aabb532b35db15de382237e7390afa830bb680", "size": 4504, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "876389adfb12"},
    "yolov3_spp_bf16_b2": {"sha256": "362626069a214cd1e37f4b2e0de7013bec89dd1745448b3605b7d677c519cb73", "size": 2472, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "yolov3_spp_bf16_b2_h64_w96": {"sha256": "dbb15e92b7e31a72cb7559e406997674da1c9eb3e49f156a8f59637a2e6a2263", "size": 2472, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "yolov3_spp_fp16_b2_h64_w96": {"sha256": "abe2160b27dd70733d8b87e5db86efef284a3e954064e6522f8b4baa41998778", "size": 2472, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "yolov3_spp_fp32_b2": {"sha256": "776d8459874aa2eaf2656c8351106b432fd4f142e9a2b85a356e8da66fca24d4", "size": 4520, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "yolov3_spp_fp32_b2_h64_w96": {"sha256": "cb1333cfd40f497890267c4f30019e5e3de4f0c6b184b503fe25c9a993dbc3c3", "size": 4520, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
    "yolov3_spp_fp64_b2_h64_w96": {"sha256": "cb1333cfd40f497890267c4f30019e5e3de4f0c6b184b503fe25c9a993dbc3c3", "size": 4520, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "03eb2c0c0bed"},
}
