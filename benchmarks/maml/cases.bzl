"""The cases of the maml family: training steps over tasks, the adaptation alone, and small networks for tests."""

load("//defs:cases.bzl", "adam", "cases", "matching", "nondeterministic", "sgd", "training")

_DTYPES = ["fp32", "fp64"]
_LOOPS = ["maml", "maml_omniglot"]

_INNER_GRADIENTS = [nondeterministic("the inner steps' gradients of convolutions and of max_pool2d add in no fixed order")]

# TorchBench's, with an epsilon above the rounding errors of small gradients.
_ADAM = adam(learning_rate = 1e-3, epsilon = 1e-4)

def _training(models, optimizers, **row):
    return cases(models = models, dtypes = _DTYPES, run = training(optimizers, loss = "own"), **row)

CASES = [
    cases(models = [m + "_tiny" for m in _LOOPS], dtypes = _DTYPES, batches = [1, 2], nondeterministic = _INNER_GRADIENTS),
    cases(models = _LOOPS, dtypes = _DTYPES, batches = [1, 32], large = [matching()], nondeterministic = _INNER_GRADIENTS),
    # TorchBench's maml adapts by ten steps where it evaluates.
    cases(models = ["maml"], dtypes = ["fp32"], batches = [1], parameters = [{"steps": 10}], large = [matching()], nondeterministic = _INNER_GRADIENTS),
    # One task alone: a golden would count norms, of which Python's loop has as many as tasks.
    cases(models = ["functorch_maml_omniglot"], dtypes = _DTYPES, batches = [1], large = [matching()], nondeterministic = _INNER_GRADIENTS),
    _training([m + "_tiny" for m in _LOOPS + ["functorch_maml_omniglot"]], [sgd(learning_rate = 0.1, momentum = 0.9), _ADAM], batches = [2], large = [matching(dtype = ["fp32"])]),
    _training(["maml"], [_ADAM], batches = [32], large = [matching()]),
    _training(["maml_omniglot", "functorch_maml_omniglot"], [_ADAM], batches = [8], large = [matching()]),
]
