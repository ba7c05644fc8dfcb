"""The cases of the ssd family: images of 300 pixels a side.

The heads' numbers are compared as numbers, the boxes as sets, in float32 and float64 alone (benchmarks/retinanet/cases.bzl says why).
"""

load("//defs:cases.bzl", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "detections")
load("//models:detector.bzl", "NMS_SKIPS")

_DTYPES = ["fp32", "fp64", "bf16"]

def _boxes(corner_limit, score_limit):
    return detections(
        corner_limit = corner_limit,
        score_limit = score_limit,
        provenance = "ssd300_narrow b2, ssd300_vgg16 b2: all found; in fp32 corners within 1.7e-4 px, scores 1.2e-6; in fp64 0",
    )

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(models = ["ssd300_narrow"], dtypes = _DTYPES, batches = [1, 2]),
    cases(models = ["ssd300_vgg16"], dtypes = _DTYPES, batches = [1, 8], large = [matching()]),
    cases(models = ["ssd300_narrow_detections"], dtypes = ["fp32", "fp64"], batches = [2], skips = NMS_SKIPS, verify = {"fp32": _boxes(2e-3, 4e-6), "fp64": _boxes(1e-9, 1e-12)}),
    cases(models = ["ssd300_vgg16_detections"], dtypes = ["fp32"], batches = [1, 8], large = [matching()], skips = NMS_SKIPS, verify = {"fp32": _boxes(2e-3, 4e-6)}),
    cases(models = ["ssd300_narrow"], dtypes = ["fp64"], batches = [2], run = training([sgd(learning_rate = 1e-5, momentum = 0.9, nesterov = True, weight_decay = 1e-4)], loss = "own")),
]
