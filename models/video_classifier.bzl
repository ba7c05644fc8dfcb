"""video_classifier(): the declaration that torchvision's classifiers of videos share: a video in, 400 logits out.

Example, in models/<family>/variants.bzl:

    IMPLEMENTATION = video_classifier(
        name = "s3d",
        description = "S3D.",
        frames = 16,
        resolution = 224,
        minimum_frames = 13,
        minimum_resolution = 209,
    )
    MODELS = [model("s3d", IMPLEMENTATION)]
"""

load("//defs:variants.bzl", "input", "integers", "model_implementation", "output", "parameter")

_SOURCE = "https://github.com/pytorch/vision/blob/v0.26.0/torchvision/models/video/%s.py"

def video_classifier(name, description, frames, resolution, file = None, parameters = [], minimum_frames = 1, minimum_resolution = 1, keeps_statistics = True):
    """A model_implementation() whose source is torchvision 0.26 and whose reference is models/<name>/reference.py.

    Args:
      name: of the implementation and of its folder.
      description: one sentence.
      frames: of a video, by default.
      resolution: height and width of a frame, by default.
      file: of torchvision's models of videos, without .py; None: the name.
      parameters: those beside num_classes, frames and resolution.
      minimum_frames: below it, a layer has nothing left to work on.
      minimum_resolution: likewise.
      keeps_statistics: whether it has batch norms.
    Returns:
      what model() takes.
    """
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = _SOURCE % (file or name),
        reference = "INDEPENDENT",
        reference_script = "models/%s/reference.py" % name,
        parameters = parameters + [
            parameter("num_classes", "integer", default = 400, description = "logits"),
            parameter("frames", "integer", default = frames, minimum = minimum_frames, maximum = 4096, suffix = "f", description = "frames of a video"),
            parameter("resolution", "integer", default = resolution, minimum = minimum_resolution, maximum = 4096, suffix = "r", description = "height and width of a frame, pixels"),
        ],
        inputs = [input("video", shape = ["batch", 3, "frames", "resolution", "resolution"])],
        outputs = [output("logits", shape = ["batch", "num_classes"])],
        targets = [input("labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "num_classes"))],
        keeps_statistics = keeps_statistics,
        unit = "video",
    )
