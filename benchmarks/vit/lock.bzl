"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "vit_b_16_bf16_b2": {"sha256": "5fb0871a30fe7e042af5d410b685a2be9128a9be5b38b38c78a253b75be5cd93", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_16_fp16_b2": {"sha256": "93c0ec55ad25690bfd766c391b50d40f205fb3825390fd047deeeca4c648952e", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_16_fp32_b2": {"sha256": "1d5d9b35f86b2dba31157d92e273843e3f6e67dc6727a815f1039d1d3f43bc00", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_16_fp64_b2": {"sha256": "1d5d9b35f86b2dba31157d92e273843e3f6e67dc6727a815f1039d1d3f43bc00", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_32_bf16_b2": {"sha256": "87da90442301b13617c11f8e38117017a3c3851f2e453e26fac2dcc66d2daa1f", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vit_b_32_fp16_b2": {"sha256": "d4acf945f584c05fb0d328c85c6c9b63bae4497d20f64d8199e49204f4987b1e", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_b_32_fp32_b2": {"sha256": "c160b0702d51ff35dc017f6ccce7b649aa4ab9692f52db5e671814c017d4083c", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vit_b_32_fp64_b2": {"sha256": "c160b0702d51ff35dc017f6ccce7b649aa4ab9692f52db5e671814c017d4083c", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "vit_h_14_bf16_b2": {"sha256": "55e4fc5771a9b24833451a12c16f896e96d09b4c5e326b44d37eae16f3315912", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_h_14_fp16_b2": {"sha256": "7739e5e4f458d567c654f0e1fedd6fd084172f50ffb532d6a31c68952a4b52c3", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_h_14_fp32_b2": {"sha256": "22e6f7c283cb358a5d7e002fa4dae6ed0ee799dbf119c9efd8aa42fdc894a920", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_h_14_fp64_b2": {"sha256": "22e6f7c283cb358a5d7e002fa4dae6ed0ee799dbf119c9efd8aa42fdc894a920", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_16_bf16_b2": {"sha256": "f3ae5e7e243c0f2cdea8e8d21f54589ddf2bf3ea4f83441c7e49474ea0349b2e", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_16_fp16_b2": {"sha256": "5e6588a228514d34dbe460afef5ab888ddd10e45de571213c385c342c89a83b7", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_16_fp32_b2": {"sha256": "602fdd8d7a0233a55c4a9f433e879cb2fb9091fbf2035db91b42932416f5ba1b", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_16_fp64_b2": {"sha256": "602fdd8d7a0233a55c4a9f433e879cb2fb9091fbf2035db91b42932416f5ba1b", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_32_bf16_b2": {"sha256": "07130f43a9f7d6101d7dff37dd9f89af0520b3b193d89fbacd4360f1115ea365", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_32_fp16_b2": {"sha256": "084172b1cdaab65e950c45ab55d862d81ecbb4e90611f97a66897b2130b4bb0c", "size": 2520, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_32_fp32_b2": {"sha256": "8c1bdaca7f3adbb563a0d514bbf28ea4bd0da35d0ed59d48ceae9ab95bdc74db", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
    "vit_l_32_fp64_b2": {"sha256": "8c1bdaca7f3adbb563a0d514bbf28ea4bd0da35d0ed59d48ceae9ab95bdc74db", "size": 4568, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "fa631c816a63"},
}
