"""A folder with a registry, a fake runner and an artifacts folder, in which tests run the whole generator."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

from artifacts.format import lock_table
from tools.artifacts.generate import generate
from tools.artifacts.generate.test_cases import entry

_RUNNER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "testdata", "fake_runner.py")
_SOURCES = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", ".."))


def captured(main, arguments, environment):
    """(exit code, standard output, standard error) of a program's main(), with sys.argv and os.environ of its own."""
    out, err = io.StringIO(), io.StringIO()
    saved = sys.argv, dict(os.environ)
    sys.argv = arguments
    for name in ("BUILD_WORKSPACE_DIRECTORY", "BUILD_WORKING_DIRECTORY", "ASSAY_BUCKET"):
        os.environ.pop(name, None)
    os.environ.update(environment)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main()
    finally:
        sys.argv = saved[0]
        os.environ.clear()
        os.environ.update(saved[1])
    return code, out.getvalue(), err.getvalue()


class ProgramTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.out = os.path.join(self.root, "out")
        # Workers and the fake runner import the program's own modules from here; jobs run in a "runfiles" folder.
        for part in ("tools", "artifacts"):
            os.symlink(os.path.join(_SOURCES, part), os.path.join(self.root, part))
        runner = os.path.join(self.root, "benchmarks", "toy", "runner")
        os.makedirs(os.path.dirname(runner))
        with open(runner, "w") as f:
            f.write('#!/bin/sh\nPYTHONPATH=%s exec %s %s "$@"\n' % (self.root, sys.executable, _RUNNER))
        os.chmod(runner, 0o755)
        self.tree = os.path.join(self.root, "tree")
        self.bazel_in(self.tree)
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.0]}, entry())
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.root)

    def bazel_in(self, tree, build=":"):
        """Gives a tree a tools/bazel, for which everything in this folder is built; it notes what it is asked for.

        `build`: what it does besides, in sh.
        """
        os.makedirs(os.path.join(tree, "tools"), exist_ok=True)
        with open(os.path.join(tree, "tools", "bazel"), "w", encoding="utf-8") as f:
            f.write('#!/bin/sh\necho "$@" >>%s/asked\n%s\necho %s\n' % (self.root, build, self.root))
        os.chmod(f.name, 0o755)

    def built(self):
        """What Bazel was asked to build."""
        asked = os.path.join(self.root, "asked")
        with open(asked if os.path.exists(asked) else os.devnull, encoding="utf-8") as f:
            return [line.split()[2:] for line in f if line.startswith("build")]

    def cases(self, runs, *entries):
        runs = {"//benchmarks/toy:" + n: r if isinstance(r, dict) else {"values": r} for n, r in runs.items()}
        for name, content in (("registry.json", {"cases": entries}), ("registry.pb", runs)):
            with open(os.path.join(self.root, "benchmarks", name), "w", encoding="utf-8") as f:
                json.dump(content, f)

    def run_program(self, *flags, filter=".", uncommitted=("--allow-dirty",), **environment):
        """(exit code, standard output, standard error); the tree has no git."""
        arguments = ["generate", "--filter=" + filter, "--artifacts=" + self.out, *uncommitted, *flags]
        own = {"PYTHONPATH": self.root, "ASSAY_CACHE": os.path.join(self.root, "cache")}
        own["BUILD_WORKSPACE_DIRECTORY"] = self.tree
        return captured(generate.main, arguments, {**own, **environment})

    def lock(self):
        return lock_table.read(os.path.join(self.out, "lock.bzl"))

    def snapshot(self, folder=None):
        """Path -> content of every file of the artifacts folder, or of another."""
        top, files = folder or self.out, {}
        for folder, _, names in os.walk(top):
            for name in names:
                with open(os.path.join(folder, name), "rb") as f:
                    files[os.path.relpath(os.path.join(folder, name), top)] = f.read()
        return files
