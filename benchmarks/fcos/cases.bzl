"""The cases of the fcos family: images of 800 pixels a side, to which torchvision resizes, and small ones.

The towers' numbers are compared as numbers, the boxes as sets, in float32 and float64 alone (benchmarks/retinanet/cases.bzl says why).
"""

load("//defs:cases.bzl", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "detections")
load("//models:detector.bzl", "NMS_SKIPS")

_DTYPES = ["fp32", "fp64", "bf16"]

def _boxes(corner_limit, score_limit):
    return detections(
        corner_limit = corner_limit,
        score_limit = score_limit,
        provenance = "fcos_tiny b2 r64, fcos_resnet50_fpn b2: all found; in fp32 corners within 3.3e-5 px, scores 3.7e-7; in fp64 0",
    )

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(models = ["fcos_tiny"], dtypes = _DTYPES, batches = [1, 2], parameters = [{"resolution": 64}]),
    cases(models = ["fcos_resnet50_fpn"], dtypes = _DTYPES, batches = [1, 8], large = [matching()]),
    cases(models = ["fcos_tiny_detections"], dtypes = ["fp32", "fp64"], batches = [2], parameters = [{"resolution": 64}], skips = NMS_SKIPS, verify = {"fp32": _boxes(2e-3, 4e-6), "fp64": _boxes(1e-9, 1e-12)}),
    cases(models = ["fcos_resnet50_fpn_detections"], dtypes = ["fp32"], batches = [1, 8], large = [matching()], skips = NMS_SKIPS, verify = {"fp32": _boxes(2e-3, 4e-6)}),
    cases(models = ["fcos_tiny"], dtypes = ["fp64"], batches = [2], parameters = [{"resolution": 128}], run = training([sgd(learning_rate = 1e-5, momentum = 0.9, nesterov = True, weight_decay = 1e-4)], loss = "own")),
]
