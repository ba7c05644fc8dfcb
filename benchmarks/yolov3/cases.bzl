"""The cases of the yolov3 family: images of the paper's 416 pixels a side, YOLOv3-SPP's of TorchBench, and small ones; 16 rows are TorchBench's."""

load("//defs:cases.bzl", "cases", "matching")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(
        models = ["yolov3"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = [{"resolution": 64}],
        large = [matching(dtype = ["fp16"])],
    ),
    # Another grid than that of 64 pixels; YOLOv3-SPP's grid is another one by default.
    cases(models = ["yolov3"], dtypes = ["fp64"], batches = [2], parameters = [{"resolution": 96}], large = [matching()]),
    cases(
        models = ["yolov3_spp"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = [{"height": 64, "width": 96}],
        large = [matching(dtype = ["fp32", "bf16", "fp16"])],
    ),
    cases(models = ["yolov3"], dtypes = _DTYPES, batches = [1, 8, 16, 64], large = [matching()]),
    cases(models = ["yolov3_spp"], dtypes = ["fp32", "bf16"], batches = [1, 8, 16], large = [matching()]),
]
