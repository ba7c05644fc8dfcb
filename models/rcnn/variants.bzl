"""Faster R-CNN and Mask R-CNN for the 91 labels of COCO as torchvision 0.26's classes build them, and small ones: pure data.

Each is there with the numbers of its heads as outputs, whose regions are inputs, and as a whole (<name>_detections), where the network
chooses its regions. A third one learns (<name>_losses): it takes the objects and gives its losses, has frozen norms and leaves its stem
and its first stage as they are. torchvision draws the anchors and regions of its losses; here they are a fixed choice, on both sides
(models/layers/detection/balanced_sample.h).
"""

load("//defs:variants.bzl", "bernoulli", "boxes", "input", "integers", "model", "model_implementation", "output", "parameter")

_REGIONS = {
    "detections": "the most that the network chooses",
    "losses": "the most that the network chooses; the objects' boxes come on top",
    "numbers": "those that it is given",
}

def _implementation(name, description, outputs, masks, gives):
    image = input("image", shape = ["batch", 3, "resolution", "resolution"])
    regions = input("regions", shape = ["batch", "regions", 4], dtype = "INT64", distribution = boxes("resolution"))
    objects = [
        input("boxes", shape = ["batch", "objects", 4], dtype = "INT64", distribution = boxes("resolution")),
        input("labels", shape = ["batch", "objects"], dtype = "INT64", distribution = integers("num_classes", low = 1)),
    ] + ([input("masks", shape = ["batch", "objects", "resolution", "resolution"], dtype = "BOOL", distribution = bernoulli(0.5))] if masks else [])
    learns = gives == "losses"
    of_image = [
        parameter("box_batch_size_per_image", "integer", default = 512, minimum = 4, maximum = 10000, suffix = "n", description = "the most regions of an image that count in the losses; a quarter of them may show an object"),
        parameter("objects", "integer", default = 8, maximum = 1000, description = "objects that an image has"),
    ] if learns else [
        parameter("detections_per_img", "integer", default = 100, maximum = 1000, suffix = "d", description = "the most boxes of an image; of given regions so many get a mask"),
        parameter("gives_detections", "flag", default = gives == "detections", description = "whether the output is boxes, as the name of the implementation says"),
    ]
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
            parameter("regions", "integer", default = 2000 if learns else 1000, maximum = 10000, suffix = "k", description = "regions of an image: " + _REGIONS[gives]),
            parameter("masks", "flag", default = masks, description = "whether a region gets a mask, as the name of the implementation says"),
        ] + of_image + [
            parameter("resolution", "integer", default = 800, minimum = 32, maximum = 4096, suffix = "r", description = "height and width of the image, pixels; a multiple of 32"),
        ],
        inputs = [image] + {"detections": [], "losses": objects, "numbers": [regions]}[gives],
        outputs = outputs,
        trainable = learns,
        detector = gives == "numbers",
        keeps_statistics = not learns,
        unit = "image",
    )

_NUMBERS = [
    output("objectness", shape = ["batch", "*"]),
    output("pred_bbox_deltas", shape = ["batch", "*", 4]),
    output("class_logits", shape = ["batch", "regions", "num_classes"]),
    output("box_regression", shape = ["batch", "regions", "num_classes*4"]),
]
_DETECTIONS = [output("detections", shape = ["batch", "detections_per_img", 6])]
_LOSSES = [output("loss_" + of, shape = []) for of in ["objectness", "rpn_box_reg", "classifier", "box_reg"]]

IMPLEMENTATION = _implementation(
    "rcnn",
    "Faster R-CNN: for each anchor a score and the code of a box, for each of the given regions a score and a code of each class.",
    _NUMBERS,
    False,
    "numbers",
)

IMPLEMENTATION_MASKS = _implementation(
    "rcnn_masks",
    "Mask R-CNN: as Faster R-CNN, and for the first of the given regions a mask of each class.",
    _NUMBERS + [output("mask_logits", shape = ["batch", "detections_per_img", "num_classes", "*", "*"])],
    True,
    "numbers",
)

IMPLEMENTATION_DETECTIONS = _implementation(
    "rcnn_detections",
    "Faster R-CNN as a whole: label, score and corners of each box.",
    _DETECTIONS,
    False,
    "detections",
)

IMPLEMENTATION_MASKS_DETECTIONS = _implementation(
    "rcnn_masks_detections",
    "Mask R-CNN as a whole: label, score, corners and mask of each box.",
    _DETECTIONS + [output("masks", shape = ["batch", "detections_per_img", "*", "*"], rule = "RELATIVE_TO_STD")],
    True,
    "detections",
)

IMPLEMENTATION_LOSSES = _implementation(
    "rcnn_losses",
    "Faster R-CNN that learns: the losses of its anchors and of the regions that it chooses.",
    _LOSSES,
    False,
    "losses",
)

IMPLEMENTATION_MASKS_LOSSES = _implementation(
    "rcnn_masks_losses",
    "Mask R-CNN that learns: as Faster R-CNN, and the loss of masks.",
    _LOSSES + [output("loss_mask", shape = [])],
    True,
    "losses",
)

_LAYERS = {"resnet50": [3, 4, 6, 3], "resnet101": [3, 4, 23, 3]}

_TINY = {"block": "basic", "layers": [1, 1, 1, 1], "fpn_channels": 32, "representation_size": 64, "num_classes": 7}

def _of_image(implementation, regions, most):
    most_of = "box_batch_size_per_image" if implementation.trainable else "detections_per_img"
    return {"regions": regions, most_of: most}

def _tiny(name, implementation, features):
    return model(
        name,
        implementation,
        description = "%s on a ResNet of four basic blocks, with 32 channels a level." % ("Mask R-CNN" if name.startswith("mask") else "Faster R-CNN"),
        parameters = dict(_TINY, features = features, **(_of_image(implementation, 24, 16) if implementation.trainable else _of_image(implementation, 8, 6))),
        smoke_parameters = {"resolution": 32},
    )

def _models(network, suffix, features, implementation):
    return [
        model(
            "%s_%s_%s%s" % (network, backbone, feature, suffix),
            implementation,
            parameters = {"layers": layers, "features": feature},
            smoke_parameters = dict(_of_image(implementation, 8, 4), layers = [1, 1, 1, 1], resolution = 64),
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
MODELS_FASTER_LOSSES = _both("fasterrcnn", ["fpn", "c4", "dc5"], "c4", "_losses", IMPLEMENTATION_LOSSES)
MODELS_MASK_LOSSES = _both("maskrcnn", ["fpn", "c4"], "fpn", "_losses", IMPLEMENTATION_MASKS_LOSSES)
