"""The cases of the recommenders family: probabilities and ratings, and training, of small tables and of published sizes."""

load("//defs:cases.bzl", "adam", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify")
load("//models/recommenders:variants.bzl", "PUBLISHED", "TINY")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# A row's output is one number.
_VERIFY = {dtype: default_verify(dtype, batch = 64) for dtype in _DTYPES}

def _names(models):
    return [m.name for m in models]

_PROBABILITIES = [m for m in TINY if m.name != "deep_recommender_tiny"]

_SGD = sgd(learning_rate = 0.05, momentum = 0.9)

def _training(models, optimizers):
    return cases(
        models = models,
        dtypes = ["fp32", "fp64"],
        batches = [16],
        large = [matching(dtype = ["fp32"])],
        verify = AUTOCAST_TRAINING,
        run = training(optimizers, loss = "own"),
    )

CASES = [
    cases(models = _names(_PROBABILITIES), dtypes = _DTYPES, batches = [1, 64], large = [matching(dtype = ["bf16", "fp16"])], verify = _VERIFY),
    cases(models = ["deep_recommender_tiny"], dtypes = _DTYPES, batches = [1, 64], large = [matching(dtype = ["bf16", "fp16"])]),
    _training(["neumf_tiny", "dlrm_v2_tiny", "deep_recommender_tiny"], [_SGD, adam(learning_rate = 5e-4, epsilon = 1e-6)]),
    # A norm makes the gradient of the bias before it zero, and Adam would make whole steps of its rounding.
    _training(["wide_deep_tiny", "din_tiny"], [_SGD]),
    # The autoencoder's batches are TorchBench's; 203 million weights.
    cases(models = _names(PUBLISHED), dtypes = ["fp32"], batches = [1, 256, 1024], large = [matching()], verify = _VERIFY),
]
