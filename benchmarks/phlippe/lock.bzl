"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "phlippe_densenet_bf16_b2": {"sha256": "70f6a935444b147f15c690863f0fee764e0e52d46ee9aa013b0f39b9c4bcdf5e", "size": 528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "phlippe_densenet_fp16_b2": {"sha256": "86cb5e31e51cd6c10faba78f641dc4d0260fc7b39795b7a2c1a7b5f3bb199f2f", "size": 528, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "phlippe_densenet_fp32_b2": {"sha256": "94ccbc43c143bc138d0d2600febb6802eeafe3b8ae6943c8707013cd1d40b0e5", "size": 608, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "phlippe_densenet_fp32_b8_train": {"sha256": "ebd3d916196490859a8e9578a7a45cde94d68d5871ec32d746ff9927a35f2518", "size": 26456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "cda875c34f87"},
    "phlippe_densenet_fp64_b2": {"sha256": "94ccbc43c143bc138d0d2600febb6802eeafe3b8ae6943c8707013cd1d40b0e5", "size": 608, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "phlippe_densenet_fp64_b8_r16_train": {"sha256": "98efe1bb842c1f5bd90ebb9240cfc00a4ed8930d0ce6464022c45e6f6c42726e", "size": 11320, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "cda875c34f87"},
    "phlippe_densenet_fp64_b8_train": {"sha256": "ebd3d916196490859a8e9578a7a45cde94d68d5871ec32d746ff9927a35f2518", "size": 26456, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "cda875c34f87"},
    "phlippe_resnet_bf16_b2": {"sha256": "44d864c8c364f1dc015ebb76d5214c934825bf53fec6563ebad1b40e95e1f563", "size": 536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "phlippe_resnet_fp16_b2": {"sha256": "4a91c66785fbe96b1a5fdc241bdef5a2603d9eb68d923c7ea6f0367aaf7a5106", "size": 536, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "phlippe_resnet_fp32_b2": {"sha256": "8842392b67b73ac00eb569a4d8ad5586d6e591d41e17e09872adcff10e4b8b36", "size": 616, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "phlippe_resnet_fp32_b8_train": {"sha256": "16ff87c58706db34811641bf94ff7fa11608701142194c165f99643ade9057fc", "size": 18760, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "cda875c34f87"},
    "phlippe_resnet_fp64_b2": {"sha256": "8842392b67b73ac00eb569a4d8ad5586d6e591d41e17e09872adcff10e4b8b36", "size": 616, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0", "commit": "cda875c34f87"},
    "phlippe_resnet_fp64_b8_r16_train": {"sha256": "71dce38dbb029227230d47e034c01b9505ca042a5273091baa81aa4de309ef16", "size": 8248, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "cda875c34f87"},
    "phlippe_resnet_fp64_b8_train": {"sha256": "16ff87c58706db34811641bf94ff7fa11608701142194c165f99643ade9057fc", "size": 18760, "store": "embedded", "provenance": "torch.nn 2.11.0, float64, torch 2.11.0, torch.optim: sgd, adam, adamw", "commit": "cda875c34f87"},
}
