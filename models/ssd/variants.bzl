"""SSD300 on VGG16 for the 91 labels of COCO as torchvision 0.26 builds it, and a narrow one: pure data.

Each is there with the numbers of its heads as outputs, and with the boxes that are made of them (<name>_detections).
"""

load("//defs:variants.bzl", "model", "output", "parameter")
load("//models:detector.bzl", "detector")

_PARAMETERS = [
    parameter("narrowing", "integer", default = 1, maximum = 64, description = "each convolution has the original's channels divided by it; a divisor of 64"),
    parameter("num_classes", "integer", default = 91, minimum = 2, description = "labels of a box; the first is the background"),
    parameter("detections_per_img", "integer", default = 200, maximum = 1000, description = "the most boxes of an image"),
]

IMPLEMENTATION = detector(
    name = "ssd",
    description = "SSD: for each default box scores of classes and a code.",
    outputs = [
        output("bbox_regression", shape = ["batch", 8732, 4]),
        output("cls_logits", shape = ["batch", 8732, "num_classes"]),
    ],
    parameters = _PARAMETERS,
    # The strides of the default boxes are those of this size.
    resolution = 300,
    keeps_statistics = False,
)

IMPLEMENTATION_DETECTIONS = detector(
    name = "ssd_detections",
    description = "SSD with the choice of boxes: label, score and corners of each.",
    family = "ssd",
    parameters = _PARAMETERS,
    resolution = 300,
    keeps_statistics = False,
)

def _models(suffix, implementation):
    return [
        model("ssd300_vgg16" + suffix, implementation, smoke_parameters = {"narrowing": 16}),
        model(
            "ssd300_narrow" + suffix,
            implementation,
            description = "SSD300 on VGG16 with a thirty-second of its channels.",
            parameters = {"narrowing": 32, "num_classes": 7, "detections_per_img": 20},
        ),
    ]

MODELS = _models("", IMPLEMENTATION)
MODELS_DETECTIONS = _models("_detections", IMPLEMENTATION_DETECTIONS)
