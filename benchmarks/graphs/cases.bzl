"""The cases of the graphs family: logits of the nodes of one graph and of several, and training."""

load("//defs:cases.bzl", "adam", "cases", "matching", "nondeterministic", "sgd", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:nondeterminism.bzl", "SCATTERED_SUMS")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")
load("//models/graphs:variants.bzl", "PUBLISHED", "SORTED", "TINY")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_SUMS = [nondeterministic(SCATTERED_SUMS)]

def _names(models):
    return [m.name for m in models]

CASES = [
    cases(models = _names(TINY), dtypes = _DTYPES, batches = [1, 4], large = left_out_by_default(TINY), nondeterministic = _SUMS),
    cases(models = _names(PUBLISHED), dtypes = ["fp32", "bf16", "fp16"], batches = [1], large = [matching()], nondeterministic = _SUMS),
    cases(models = _names(SORTED), dtypes = ["fp32"], batches = [1], large = [matching()], nondeterministic = _SUMS),
    cases(
        models = _names(TINY),
        dtypes = ["fp32", "fp64"],
        batches = [4],
        large = left_out_by_default(TINY),
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = 0.05, momentum = 0.9), adam(learning_rate = 5e-4, epsilon = 1e-6)],
            loss = "own",
        ),
    ),
]
