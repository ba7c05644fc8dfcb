"""YOLOv3 for the 80 classes of COCO: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "yolov3",
    description = "YOLOv3 on Darknet-53: boxes at three sizes, before anchors place them in the image.",
    owner = "assay",
    source_url = "https://github.com/pjreddie/darknet/blob/master/cfg/yolov3.cfg",
    reference = "INDEPENDENT",
    reference_script = "models/yolov3/reference.py",
    parameters = [
        parameter("num_classes", "integer", default = 80, description = "classes of what a box may hold"),
        parameter("resolution", "integer", default = 416, minimum = 32, maximum = 4096, suffix = "r", description = "height and width of the image, pixels; a multiple of 32"),
    ],
    inputs = [input("image", shape = ["batch", 3, "resolution", "resolution"])],
    # 63 boxes for each 32 x 32 pixels, and five numbers beside the classes.
    outputs = [output("predictions", shape = ["batch", "*", "*"])],
    unit = "image",
    keeps_statistics = True,
)

MODELS = [model("yolov3", IMPLEMENTATION, smoke_parameters = {"resolution": 32})]
