"""CycleGAN's and StarGAN's generators, each published and small: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

_IMAGE = ["batch", 3, "resolution", "resolution"]

def _implementation(name, description, source_url, blocks, resolution, parameters = [], inputs = [], keeps_statistics = True):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = source_url,
        reference = "INDEPENDENT",
        reference_script = "models/image_generators/reference.py",
        parameters = [
            parameter("channels", "integer", default = 64, maximum = 1024, description = "of the first convolution; the blocks have four times as many"),
            parameter("blocks", "integer", default = blocks, maximum = 256, description = "residual blocks"),
            parameter("resolution", "integer", default = resolution, minimum = 8, maximum = 4096, suffix = "r", description = "height and width of the image, pixels; a multiple of 4"),
        ] + parameters,
        inputs = [input("image", shape = _IMAGE)] + inputs,
        outputs = [output("made", shape = _IMAGE)],
        keeps_statistics = keeps_statistics,
        unit = "image",
    )

CYCLEGAN = _implementation(
    name = "cyclegan_generator",
    description = "CycleGAN's generator: an image of one kind becomes one of another.",
    source_url = "https://github.com/junyanz/pytorch-CycleGAN-and-pix2pix/blob/master/models/networks.py",
    blocks = 9,
    resolution = 256,
    keeps_statistics = False,
)

STARGAN = _implementation(
    name = "stargan_generator",
    description = "StarGAN's generator: an image and the features that it shall have become another image.",
    source_url = "https://github.com/yunjey/stargan/blob/master/model.py",
    blocks = 6,
    resolution = 128,
    parameters = [parameter("labels", "integer", default = 5, maximum = 1024, description = "features of an image")],
    inputs = [input("labels", shape = ["batch", "labels"])],
)

_TINY = {"blocks": 2, "channels": 8, "resolution": 16}

def _tiny(name, implementation):
    return model(name + "_tiny", implementation, parameters = _TINY, description = "Few channels, which tests can afford.")

TINY = [
    _tiny("cyclegan_generator", CYCLEGAN),
    _tiny("stargan_generator", STARGAN),
]

MODELS = TINY + [
    model("cyclegan_generator", CYCLEGAN, smoke_parameters = _TINY),
    model("stargan_generator", STARGAN, smoke_parameters = _TINY),
]
