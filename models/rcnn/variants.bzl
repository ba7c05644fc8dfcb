"""Faster R-CNN and Mask R-CNN for the 91 labels of COCO as torchvision 0.26's classes build them, and small ones: pure data.

Each is there with the numbers of its heads as outputs, whose regions are inputs, and as a whole (<name>_detections), where the network
chooses its regions. Training is not here: roi_align has no gradient here, and torchvision draws the boxes of its loss.
"""

load("//defs:variants.bzl", "boxes", "input", "model", "model_implementation", "output", "parameter")

def _implementation(name, description, outputs, masks, gives_detections):
    image = input("image", shape = ["batch", 3, "resolution", "resolution"])
    regions = input("regions", shape = ["batch", "regions", 4], dtype = "INT64", distribution = boxes("resolution"))
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/pytorch/vision/blob/v0.26.0/torchvision/models/detection/%s_rcnn.py" % ("mask" if masks else "faster"),
        reference = "INDEPENDENT",
        reference_script = "models/rcnn/reference.py",
        parameters = [
            parameter("block", "text", default = "bottleneck", allowed = ["basic", "bottleneck"], description = "residual block of the backbone"),
            parameter("layers", "integers", default = [3, 4, 6, 3], maximum = 256, description = "blocks in each of the backbone's four stages"),
            parameter("features", "text", default = "fpn", allowed = ["c4", "dc5", "fpn"], description = "what heads look at: a pyramid (fpn), the third stage with the fourth as the head of a region (c4), or the fourth stage, dilated (dc5)"),
            parameter("fpn_channels", "integer", default = 256, maximum = 4096, description = "channels of each level of the pyramid, and of masks"),
            parameter("representation_size", "integer", default = 1024, maximum = 65536, description = "width of the two linear layers that look at a region"),
            parameter("num_classes", "integer", default = 91, minimum = 2, description = "labels of a box; the first is the background"),
            parameter("regions", "integer", default = 1000, maximum = 10000, suffix = "k", description = "regions of an image: the most that the network chooses, or those that it is given"),
            parameter("detections_per_img", "integer", default = 100, maximum = 1000, suffix = "d", description = "the most boxes of an image; of given regions so many get a mask"),
            parameter("masks", "flag", default = masks, description = "whether a region gets a mask, as the name of the implementation says"),
            parameter("gives_detections", "flag", default = gives_detections, description = "whether the output is boxes, as the name of the implementation says"),
            parameter("resolution", "integer", default = 800, minimum = 32, maximum = 4096, suffix = "r", description = "height and width of the image, pixels; a multiple of 32"),
        ],
        inputs = [image] if gives_detections else [image, regions],
        outputs = outputs,
        detector = not gives_detections,
        keeps_statistics = True,
        unit = "image",
    )

_NUMBERS = [
    output("objectness", shape = ["batch", "*"]),
    output("pred_bbox_deltas", shape = ["batch", "*", 4]),
    output("class_logits", shape = ["batch", "regions", "num_classes"]),
    output("box_regression", shape = ["batch", "regions", "num_classes*4"]),
]
_DETECTIONS = [output("detections", shape = ["batch", "detections_per_img", 6])]

IMPLEMENTATION = _implementation(
    "rcnn",
    "Faster R-CNN: for each anchor a score and the code of a box, for each of the given regions a score and a code of each class.",
    _NUMBERS,
    False,
    False,
)

IMPLEMENTATION_MASKS = _implementation(
    "rcnn_masks",
    "Mask R-CNN: as Faster R-CNN, and for the first of the given regions a mask of each class.",
    _NUMBERS + [output("mask_logits", shape = ["batch", "detections_per_img", "num_classes", "*", "*"])],
    True,
    False,
)

IMPLEMENTATION_DETECTIONS = _implementation(
    "rcnn_detections",
    "Faster R-CNN as a whole: label, score and corners of each box.",
    _DETECTIONS,
    False,
    True,
)

IMPLEMENTATION_MASKS_DETECTIONS = _implementation(
    "rcnn_masks_detections",
    "Mask R-CNN as a whole: label, score, corners and mask of each box.",
    _DETECTIONS + [output("masks", shape = ["batch", "detections_per_img", "*", "*"], rule = "RELATIVE_TO_STD")],
    True,
    True,
)

_LAYERS = {"resnet50": [3, 4, 6, 3], "resnet101": [3, 4, 23, 3]}

def _tiny(name, implementation, features):
    return model(
        name,
        implementation,
        description = "%s on a ResNet of four basic blocks, with 32 channels a level." % ("Mask R-CNN" if name.startswith("mask") else "Faster R-CNN"),
        parameters = {"block": "basic", "layers": [1, 1, 1, 1], "features": features, "fpn_channels": 32, "representation_size": 64, "num_classes": 7, "regions": 8, "detections_per_img": 6},
        smoke_parameters = {"resolution": 32},
    )

def _models(network, suffix, features, implementation):
    return [
        model(
            "%s_%s_%s%s" % (network, backbone, feature, suffix),
            implementation,
            parameters = {"layers": layers, "features": feature},
            smoke_parameters = {"layers": [1, 1, 1, 1], "regions": 8, "detections_per_img": 4, "resolution": 64},
        )
        for feature in features
        for backbone, layers in _LAYERS.items()
    ]

def _both(network, features, tiny, suffix, implementation):
    return [_tiny("%s_tiny_%s%s" % (network, tiny, suffix), implementation, tiny)] + _models(network, suffix, features, implementation)

MODELS_FASTER = _both("fasterrcnn", ["fpn", "c4", "dc5"], "c4", "", IMPLEMENTATION)
MODELS_MASK = _both("maskrcnn", ["fpn", "c4"], "fpn", "", IMPLEMENTATION_MASKS)
MODELS_FASTER_DETECTIONS = _both("fasterrcnn", ["fpn", "c4", "dc5"], "c4", "_detections", IMPLEMENTATION_DETECTIONS)
MODELS_MASK_DETECTIONS = _both("maskrcnn", ["fpn", "c4"], "fpn", "_detections", IMPLEMENTATION_MASKS_DETECTIONS)
