"""tier_tags(): tags by which tools/common.bazelrc leaves tests out of //... by default."""

# What a measurement or a verdict does not go through: tests of tests, what makes and uploads references, the tools of those who
# change this suite. CI runs them after //... by --config=developer.
_DEVELOPER = [
    "artifacts/fake_gcs",
    "benchmarks/harness/runner/cheats",
    "benchmarks/harness/sampling/mutants",
    "ci",
    "tools/artifacts",
    "tools/certify",
    "tools/deps",
    "tools/lint",
    "tools/mutate",
]

def tier_tags():
    """Tags of each test of the package that calls it."""
    package = native.package_name() + "/"
    return ["developer"] if [p for p in _DEVELOPER if package.startswith(p + "/")] else []
