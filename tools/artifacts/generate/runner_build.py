"""Builds the runners of the families that have chosen cases, and of no other.

    folder = runner_build.build(root, jobs)                     # SurroundingsError where one does not build
    program = runner_build.program(folder, "//benchmarks/mlp")
"""

import os

from tools.artifacts.generate.errors import SurroundingsError
from tools.lint import command


def build(root, jobs):
    """The folder with the runners of the jobs' packages, built by the Bazel of the tree at `root`."""
    packages = sorted({job.package for job in jobs})
    labels = [package + ":runner" for package in packages]
    families = "family" if len(packages) == 1 else "families"
    print("building %d %s: %s" % (len(packages), families, " ".join(packages)), flush=True)
    bazel = command.Bazel(root)
    try:
        bazel.run("build", *labels)
        (folder,) = bazel.lines("info", "bazel-bin")
    except command.SurroundingsError as error:
        raise SurroundingsError("%s\n    see all of it: tools/bazel build %s" % (error, " ".join(labels))) from None
    return folder


def program(folder, package):
    """A package's runner in the folder that build() gives."""
    return os.path.join(folder, package.lstrip("/"), "runner")
