"""EfficientNet as torchvision 0.26 builds it, each at the size of its published weights: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "efficientnet",
    description = "EfficientNet and EfficientNetV2, inverted residuals with squeeze-excitation and SiLU.",
    parameters = [
        parameter("table", "text", allowed = ["b", "v2_s", "v2_m", "v2_l"], description = "which table of stages"),
        parameter("width_multiplier", "real", default = 1.0, minimum = 0.125, maximum = 8, description = "factor on the channels of table b"),
        parameter("depth_multiplier", "real", default = 1.0, minimum = 0.125, maximum = 8, description = "factor on the blocks of each stage of table b"),
        parameter("dropout", "real", default = 0.2, minimum = 0, maximum = 0.9, description = "probability of dropping an element in front of the classifier in training"),
        parameter("norm_epsilon", "real", default = 1e-5, minimum = 1e-12, maximum = 1, description = "added to the variance"),
        parameter("norm_momentum", "real", default = 0.1, minimum = 0, maximum = 1, description = "weight of the newest batch in the running statistics"),
        parameter("pads_by_size", "flag", default = False, description = "whether convolutions with a stride are padded as TensorFlow does"),
    ],
)

def _b(number, resolution, resize, width, depth, dropout, interpolation = "bicubic", **parameters):
    return classifier(
        "efficientnet_b%d" % number,
        IMPLEMENTATION,
        parameters = dict(parameters, table = "b", resolution = resolution, width_multiplier = width, depth_multiplier = depth, dropout = dropout),
        preset = image_preset(resize, crop = resolution, interpolation = interpolation),
        smoke_parameters = {"resolution": 32, "width_multiplier": 0.25, "depth_multiplier": 0.5},
    )

# The network of timm's tf_efficientnet_b0 with torchvision's names of tensors.
_TENSORFLOW = classifier(
    "efficientnet_b0_tf",
    IMPLEMENTATION,
    parameters = {"table": "b", "norm_epsilon": 1e-3, "pads_by_size": True},
    preset = None,
    smoke_parameters = {"resolution": 32, "width_multiplier": 0.25, "depth_multiplier": 0.5},
)

def _v2(size, resolution, dropout, **preset):
    return classifier(
        "efficientnet_v2_" + size,
        IMPLEMENTATION,
        parameters = {"table": "v2_" + size, "resolution": resolution, "dropout": dropout, "norm_epsilon": 1e-3},
        preset = image_preset(resolution, crop = resolution, **preset),
        smoke_parameters = {"resolution": 32},
    )

MODELS = [
    _b(0, 224, 256, 1.0, 1.0, 0.2),
    _TENSORFLOW,
    _b(1, 240, 255, 1.0, 1.1, 0.2, interpolation = "bilinear"),
    _b(2, 288, 288, 1.1, 1.2, 0.3),
    _b(3, 300, 320, 1.2, 1.4, 0.3),
    _b(4, 380, 384, 1.4, 1.8, 0.4),
    _b(5, 456, 456, 1.6, 2.2, 0.4, norm_epsilon = 1e-3, norm_momentum = 0.01),
    _b(6, 528, 528, 1.8, 2.6, 0.5, norm_epsilon = 1e-3, norm_momentum = 0.01),
    _b(7, 600, 600, 2.0, 3.1, 0.5, norm_epsilon = 1e-3, norm_momentum = 0.01),
    _v2("s", 384, 0.2),
    _v2("m", 480, 0.3),
    _v2("l", 480, 0.4, interpolation = "bicubic", mean = [0.5] * 3, std = [0.5] * 3),
]
