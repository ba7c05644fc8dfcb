"""The cases of the dlrm family: click probabilities, and training."""

load("//defs:cases.bzl", "adamw", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# A row's output is one number: two rows, as other references have, would say little.
_VERIFY = {dtype: default_verify(dtype, batch = 64) for dtype in _DTYPES}

CASES = [
    cases(
        models = ["dlrm_tiny"],
        dtypes = _DTYPES,
        batches = [1, 8, 128],
        large = [matching(dtype = ["fp16"])],
        verify = _VERIFY,
    ),
    # TorchBench has 1,000 rows, DLRM's own script 2,048. The tables take 2 GB.
    cases(
        models = ["dlrm", "dlrm_ragged"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 1000, 2048],
        large = [matching()],
        verify = _VERIFY,
    ),
    cases(
        models = ["dlrm_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [8],
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = 0.05, momentum = 0.9), adamw(learning_rate = 5e-4, epsilon = 1e-6)],
            loss = "own",
        ),
    ),
]
