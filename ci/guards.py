"""Dear checks, and the files that each is about: it runs where one of them, or its own file in ci/checks, changed lately (changes.py),
where it is named, and where ASSAY_EVERY=1. Files of unit tests and pages below a folder do not count.

A row is for a file of ci/checks, or for one check by its name; a check's own row counts. It belongs here if it takes more than 20
seconds on two cores, and if what breaks it is nearly always in these files. An empty row: the check always runs.
"""

_CUDA = ("benchmarks/harness/sampling/cuda", "defs/build/cuda.bzl", "tools/deps")
_LOAD = ("benchmarks/harness/load", "benchmarks/harness/runner/serving")

# Headers that a reader's code includes, or that of a generator.
_LAYERS = tuple("models/layers/core/%s.h" % name for name in ("batch_norm2d", "conv2d", "layer", "layered_model", "linear"))

# Tests of the tier extra that are not about their folder.
TESTS = {
    "//benchmarks:callers_test": ("benchmarks/operator_callers.cc", "benchmarks/callers.sh", "benchmarks/callers_test.sh", "benchmarks/harness/costs"),
    # A family whose folder changed has its own :model_golden_test run.
    "//benchmarks:model_golden_extra_test": ("benchmarks/harness/goldens",),
}

GUARDS = {
    "artifacts": ("artifacts/fetch", "artifacts/format", "artifacts/fake_gcs", "tools/artifacts", "benchmarks/mlp", "models/mlp"),
    "artifacts: every row of FAULTS.md has tests that exist": (),
    "backends": ("benchmarks/backends", "defs/backends.bzl", "tools/run_model", "tools/export"),
    # Its figures are the same in every run, so only code that computes them changes them.
    "certify": ("ci/certify", "benchmarks/harness/sampling", "benchmarks/harness/statistics", "tools/compare/decision", "tools/compare/simulation"),
    # ci/checks/readme.py always looks whether the diffs apply.
    "contributing": ("docs/adding.md", "defs/models.bzl", "defs/benchmarks.bzl", "defs/variants.bzl", "defs/cases.bzl", "defs/operators.bzl",
                     *_LAYERS, "models/registry.h", "benchmarks/backends/module_backend.h"),
    "the CUDA flavour builds, and says NO_DEVICE without a GPU": _CUDA,
    "without a CUDA toolkit the pinned nvcc is fetched, and compiles": _CUDA,
    "the GPU bundle is packed, its plans can be followed, and it is rehearsed on a simulated GPU in a folder without the tree":
        ("ci/gpu", "ci/gpu_bundle.sh", "benchmarks/harness/simulated_gpu", "tools/package"),
    "fetch": ("artifacts/fetch", "artifacts/format"),
    "install": ("tools/package", "benchmarks/harness/sampling", "benchmarks/harness/statistics"),
    "kernel": ("tools/kernel", "benchmarks/operators/kernel", "defs/kernel.bzl", "docs/kernels.md"),
    "libtorch_path": ("tools/deps",),
    "compile_commands: every include folder of a file that includes LibTorch is there, from the tree's root": ("ci/lint", "defs/build/cc_unit.bzl", "defs/build/precompiled", "tools/deps"),
    "workflows: the files for GitHub, GitLab and Buildkite are right by their schemas":
        ("ci/workflows", "ci/workflows_test.py", "ci/gate_suite.sh", "tools/gate", "tools/compare/settings.cc"),
    "module": ("tools/deps", "MODULE.bazel", "WORKSPACE", ".bazelversion"),
    "new_model": ("tools/new_model", *_LAYERS),
    "package": ("tools/package", "tools/deps"),
    "remote_cache": ("tools/remote", "tools/bazel"),
    "remote_execution": ("tools/remote", "tools/bazel", "ci/remote_execution", "defs/build/cuda.bzl"),
    "sanitizers: readers of outside bytes make no memory error and no undefined behaviour":
        ("benchmarks/harness/tensor_files", "benchmarks/harness/text", "benchmarks/operators/param/parsing", "defs/compiler", "ci/fuzz", "ci/sanitizers"),
    "sanitizers: engine, watchdog and compare's child processes have no data race":
        ("benchmarks/harness/processes", "benchmarks/harness/sampling", "ci/sanitizers"),
    "serving: //tools:serve builds a case with LoadGen, and says what it lacks": ("tools/serve", *_LOAD),
    "serving: LoadGen's scenarios, mistakes of workers, and what a hasty user types": _LOAD,
    "serving: Ctrl-C while requests are sent keeps what was served": (*_LOAD, "benchmarks/harness/processes"),
    "serving: workers of each other back end, and a swapped reply of one": (*_LOAD, "benchmarks/backends"),
    "slurm": ("tools/suite/cluster",),
    "worked_field": ("docs/adding.md", "defs/proto/record.proto", "benchmarks/harness/costs/call_cost.cc", "tools/results"),
}
