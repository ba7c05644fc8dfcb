"""The cases of the wavernn family: rows of five frames, torchaudio's published sizes, and a small one for tests."""

load("//defs:cases.bzl", "adam", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "verify")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

_FP32_TRAINING = verify(
    rms_limit = 1e-5,
    max_limit = 1e-4,
    gradient_factor = 10,
    provenance = "the defaults, but that of a largest gradient, 70 times their std: wavernn_tiny b8, Adam's third step, off by 1.04e-4 of std",
)

CASES = [
    cases(models = ["wavernn_tiny"], dtypes = _DTYPES, batches = [1, 8, 64], large = [matching(dtype = ["fp16"])]),
    # 256 is the batch size of torchaudio's training example. The tiny one runs the same code.
    cases(models = ["wavernn"], dtypes = _DTYPES, batches = [1, 8, 64, 256], large = [matching()]),
    cases(
        models = ["wavernn_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp32"])],
        verify = dict(AUTOCAST_TRAINING, fp32 = _FP32_TRAINING),
        run = training(
            [sgd(learning_rate = 0.05, momentum = 0.9), adam(learning_rate = 5e-4, epsilon = 1e-6)],
            loss = "own",
        ),
    ),
]
