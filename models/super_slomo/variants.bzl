"""Super SloMo, with the size of frames that TorchBench gives it, and a small one: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "output", "parameter")

_FRAME = ["batch", 3, "resolution", "resolution"]

IMPLEMENTATION = model_implementation(
    name = "super_slomo",
    description = "Super SloMo: a frame between two others, by flows that two U-Nets find.",
    owner = "assay",
    source_url = "https://github.com/avinashpaliwal/Super-SloMo/blob/master/model.py",
    reference = "INDEPENDENT",
    reference_script = "models/super_slomo/reference.py",
    parameters = [
        parameter("channels", "integer", default = 32, maximum = 1024, description = "of the first convolution; they double where the image is halved"),
        parameter("resolution", "integer", default = 352, minimum = 32, maximum = 4096, suffix = "r", description = "height and width of a frame, pixels; a multiple of 32"),
    ],
    inputs = [
        input("before", shape = _FRAME),
        input("after", shape = _FRAME),
        input("number", shape = ["batch"], dtype = "INT64", distribution = integers(limit = 7)),
    ],
    outputs = [output("frame", shape = _FRAME)],
    unit = "image",
)

_TINY = {"channels": 4, "resolution": 32}

MODELS = [
    model("super_slomo_tiny", IMPLEMENTATION, parameters = _TINY, description = "Few channels, which tests can afford."),
    model("super_slomo", IMPLEMENTATION, smoke_parameters = _TINY),
]
