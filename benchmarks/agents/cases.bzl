"""The cases of the agents family: what networks say about states, images and strokes, and training of critics and the renderer."""

load("//defs:cases.bzl", "adam", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify", "verify")
load("//models/agents:variants.bzl", "PUBLISHED", "TINY")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_IMAGES = ["painting_actor", "stroke_renderer"]

# A row's output is one number, or a few.
_VERIFY = {dtype: default_verify(dtype, batch = 64) for dtype in _DTYPES}

# The critic's value is 75 times as large as its deviation over rows, since it is a mean over images of noise.
_VALUE = {"fp32": verify(
    rms_limit = 1e-4,
    max_limit = 1e-3,
    provenance = "float32 rounds the value at 1e-5 of its std: painting_critic b2 rms 1.05e-5, max 1.2e-5 on a CPU",
)}

def _named(models, images):
    return [m.name for m in models if m.implementation.name != "painting_critic" and (m.implementation.name in _IMAGES) == images]

def _training(models, rate):
    return cases(
        models = models,
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp32"]), matching(model = ["painting_critic_tiny"])],
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = rate, momentum = 0.9), adam(learning_rate = 5e-4, epsilon = 1e-6)],
            loss = "own",
        ),
    )

CASES = [
    cases(models = ["painting_critic_tiny"], dtypes = ["fp32", "fp64"], batches = [1, 8], verify = _VALUE),
    cases(models = ["painting_critic"], dtypes = ["fp32"], batches = [1, 96], large = [matching()], verify = _VALUE),
    cases(models = _named(TINY, False), dtypes = _DTYPES, batches = [1, 64], large = [matching(dtype = ["bf16", "fp16"])], verify = _VERIFY),
    cases(models = _named(TINY, True), dtypes = _DTYPES, batches = [1, 8], large = [matching(dtype = ["bf16", "fp16"])]),
    _training(["drq_critic_tiny", "sac_critic_tiny", "painting_critic_tiny"], rate = 0.05),
    # A rate at which the updates stand out of the weights' rounding.
    _training(["stroke_renderer_tiny"], rate = 0.5),
    cases(models = _named(PUBLISHED, False), dtypes = ["fp32"], batches = [1, 128, 256], large = [matching()], verify = _VERIFY),
    cases(models = _named(PUBLISHED, True), dtypes = ["fp32"], batches = [1, 64, 96], large = [matching()]),
]
