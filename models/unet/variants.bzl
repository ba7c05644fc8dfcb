"""The U-Net of milesial/Pytorch-UNet, with the size of image that TorchBench gives it: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "unet",
    description = "U-Net with norms: a class's score for each pixel.",
    owner = "assay",
    source_url = "https://github.com/milesial/Pytorch-UNet",
    reference = "INDEPENDENT",
    reference_script = "models/unet/reference.py",
    parameters = [
        parameter("bilinear", "flag", default = False, description = "whether images are doubled by interpolation, not by transposed convolutions"),
        parameter("num_classes", "integer", default = 2, description = "scores of a pixel"),
        parameter("height", "integer", default = 640, minimum = 16, maximum = 4096, suffix = "h", description = "of the image, pixels"),
        parameter("width", "integer", default = 959, minimum = 16, maximum = 4096, suffix = "w", description = "of the image, pixels"),
    ],
    inputs = [input("image", shape = ["batch", 3, "height", "width"])],
    outputs = [output("logits", shape = ["batch", "num_classes", "height", "width"])],
    unit = "image",
    keeps_statistics = True,
)

_SMALL = {"height": 32, "width": 39}

MODELS = [
    model("pytorch_unet", IMPLEMENTATION, smoke_parameters = _SMALL),
    model("pytorch_unet_bilinear", IMPLEMENTATION, parameters = {"bilinear": True}, smoke_parameters = _SMALL),
]
