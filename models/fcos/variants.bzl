"""FCOS for the 91 labels of COCO as torchvision 0.26 builds it, and a small one: pure data.

Each is there with the numbers of its towers as outputs, and with the boxes that are made of them (<name>_detections).
"""

load("//defs:variants.bzl", "boxes", "input", "integers", "model", "model_implementation", "output", "parameter")

def _implementation(name, description, outputs, gives_detections):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/pytorch/vision/blob/v0.26.0/torchvision/models/detection/fcos.py",
        reference = "INDEPENDENT",
        reference_script = "models/fcos/reference.py",
        parameters = [
            parameter("block", "text", default = "bottleneck", allowed = ["basic", "bottleneck"], description = "residual block of the backbone"),
            parameter("layers", "integers", default = [3, 4, 6, 3], maximum = 256, description = "blocks in each of the backbone's four stages"),
            parameter("fpn_channels", "integer", default = 256, maximum = 4096, description = "channels of each level of the pyramid; a multiple of 32"),
            parameter("num_classes", "integer", default = 91, description = "labels of a box; torchvision counts the background, which has the first"),
            parameter("detections_per_img", "integer", default = 100, maximum = 1000, description = "the most boxes of an image"),
            parameter("gives_detections", "flag", default = gives_detections, description = "whether the output is boxes, as the name of the implementation says"),
            parameter("resolution", "integer", default = 800, minimum = 32, maximum = 4096, suffix = "r", description = "height and width of the image, pixels; a multiple of 32"),
            parameter("objects", "integer", default = 8, maximum = 1000, description = "boxes that an image of a training case has"),
        ],
        inputs = [input("image", shape = ["batch", 3, "resolution", "resolution"])],
        outputs = outputs,
        targets = [] if gives_detections else [
            input("boxes", shape = ["batch", "objects", 4], dtype = "INT64", distribution = boxes("resolution")),
            input("labels", shape = ["batch", "objects"], dtype = "INT64", distribution = integers("num_classes")),
        ],
        trainable = not gives_detections,
        detector = not gives_detections,
        keeps_statistics = True,
        unit = "image",
    )

IMPLEMENTATION = _implementation(
    "fcos",
    "FCOS: for each cell a score of each class, a box and how near its centre the cell is.",
    [
        output("cls_logits", shape = ["batch", "*", "num_classes"]),
        output("bbox_regression", shape = ["batch", "*", 4]),
        output("bbox_ctrness", shape = ["batch", "*", 1]),
    ],
    False,
)

IMPLEMENTATION_DETECTIONS = _implementation(
    "fcos_detections",
    "FCOS with the choice of boxes: label, score and corners of each.",
    [output("detections", shape = ["batch", "detections_per_img", 6])],
    True,
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
