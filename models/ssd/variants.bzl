"""SSD300 on VGG16 for the 91 labels of COCO as torchvision 0.26 builds it, and a narrow one: pure data.

Each is there with the numbers of its heads as outputs, and with the boxes that are made of them (<name>_detections).
"""

load("//defs:variants.bzl", "boxes", "input", "integers", "model", "model_implementation", "output", "parameter")

def _implementation(name, description, outputs, gives_detections):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/pytorch/vision/blob/v0.26.0/torchvision/models/detection/ssd.py",
        reference = "INDEPENDENT",
        reference_script = "models/ssd/reference.py",
        parameters = [
            parameter("narrowing", "integer", default = 1, maximum = 64, description = "each convolution has the original's channels divided by it; a divisor of 64"),
            parameter("num_classes", "integer", default = 91, minimum = 2, description = "labels of a box; the first is the background"),
            parameter("detections_per_img", "integer", default = 200, maximum = 1000, description = "the most boxes of an image"),
            parameter("gives_detections", "flag", default = gives_detections, description = "whether the output is boxes, as the name of the implementation says"),
            parameter("objects", "integer", default = 8, maximum = 1000, description = "boxes that an image of a training case has"),
        ],
        # The strides of the default boxes are those of this size.
        inputs = [input("image", shape = ["batch", 3, 300, 300])],
        outputs = outputs,
        targets = [] if gives_detections else [
            input("boxes", shape = ["batch", "objects", 4], dtype = "INT64", distribution = boxes(300)),
            input("labels", shape = ["batch", "objects"], dtype = "INT64", distribution = integers("num_classes")),
        ],
        trainable = not gives_detections,
        detector = not gives_detections,
        unit = "image",
    )

IMPLEMENTATION = _implementation(
    "ssd",
    "SSD: for each default box scores of classes and a code.",
    [
        output("bbox_regression", shape = ["batch", 8732, 4]),
        output("cls_logits", shape = ["batch", 8732, "num_classes"]),
    ],
    False,
)

IMPLEMENTATION_DETECTIONS = _implementation(
    "ssd_detections",
    "SSD with the choice of boxes: label, score and corners of each.",
    [output("detections", shape = ["batch", "detections_per_img", 6])],
    True,
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
