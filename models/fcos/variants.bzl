"""FCOS for the 91 labels of COCO as torchvision 0.26 builds it, and a small one: pure data.

Each is there with the numbers of its towers as outputs, and with the boxes that are made of them (<name>_detections).
"""

load("//defs:variants.bzl", "model", "output", "parameter")
load("//models:detector.bzl", "detector", "pyramid")

_PARAMETERS = pyramid(fpn_channels = "channels of each level of the pyramid; a multiple of 32") + [
    parameter("num_classes", "integer", default = 91, description = "labels of a box; torchvision counts the background, which has the first"),
    parameter("detections_per_img", "integer", default = 100, maximum = 1000, description = "the most boxes of an image"),
]

IMPLEMENTATION = detector(
    name = "fcos",
    description = "FCOS: for each cell a score of each class, a box and how near its centre the cell is.",
    outputs = [
        output("cls_logits", shape = ["batch", "*", "num_classes"]),
        output("bbox_regression", shape = ["batch", "*", 4]),
        output("bbox_ctrness", shape = ["batch", "*", 1]),
    ],
    parameters = _PARAMETERS,
)

IMPLEMENTATION_DETECTIONS = detector(
    name = "fcos_detections",
    description = "FCOS with the choice of boxes: label, score and corners of each.",
    family = "fcos",
    parameters = _PARAMETERS,
)

def _models(suffix, implementation):
    return [
        model("fcos_resnet50_fpn" + suffix, implementation, smoke_parameters = {"layers": [1, 1, 1, 1], "resolution": 64}),
        model(
            "fcos_tiny" + suffix,
            implementation,
            description = "FCOS on a ResNet of four basic blocks, with 32 channels in the pyramid.",
            parameters = {"block": "basic", "layers": [1, 1, 1, 1], "fpn_channels": 32, "num_classes": 7, "detections_per_img": 20},
            smoke_parameters = {"resolution": 32},
        ),
    ]

MODELS = _models("", IMPLEMENTATION)
MODELS_DETECTIONS = _models("_detections", IMPLEMENTATION_DETECTIONS)
