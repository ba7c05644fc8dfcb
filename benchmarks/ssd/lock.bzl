"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "ssd300_narrow_bf16_b2": {"sha256": "5df9b1ca400855f540a9e46b60d51e5dcc111d07c3735bc967fc75920633d6a8", "size": 4688, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "ssd300_narrow_detections_fp32_b2": {"sha256": "de193c564aae4e58ee5145af106b2929f635b67ff4de70c3bb15b4d35a32a1be", "size": 2400, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "ssd300_narrow_detections_fp64_b2": {"sha256": "de193c564aae4e58ee5145af106b2929f635b67ff4de70c3bb15b4d35a32a1be", "size": 2400, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "ssd300_narrow_fp32_b2": {"sha256": "2c8467f13d3a7305264d4c15cfd8b7c05616676c17e64d25f0b987108d95f14a", "size": 8784, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "ssd300_narrow_fp64_b2": {"sha256": "2c8467f13d3a7305264d4c15cfd8b7c05616676c17e64d25f0b987108d95f14a", "size": 8784, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "ssd300_narrow_fp64_b2_train": {"sha256": "b87fbaf5da40886677c6d6484836645a3ecd4fb88ccd4a977c15279355a720e0", "size": 8544, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0, torch.optim: sgd", "commit": "1bff34e5affc"},
    "ssd300_vgg16_bf16_b2": {"sha256": "7d19afc2b67992110e1b12f5d569e7d2eca8956c7da996589fe07fb0cac731f4", "size": 4688, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "ssd300_vgg16_detections_fp32_b2": {"sha256": "102c36351fafddfd0333dc92727c0a259cb71e39205677e32e7b7c354b39ad9f", "size": 19688, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "ssd300_vgg16_fp32_b2": {"sha256": "d9b39d96cd8d67381beb1fd88662814562bebc72af19f60c7c2ab9bf69580ad8", "size": 8784, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
    "ssd300_vgg16_fp64_b2": {"sha256": "d9b39d96cd8d67381beb1fd88662814562bebc72af19f60c7c2ab9bf69580ad8", "size": 8784, "store": "embedded", "provenance": "torchvision 0.26.0, float64, torch 2.11.0", "commit": "1bff34e5affc"},
}
