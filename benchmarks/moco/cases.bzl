"""The cases of the moco family: a training step, evaluation, and small ones for tests."""

load("//defs:cases.bzl", "cases", "matching", "sgd", "training")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

def _training(model, batch, dtypes, learning_rate, **row):
    return cases(
        models = [model],
        dtypes = dtypes,
        batches = [batch],
        run = training([sgd(learning_rate = learning_rate, momentum = 0.9, weight_decay = 1e-4)], loss = "own"),
        **row
    )

CASES = [
    cases(models = ["moco_tiny"], dtypes = _DTYPES, batches = [1, 8], large = [matching(dtype = ["fp32", "bf16", "fp16"])]),
    cases(models = ["moco"], dtypes = _DTYPES, batches = [1, 32], large = [matching()]),
    _training("moco_tiny", 8, ["fp64"], 1e-3),
    _training("moco_tiny", 8, ["fp32"], 1e-3, large = [matching()]),
    _training("moco", 8, ["fp32", "fp64"], 1e-5, large = [matching()]),
]
