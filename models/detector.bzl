"""detector(): the declaration that detectors of one stage share: an image in, the numbers of the heads or boxes out.

Example, in models/<family>/variants.bzl:

    IMPLEMENTATION = detector(
        name = "retinanet",
        description = "RetinaNet.",
        parameters = PYRAMID + [parameter("num_classes", "integer", default = 91, description = "labels of a box")],
        outputs = [output("cls_logits", shape = ["batch", "*", "num_classes"])],
    )
    IMPLEMENTATION_DETECTIONS = detector(name = "retinanet_detections", family = "retinanet", ...)   # without outputs: boxes
"""

load("//defs:cases.bzl", "skip")
load("//defs:variants.bzl", "boxes", "input", "integers", "model_implementation", "output", "parameter")

# The skips of the cases whose output is boxes, for benchmarks/<family>/cases.bzl.
NMS_SKIPS = [skip("nms is here for the CPU alone", device = "CUDA")]

_SOURCE = "https://github.com/pytorch/vision/blob/v0.26.0/torchvision/models/detection/%s.py"

def pyramid(fpn_channels = "channels of each level of the pyramid"):
    """Parameters of a ResNet with a pyramid of features (models/layers/detection/feature_pyramid.h).

    Args:
      fpn_channels: what the parameter of this name is.
    Returns:
      a list of parameter().
    """
    return [
        parameter("block", "text", default = "bottleneck", allowed = ["basic", "bottleneck"], description = "residual block of the backbone"),
        parameter("layers", "integers", default = [3, 4, 6, 3], maximum = 256, description = "blocks in each of the backbone's four stages"),
        parameter("fpn_channels", "integer", default = 256, maximum = 4096, description = fpn_channels),
    ]

def detector(name, description, parameters, outputs = None, family = None, resolution = None, multiple = 32, keeps_statistics = True, source_url = None):
    """A model_implementation() whose reference is models/<family>/reference.py.

    Args:
      name: of the implementation.
      description: one sentence.
      parameters: the network's, num_classes and detections_per_img among them.
      outputs: the numbers of the heads; None: boxes, "detections", which are chosen in Forward.
      family: its folder; None: the name.
      resolution: height and width of the image, pixels, if it takes this size alone; None: a parameter.
      multiple: of which such a parameter is one.
      keeps_statistics: whether it has batch norms.
      source_url: of the code; None: torchvision 0.26's file <family>.py.
    Returns:
      what model() takes.
    """
    family = family or name
    sizes = [] if resolution else [parameter("resolution", "integer", default = 800 // multiple * multiple, minimum = multiple, maximum = 4096, suffix = "r", description = "height and width of the image, pixels; a multiple of %d" % multiple)]
    resolution = resolution or "resolution"
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = source_url or _SOURCE % family,
        reference = "INDEPENDENT",
        reference_script = "models/%s/reference.py" % family,
        parameters = parameters + [
            parameter("gives_detections", "flag", default = outputs == None, description = "whether the output is boxes, as the name of the implementation says"),
        ] + sizes + [
            parameter("objects", "integer", default = 8, maximum = 1000, description = "boxes that an image of a training case has"),
        ],
        inputs = [input("image", shape = ["batch", 3, resolution, resolution])],
        outputs = outputs or [output("detections", shape = ["batch", "detections_per_img", 6])],
        targets = [] if outputs == None else [
            input("boxes", shape = ["batch", "objects", 4], dtype = "INT64", distribution = boxes(resolution)),
            input("labels", shape = ["batch", "objects"], dtype = "INT64", distribution = integers("num_classes")),
        ],
        trainable = outputs != None,
        detector = outputs != None,
        keeps_statistics = keeps_statistics,
        unit = "image",
    )
