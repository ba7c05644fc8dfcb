"""tier_tags(): the tag of tests that `tools/bazel test //...` leaves out and CI runs after it, by --config=extra.

tools/bazel leaves them out of //... alone: `tools/bazel test //ci/mutate/...` runs them.
"""

# Code that no measurement, verdict or comparison of a case goes through: tests of tests, programs that make and upload references,
# tools for changing this suite, other people's kernels, traces and files of operators, models that are
# files, back ends of exported ones.
_EXTRA = [
    "artifacts/fake_gcs",
    "benchmarks/backends",
    "benchmarks/harness/sampling/mutants",
    "benchmarks/operators/kernel",
    "benchmarks/operators/override",
    "benchmarks/operators/param",
    "benchmarks/operators/sweep",
    "benchmarks/traces",
    "ci",
    "tools/artifacts",
    "ci/certify",
    "tools/deps",
    "tools/kernel",
    "ci/lint",
    "ci/mutate",
    "tools/run_model",
    "tools/trace",
]

def tier_tags():
    """Tags of each test of the package that calls it."""
    package = native.package_name() + "/"
    return ["extra"] if [p for p in _EXTRA if package.startswith(p + "/")] else []
