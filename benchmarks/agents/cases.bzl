"""The cases of the agents family: what networks say about states, images and strokes, and training of critics and the renderer."""

load("//defs:cases.bzl", "adam", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify")
load("//models/agents:variants.bzl", "PUBLISHED", "TINY")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_IMAGES = ["painting_actor", "painting_critic", "stroke_renderer"]

# A row's output is one number, or a few.
_VERIFY = {dtype: default_verify(dtype, batch = 64) for dtype in _DTYPES}

def _named(models, images):
    return [m.name for m in models if (m.implementation.name in _IMAGES) == images]

CASES = [
    cases(models = _named(TINY, False), dtypes = _DTYPES, batches = [1, 64], large = [matching(dtype = ["bf16", "fp16"])], verify = _VERIFY),
    cases(models = _named(TINY, True), dtypes = _DTYPES, batches = [1, 8], large = [matching(dtype = ["bf16", "fp16"])]),
    cases(
        models = [m.name for m in TINY if m.implementation.trainable],
        dtypes = ["fp32", "fp64"],
        batches = [8],
        large = [matching(dtype = ["fp32"]), matching(model = ["painting_critic_tiny"])],
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = 0.05, momentum = 0.9), adam(learning_rate = 5e-4, epsilon = 1e-6)],
            loss = "own",
        ),
    ),
    cases(models = _named(PUBLISHED, False), dtypes = ["fp32", "bf16"], batches = [1, 128, 256], large = [matching()], verify = _VERIFY),
    cases(models = _named(PUBLISHED, True), dtypes = ["fp32", "bf16"], batches = [1, 64, 96], large = [matching()]),
]
