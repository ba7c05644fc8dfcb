"""image_classifier(): the declaration that torchvision's and timm's classifiers share: an image in, 1,000 logits out.

Example, in models/<family>/variants.bzl:

    IMPLEMENTATION = image_classifier(
        name = "alexnet",
        description = "AlexNet.",
        minimum_resolution = 63,
    )
    MODELS = [classifier("alexnet", IMPLEMENTATION, smoke_parameters = {"resolution": 64})]
"""

load("//defs:variants.bzl", "image_preset", "input", "integers", "model", "model_implementation", "output", "parameter")

_SOURCES = {
    "timm": "https://github.com/huggingface/pytorch-image-models/blob/v1.0.31/timm/models/%s.py",
    "torchvision": "https://github.com/pytorch/vision/blob/v0.26.0/torchvision/models/%s.py",
}

def image_classifier(name, description, library = "torchvision", family = None, file = None, parameters = [], minimum_resolution = 1, keeps_statistics = True, trainable = False, checkpoint_extras = None):
    """A model_implementation() whose source is torchvision 0.26 or timm 1.0.31 and whose reference is models/<family>/reference.py.

    Args:
      name: of the implementation.
      description: one sentence.
      library: "torchvision" or "timm".
      family: its folder; None: the name.
      file: of the library's models, without .py; None: the family.
      parameters: those beside num_classes and resolution.
      minimum_resolution: below it, a layer has nothing left to work on.
      keeps_statistics: whether it has batch norms.
      trainable: whether its code has a loss of its own.
      checkpoint_extras: how published checkpoints differ from the model.
    Returns:
      what model() takes.
    """
    family = family or name
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = _SOURCES[library] % (file or family),
        reference = "INDEPENDENT",
        reference_script = "models/%s/reference.py" % family,
        parameters = parameters + [
            parameter("num_classes", "integer", default = 1000, description = "logits"),
            parameter("resolution", "integer", default = 224, minimum = minimum_resolution, maximum = 4096, suffix = "r", description = "height and width of the image, pixels"),
        ],
        inputs = [input("image", shape = ["batch", 3, "resolution", "resolution"])],
        outputs = [output("logits", shape = ["batch", "num_classes"])],
        targets = [input("labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "num_classes"))],
        keeps_statistics = keeps_statistics,
        trainable = trainable,
        checkpoint_extras = checkpoint_extras,
        unit = "image",
    )

def classifier(name, implementation, preset = image_preset(256), **arguments):
    """A model() with a preset: how photographs are prepared for its published weights.

    Presets of torchvision 0.26 are the transforms of each model's DEFAULT weights. Presets of timm 1.0.31 are its pretrained
    configuration. //ci/goldens:published_models_test compares each with its source.

    Args:
      name: of the model.
      implementation: an image_classifier().
      preset: an image_preset(), by default what most want; None: one that no preset says, or no classifier.
      **arguments: of model().
    Returns:
      what benchmarks() takes as one of its `models`.
    """
    return model(name, implementation, image_preset = preset, **arguments)
