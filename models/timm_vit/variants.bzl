"""Vision transformers as timm 1.0.31 builds them: pure data."""

load("//defs:variants.bzl", "image_preset", "input", "model_implementation", "output", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

_PARAMETERS = [
    parameter("patch_size", "integer", maximum = 256, description = "height and width of a patch, pixels; a divisor of the resolution"),
    parameter("layers", "integer", maximum = 256, description = "encoder blocks"),
    parameter("heads", "integer", maximum = 256, description = "attention heads; a divisor of hidden"),
    parameter("hidden", "integer", maximum = 16384, description = "width of a token"),
    parameter("feed_forward", "integer", default = 0, minimum = 0, maximum = 65536, description = "hidden width of a block's feed-forward layers; 0: four times hidden"),
    parameter("layer_scale", "flag", default = False, description = "whether each branch of a block is scaled by channel"),
    parameter("pool", "text", default = "token", allowed = ["token", "distilled", "map"], description = "what an image is read from: a class token; it and a distillation token, each with a head, averaged; attention of a learned query to all patches"),
]

CLASSIFIER = image_classifier(
    name = "timm_vit",
    description = "Vision transformer with timm's names, an encoder over patches of the image and, most often, a class token.",
    library = "timm",
    file = "vision_transformer",
    parameters = _PARAMETERS,
    keeps_statistics = False,
)

FEATURES = model_implementation(
    name = "timm_vit_features",
    description = "Vision transformer with timm's names and without a classifier: an image in, one vector of features out.",
    owner = "assay",
    source_url = CLASSIFIER.source_url,
    reference = "INDEPENDENT",
    reference_script = CLASSIFIER.reference_script,
    parameters = _PARAMETERS + [p for p in CLASSIFIER.parameters if p.name == "resolution"],
    inputs = [input("image", shape = ["batch", 3, "resolution", "resolution"])],
    outputs = [output("features", shape = ["batch", "hidden"])],
    unit = "image",
)

def _vit(name, implementation, hidden, heads, preset = None, patch_size = 16, layers = 12, **parameters):
    return classifier(
        name,
        implementation,
        parameters = dict(parameters, patch_size = patch_size, layers = layers, heads = heads, hidden = hidden),
        preset = preset,
        smoke_parameters = {"resolution": 2 * patch_size, "layers": 1, "heads": 2, "hidden": 32, "feed_forward": 0},
    )

_PRESET = image_preset(248, interpolation = "bicubic")

_HALF_PRESET = image_preset(248, interpolation = "bicubic", mean = [0.5] * 3, std = [0.5] * 3)

CLASSIFIERS = [
    _vit("deit_tiny_patch16_224", CLASSIFIER, 192, 3, _PRESET),
    _vit("deit_base_distilled_patch16_224", CLASSIFIER, 768, 12, _PRESET, pool = "distilled"),
    _vit("vit_small_patch16_224", CLASSIFIER, 384, 6, _HALF_PRESET),
    _vit("vit_giant_patch14_224", CLASSIFIER, 1408, 16, _HALF_PRESET, patch_size = 14, layers = 40, feed_forward = 6144),
]

FEATURE_MODELS = [
    _vit("vit_base_patch16_siglip_256", FEATURES, 768, 12, resolution = 256, pool = "map"),
    _vit("vit_base_patch14_dinov2", FEATURES, 768, 12, patch_size = 14, resolution = 518, layer_scale = True),
]
