"""The network of Background Matting, with the size of images that TorchBench gives it, and a small one: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

def _image(channels):
    return ["batch", channels, "resolution", "resolution"]

IMPLEMENTATION = model_implementation(
    name = "background_matting",
    description = "Background Matting: opacity and colours of what stands before a known background.",
    owner = "assay",
    source_url = "https://github.com/senguptaumd/Background-Matting/blob/master/networks.py",
    reference = "INDEPENDENT",
    reference_script = "models/background_matting/reference.py",
    parameters = [
        parameter("channels", "integer", default = 64, maximum = 1024, description = "of the first convolution; the blocks have four times as many"),
        parameter("blocks", "integer", default = 7, maximum = 256, description = "residual blocks of both results"),
        parameter("branch_blocks", "integer", default = 3, maximum = 256, description = "residual blocks of each result alone"),
        parameter("resolution", "integer", default = 512, minimum = 8, maximum = 4096, suffix = "r", description = "height and width of the image, pixels; a multiple of 4"),
    ],
    inputs = [
        input("image", shape = _image(3)),
        input("background", shape = _image(3)),
        input("segmentation", shape = _image(1)),
        input("frames", shape = _image(4)),
    ],
    outputs = [output("alpha", shape = _image(1)), output("foreground", shape = _image(3))],
    keeps_statistics = True,
    unit = "image",
)

_TINY = {"blocks": 1, "branch_blocks": 1, "channels": 8, "resolution": 16}

MODELS = [
    model("background_matting_tiny", IMPLEMENTATION, parameters = _TINY, description = "Few channels, which tests can afford."),
    model("background_matting", IMPLEMENTATION, smoke_parameters = _TINY),
]
