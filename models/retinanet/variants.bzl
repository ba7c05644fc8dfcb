"""RetinaNet for the 91 labels of COCO as torchvision 0.26 builds it, and a small one: pure data.

Each is there with the numbers of its towers as outputs, and with the boxes that are made of them (<name>_detections).
"""

load("//defs:variants.bzl", "model", "output", "parameter")
load("//models:detector.bzl", "detector", "pyramid")

_PARAMETERS = pyramid() + [
    parameter("num_classes", "integer", default = 91, description = "labels of a box; torchvision counts the background, which has the first"),
    parameter("detections_per_img", "integer", default = 300, maximum = 1000, suffix = "d", description = "the most boxes of an image"),
]

IMPLEMENTATION = detector(
    name = "retinanet",
    description = "RetinaNet: for each anchor a score of each class and the code of a box.",
    outputs = [
        # Anchors of all levels: 9 for each cell.
        output("cls_logits", shape = ["batch", "*", "num_classes"]),
        output("bbox_regression", shape = ["batch", "*", 4]),
    ],
    parameters = _PARAMETERS,
)

IMPLEMENTATION_DETECTIONS = detector(
    name = "retinanet_detections",
    description = "RetinaNet with the choice of boxes: label, score and corners of each.",
    family = "retinanet",
    parameters = _PARAMETERS,
)

def _models(suffix, implementation):
    return [
        model("retinanet_resnet50_fpn" + suffix, implementation, smoke_parameters = {"layers": [1, 1, 1, 1], "resolution": 64}),
        model(
            "retinanet_tiny" + suffix,
            implementation,
            description = "RetinaNet on a ResNet of eight basic blocks, with 32 channels in the pyramid.",
            parameters = {"block": "basic", "layers": [3, 3, 1, 1], "fpn_channels": 32, "num_classes": 7, "detections_per_img": 40},
            smoke_parameters = {"resolution": 64},
        ),
    ]

MODELS = _models("", IMPLEMENTATION)
MODELS_DETECTIONS = _models("_detections", IMPLEMENTATION_DETECTIONS)
