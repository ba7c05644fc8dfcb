"""Builds the runners of the families that a run needs. All of them would take a quarter of an hour where nothing is built.

    folder = runners.build(workspace, {"//benchmarks/mlp"})     # prints "building  1 family: //benchmarks/mlp:runner"
    runners.program(folder, "//benchmarks/mlp")
"""

import os
import sys

from tools.artifacts.generate.errors import SurroundingsError
from tools.processes import command


def build(workspace, packages):
    """The folder of Bazel's outputs. SurroundingsError, with the compiler's last words, where a runner cannot be built."""
    targets = [package + ":runner" for package in sorted(packages)]
    families = "family" if len(targets) == 1 else "families"
    print("building  %d %s: %s" % (len(targets), families, " ".join(targets)), file=sys.stderr, flush=True)
    bazel = command.Bazel(workspace)
    try:
        bazel.run("build", *targets)
        return bazel.lines("info", "bazel-bin")[0]
    except command.SurroundingsError as error:
        raise SurroundingsError("%s\n    all of it: tools/bazel build %s" % (error, " ".join(targets))) from None


def program(folder, package):
    """The runner of a package, which may be of another repository: `@theirs//models/toy`."""
    repository, _, path = package.partition("//")
    inside = ("external", repository.lstrip("@")) if repository.strip("@") else ()
    return os.path.join(folder, *inside, path, "runner")
