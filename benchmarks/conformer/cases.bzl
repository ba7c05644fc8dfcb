"""The cases of the conformer family."""

load("//defs:cases.bzl", "cases", "sgd", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "DTYPES", "published_cases")
load("//models/conformer:variants.bzl", "PUBLISHED", "TINY")

CASES = [
    cases(
        models = [m.name for m in TINY],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = [{"frames": 16}],
        large = left_out_by_default(TINY),
    ),
    published_cases([m.name for m in PUBLISHED], batches = [1, 8], parameters = [{"frames": 400}]),
    # It has no loss of its own: torchaudio's recipe trains it behind a transducer. The other tiny one has no statistics.
    cases(
        models = ["conformer_tiny"],
        dtypes = ["fp64"],
        batches = [2],
        parameters = [{"frames": 16}],
        run = training([sgd(learning_rate = 0.125, momentum = 0.9)], loss = "mean", clip_norm = 1.0),
    ),
]
