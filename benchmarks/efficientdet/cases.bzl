"""The cases of the efficientdet family: d0 at its own size, TorchBench's d1 at its own, and small ones for tests.

The heads' numbers are compared as numbers, the boxes as sets, in float32 and float64 alone (benchmarks/retinanet/cases.bzl says why).
"""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_family.bzl", "small_training_cases")
load("//defs:tolerances.bzl", "detections")
load("//models:detector.bzl", "NMS_SKIPS")

def _boxes(corner_limit, score_limit):
    return detections(
        corner_limit = corner_limit,
        score_limit = score_limit,
        provenance = "efficientdet_tiny and tf_efficientdet_tiny b1 r128, efficientdet_d0 and tf_efficientdet_d1 b2: all found; in fp32 corners within 3.6e-4 px, scores 1.4e-7; in fp64 6.4e-14 px, 2.2e-16",
    )

_SMALL = [{"resolution": 128}]

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(models = ["efficientdet_tiny"], dtypes = ["fp32", "fp64", "bf16", "fp16"], batches = [1, 8], parameters = _SMALL, large = [matching(dtype = ["bf16", "fp16"]), matching(batch = [8])]),
    cases(models = ["tf_efficientdet_tiny"], dtypes = ["fp32", "fp64"], batches = [1, 8], parameters = _SMALL, large = [matching(dtype = ["fp32"]), matching(batch = [8])]),
    cases(models = ["efficientdet_d0", "tf_efficientdet_d1"], dtypes = ["fp32", "bf16"], batches = [1, 8], large = [matching()]),
    cases(
        models = ["efficientdet_tiny_detections", "tf_efficientdet_tiny_detections"],
        dtypes = ["fp32", "fp64"],
        batches = [1],
        parameters = _SMALL,
        large = [matching(dtype = ["fp32"]), matching(model = ["tf_efficientdet_tiny_detections"])],
        skips = NMS_SKIPS,
        verify = {"fp32": _boxes(2e-3, 4e-6), "fp64": _boxes(1e-9, 1e-12)},
    ),
    cases(models = ["efficientdet_d0_detections", "tf_efficientdet_d1_detections"], dtypes = ["fp32"], batches = [1, 8], large = [matching()], skips = NMS_SKIPS, verify = {"fp32": _boxes(2e-3, 4e-6)}),
    small_training_cases(["efficientdet_tiny"], resolution = 128, batch = 4, loss = "own"),
]
