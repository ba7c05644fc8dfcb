"""The cases of the derivatives family: TorchBench's sizes, and a small grid for tests.

The equation of state has cases in float64 alone, as in TorchBench: in float32 the result of its formula is off by a twelfth of the
standard deviation (rms, on a CPU; pyhpc-benchmarks' code as well).
"""

load("//defs:cases.bzl", "adam", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify", "verify")

# Not in 16 bits: energies lie closer together than their last bit. A row's energy is one number.
_DTYPES = ["fp32", "fp64"]
_VERIFY = {dtype: default_verify(dtype, batch = 64) for dtype in _DTYPES}

_CANCELLED = verify(
    rms_limit = 5e-9,
    max_limit = 5e-8,
    provenance = "Terms of 1e7 times the result cancel. Two orders of the same terms in float64, 2000 cells: max 1.3e-9 of std.",
)

CASES = [
    cases(models = ["lennard_jones"], dtypes = _DTYPES, batches = [1, 1000], verify = _VERIFY),
    cases(
        models = ["lennard_jones"],
        dtypes = _DTYPES,
        batches = [1000],
        large = [matching(dtype = ["fp32"])],
        verify = AUTOCAST_TRAINING,
        run = training(
            [adam(learning_rate = 1e-3, epsilon = 1e-4), sgd(learning_rate = 0.05, momentum = 0.9)],
            loss = "own",
        ),
    ),
    cases(models = ["pyhpc_equation_of_state_tiny"], dtypes = ["fp64"], batches = [1, 8], verify = _CANCELLED),
    cases(models = ["pyhpc_equation_of_state"], dtypes = ["fp64"], batches = [1], large = [matching()], verify = _CANCELLED),
]
