"""The DCGAN of pytorch/examples, a generator and a discriminator of images of 64 x 64 pixels: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "normal", "output", "parameter")

def _implementation(name, description, parameters, inputs, outputs):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/pytorch/examples/blob/main/dcgan/main.py",
        reference = "INDEPENDENT",
        reference_script = "models/dcgan/reference.py",
        parameters = parameters + [parameter("features", "integer", default = 64, maximum = 1024, description = "channels beside the image; they double where it is halved")],
        inputs = inputs,
        outputs = outputs,
        unit = "image",
        keeps_statistics = True,
    )

GENERATOR = _implementation(
    name = "dcgan_generator",
    description = "Transposed convolutions make images of noise.",
    parameters = [parameter("latent_features", "integer", default = 100, maximum = 4096, description = "numbers of noise for an image")],
    inputs = [input("noise", shape = ["batch", "latent_features", 1, 1], distribution = normal())],
    outputs = [output("image", shape = ["batch", 3, 64, 64])],
)

DISCRIMINATOR = _implementation(
    name = "dcgan_discriminator",
    description = "Convolutions tell whether images are real ones.",
    parameters = [],
    inputs = [input("image", shape = ["batch", 3, 64, 64])],
    outputs = [output("probability", shape = ["batch"])],
)

_SMALL = {"features": 8}

MODELS = [
    model("dcgan_generator", GENERATOR, smoke_parameters = _SMALL),
    model("dcgan_discriminator", DISCRIMINATOR, smoke_parameters = _SMALL),
]
