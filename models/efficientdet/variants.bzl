"""EfficientDet for the 90 labels of COCO as effdet 0.4.1 builds it, and small ones: pure data.

Each is there with the numbers of its heads as outputs, and with the boxes that are made of them (<name>_detections). Models whose
names begin with tf_ have the layers of the weights that were trained with TensorFlow.
"""

load("//defs:variants.bzl", "model", "output", "parameter")
load("//models:detector.bzl", "detector")

_PARAMETERS = [
    parameter("width_multiplier", "real", default = 1.0, minimum = 0.125, maximum = 8, description = "factor on the backbone's channels"),
    parameter("depth_multiplier", "real", default = 1.0, minimum = 0.125, maximum = 8, description = "factor on the backbone's blocks of a stage"),
    parameter("drop_path_rate", "real", default = 0.1, minimum = 0, maximum = 0.9, description = "probability of dropping the last block's branch in training"),
    parameter("fpn_channels", "integer", default = 64, maximum = 4096, description = "channels of each level of the pyramid"),
    parameter("fpn_cell_repeats", "integer", default = 3, maximum = 64, description = "cells of the pyramid"),
    parameter("box_class_repeats", "integer", default = 3, maximum = 64, description = "convolutions of a head in front of the last one"),
    parameter("tensorflow", "flag", default = False, description = "whether strides are padded as TensorFlow does, and convolutions in front of norms have biases"),
    parameter("num_classes", "integer", default = 90, minimum = 2, description = "labels of a box"),
    parameter("detections_per_img", "integer", default = 100, maximum = 1000, suffix = "d", description = "the most boxes of an image"),
]

_SETTINGS = {
    "multiple": 128,
    "source_url": "https://github.com/rwightman/efficientdet-pytorch/blob/v0.4.1/effdet/efficientdet.py",
}

IMPLEMENTATION = detector(
    name = "efficientdet",
    description = "EfficientDet: for each anchor a score of each class and the code of a box.",
    outputs = [
        # Anchors of all levels: 9 for each cell.
        output("class_out", shape = ["batch", "*", "num_classes"]),
        output("box_out", shape = ["batch", "*", 4]),
    ],
    parameters = _PARAMETERS,
    **_SETTINGS
)

IMPLEMENTATION_DETECTIONS = detector(
    name = "efficientdet_detections",
    description = "EfficientDet with the choice of boxes: label, score and corners of each.",
    family = "efficientdet",
    parameters = _PARAMETERS,
    **_SETTINGS
)

_TINY = {"width_multiplier": 0.25, "depth_multiplier": 0.5, "fpn_channels": 24, "fpn_cell_repeats": 2, "box_class_repeats": 2, "num_classes": 7, "detections_per_img": 20, "resolution": 128}

def _models(suffix, implementation):
    return [
        model("efficientdet_tiny" + suffix, implementation, parameters = _TINY, smoke_parameters = _TINY, description = "EfficientDet with a quarter of the backbone's channels, and 24 in the pyramid."),
        model("tf_efficientdet_tiny" + suffix, implementation, parameters = dict(_TINY, tensorflow = True), smoke_parameters = _TINY, description = "The same with the layers of TensorFlow's."),
        model("efficientdet_d0" + suffix, implementation, parameters = {"resolution": 512}, smoke_parameters = _TINY),
        # TorchBench's.
        model(
            "tf_efficientdet_d1" + suffix,
            implementation,
            parameters = {"depth_multiplier": 1.1, "drop_path_rate": 0.2, "fpn_channels": 88, "fpn_cell_repeats": 4, "tensorflow": True, "resolution": 640},
            smoke_parameters = _TINY,
        ),
    ]

MODELS = _models("", IMPLEMENTATION)
MODELS_DETECTIONS = _models("_detections", IMPLEMENTATION_DETECTIONS)
