"""Semantic segmentation into the 21 classes of Pascal VOC, as torchvision 0.26 builds it: pure data.

Each network is there as torchvision builds it by default, and with the auxiliary head that its published weights have
(<name>_aux; lraspp has none). The first takes those weights too: --weights leaves the auxiliary head out and says so.
"""

load("//defs:variants.bzl", "checkpoint_extras", "input", "model", "model_implementation", "output", "parameter")

_OUTPUT_SHAPE = ["batch", "num_classes", "resolution", "resolution"]

def _implementation(name, aux_loss):
    return model_implementation(
        name = name,
        description = "FCN, DeepLabV3 and LR-ASPP: a class's score for each pixel" + (", and those of an auxiliary head." if aux_loss else "."),
        owner = "assay",
        source_url = "https://github.com/pytorch/vision/tree/v0.26.0/torchvision/models/segmentation",
        reference = "INDEPENDENT",
        reference_script = "models/segmentation/reference.py",
        parameters = [
            parameter("head", "text", allowed = ["fcn", "deeplabv3", "lraspp"], description = "what makes scores of features"),
            parameter("backbone", "text", allowed = ["resnet50", "resnet101", "mobilenet_v3_large"], description = "what makes features of the image"),
            parameter("aux_loss", "flag", default = aux_loss, description = "whether features from the middle make scores as well, as the name of the implementation says"),
            parameter("num_classes", "integer", default = 21, description = "scores of a pixel"),
            parameter("resolution", "integer", default = 520, maximum = 4096, suffix = "r", description = "height and width of the image, pixels"),
        ],
        inputs = [input("image", shape = ["batch", 3, "resolution", "resolution"])],
        outputs = [output("out", shape = _OUTPUT_SHAPE)] + ([output("aux", shape = _OUTPUT_SHAPE)] if aux_loss else []),
        unit = "image",
        checkpoint_extras = None if aux_loss else checkpoint_extras(heads = ["aux_classifier"]),
        keeps_statistics = True,
    )

IMPLEMENTATION = _implementation("segmentation", False)
IMPLEMENTATION_AUX = _implementation("segmentation_aux", True)

def _segmentation(implementation, suffix, head, backbone):
    return model(
        "%s_%s%s" % (head, backbone, suffix),
        implementation,
        parameters = {"head": head, "backbone": backbone},
        smoke_parameters = {"resolution": 32},
    )

_WITH_AUX = [
    ("fcn", "resnet50"),
    ("fcn", "resnet101"),
    ("deeplabv3", "resnet50"),
    ("deeplabv3", "resnet101"),
    ("deeplabv3", "mobilenet_v3_large"),
]

MODELS = [_segmentation(IMPLEMENTATION, "", *n) for n in _WITH_AUX + [("lraspp", "mobilenet_v3_large")]]
MODELS_AUX = [_segmentation(IMPLEMENTATION_AUX, "_aux", *n) for n in _WITH_AUX]
