"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "maxvit_t_bf16_b2": {"sha256": "70e4c5ecfb88177de356230710eda33d08e2313b894dafd44e9008bee951c80d", "size": 2512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "maxvit_t_fp16_b2": {"sha256": "813784134503dcd83efed7f9c9dda0f417a6dee908c72042f3af352709637478", "size": 2512, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "3236a3a57147"},
    "maxvit_t_fp32_b2": {"sha256": "0517a19a99767b73815993e1d699832da5ee1b4750554500d531305efa26f7d7", "size": 4560, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
    "maxvit_t_fp64_b2": {"sha256": "0517a19a99767b73815993e1d699832da5ee1b4750554500d531305efa26f7d7", "size": 4560, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "c64a7677ea8f"},
}
