"""Vision transformers as torchvision 0.26 builds them: pure data."""

load("//defs:variants.bzl", "image_preset", "parameter")
load("//models:image_classifier.bzl", "classifier", "image_classifier")

IMPLEMENTATION = image_classifier(
    name = "vit",
    description = "Vision transformer, an encoder over patches of the image and a class token.",
    file = "vision_transformer",
    parameters = [
        parameter("patch_size", "integer", maximum = 256, description = "height and width of a patch, pixels; a divisor of the resolution"),
        parameter("layers", "integer", maximum = 256, description = "encoder layers"),
        parameter("heads", "integer", maximum = 256, description = "attention heads; a divisor of hidden"),
        parameter("hidden", "integer", maximum = 16384, description = "width of a token"),
    ],
    keeps_statistics = False,
)

def _vit(name, patch_size, layers, heads, hidden, preset = image_preset(256)):
    return classifier(
        name,
        IMPLEMENTATION,
        parameters = {"patch_size": patch_size, "layers": layers, "heads": heads, "hidden": hidden},
        preset = preset,
        smoke_parameters = {"resolution": 2 * patch_size, "layers": 1, "heads": 2, "hidden": 32},
    )

MODELS = [
    _vit("vit_b_32", 32, 12, 12, 768),
    _vit("vit_b_16", 16, 12, 12, 768),
    _vit("vit_l_16", 16, 24, 16, 1024, image_preset(242)),
    _vit("vit_l_32", 32, 24, 16, 1024),
    _vit("vit_h_14", 14, 32, 16, 1280, image_preset(518, crop = 518, interpolation = "bicubic")),
]
