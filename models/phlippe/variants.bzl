"""The networks for images of 32 x 32 pixels of the UvA deep learning course, with TorchBench's names: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "output", "parameter")

def _implementation(name, description, parameters, minimum):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/phlippe/uvadlc_notebooks/tree/master/docs/tutorial_notebooks/tutorial5",
        reference = "INDEPENDENT",
        reference_script = "models/phlippe/reference.py",
        parameters = parameters + [
            parameter("num_classes", "integer", default = 10, description = "logits"),
            parameter("resolution", "integer", default = 32, minimum = minimum, maximum = 4096, suffix = "r", description = "height and width of the image, pixels"),
        ],
        inputs = [input("image", shape = ["batch", 3, "resolution", "resolution"])],
        outputs = [output("logits", shape = ["batch", "num_classes"])],
        targets = [input("labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "num_classes"))],
        keeps_statistics = True,
        unit = "image",
    )

RESNET = _implementation(
    name = "phlippe_resnet",
    description = "A ResNet of three narrow stages.",
    parameters = [
        parameter("layers", "integers", default = [3, 3, 3], maximum = 256, description = "blocks in each stage"),
        parameter("channels", "integers", default = [16, 32, 64], maximum = 4096, description = "of each stage"),
    ],
    minimum = 1,
)

DENSENET = _implementation(
    name = "phlippe_densenet",
    description = "A narrow DenseNet.",
    parameters = [
        parameter("layers", "integers", default = [6, 6, 6, 6], maximum = 256, description = "layers in each of the four blocks"),
        parameter("growth", "integer", default = 16, maximum = 1024, description = "channels that a layer adds"),
    ],
    minimum = 8,
)

MODELS = [
    model("phlippe_resnet", RESNET, smoke_parameters = {"layers": [1, 1, 2]}),
    model("phlippe_densenet", DENSENET, smoke_parameters = {"layers": [1, 1, 2, 1]}),
]
