"""YOLOv3 for the 80 classes of COCO: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

def _implementation(name, description, config, sides):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/pjreddie/darknet/blob/master/cfg/%s.cfg" % config,
        reference = "INDEPENDENT",
        reference_script = "models/yolov3/reference.py",
        parameters = [parameter("num_classes", "integer", default = 80, description = "classes of what a box may hold")] + sides,
        inputs = [input("image", shape = ["batch", 3, sides[0].name, sides[-1].name])],
        # 63 boxes for each 32 x 32 pixels, and five numbers beside the classes.
        outputs = [output("predictions", shape = ["batch", "*", "*"])],
        unit = "image",
        keeps_statistics = True,
    )

def _side(name, default, suffix, what):
    return parameter(name, "integer", default = default, minimum = 32, maximum = 4096, suffix = suffix, description = what + " of the image, pixels; a multiple of 32")

IMPLEMENTATION = _implementation(
    name = "yolov3",
    description = "YOLOv3 on Darknet-53: boxes at three sizes, before anchors place them in the image.",
    config = "yolov3",
    sides = [_side("resolution", 416, "r", "height and width")],
)

SPP = _implementation(
    name = "yolov3_spp",
    description = "YOLOv3 with a pyramid of pooled features in front of its first head.",
    config = "yolov3-spp",
    sides = [_side("height", 384, "h", "height"), _side("width", 512, "w", "width")],
)

MODELS = [
    model("yolov3", IMPLEMENTATION, smoke_parameters = {"resolution": 32}),
    model("yolov3_spp", SPP, smoke_parameters = {"height": 32, "width": 64}),
]
