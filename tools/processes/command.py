"""Starts other programs for the tools of this folder, Bazel among them, and says how the tools end.

    bazel = Bazel(workspace(os.environ))
    labels = bazel.lines("query", "kind(cc_library, //...)")        # SurroundingsError where Bazel fails

    sys.exit(run_program("lint", main))                             # 0, or 1, 2, 3 by what main() returned or raised
"""

import argparse
import os
import re
import subprocess
import sys
from typing import NamedTuple

from artifacts.fetch.ending import WRONG, SurroundingsError, UsageError, ended

FINDINGS = WRONG
_LINES_SHOWN = 12
# Without the tests that Bazel refuses to build where --config=cuda is not given (cuda_test() of defs/build/cuda.bzl).
_CC_RULES = 'kind("cc_(binary|library|test) rule", %s) except attr(tags, "[\\[ ]cuda[,\\]]", //benchmarks/harness/sampling/cuda:all)'
# The targets that the BUILD file there comments as "with --config=cuda only" need CUDA's headers.
_CUDA = 'attr(tags, "\\bmanual\\b", //benchmarks/harness/sampling/cuda:all)'


class Done(NamedTuple):
    code: int
    out: str
    errors: str


def run(words, cwd):
    """Runs a program to its end, whatever its exit code."""
    try:
        done = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                              errors="replace", check=False)
    except OSError as error:
        raise SurroundingsError("%s does not start: %s" % (words[0], error.strerror)) from None
    return Done(done.returncode, done.stdout, done.stderr)


def last_lines(text):
    return "\n".join("    " + line for line in text.strip().splitlines()[-_LINES_SHOWN:])


class Bazel:
    """Bazel on the tree at `root`. `bazel run` has let go of the server when it starts a program."""

    def __init__(self, root):
        self._root = root

    def run(self, command, *words):
        """Standard output; SurroundingsError unless Bazel ends well."""
        done = run([os.path.join(self._root, "tools", "bazel"), command, "--noshow_progress", *words], self._root)
        if done.code:
            raise SurroundingsError("tools/bazel %s failed:\n%s" % (command, last_lines(done.errors)))
        return done.out

    def lines(self, command, *words):
        return self.run(command, *words).splitlines()

    def info(self):
        """{"output_base": ..., "output_path": ...}"""
        return dict(line.split(": ", 1) for line in self.lines("info", "output_base", "output_path"))

    def cc_targets(self, toolkit):
        """Labels of all C++ targets, those for people who say `manual` too; of CUDA's only with a toolkit.

        By a query, for a pattern like //... in a build brings every repository that any target needs.
        """
        return self.lines("query", _CC_RULES % "//..." + ("" if toolkit else " except " + _CUDA))

    def cc_targets_of(self, labels, toolkit):
        """Labels of the C++ targets that list these source files; a file that none lists is no error."""
        packages = sorted({label.split(":")[0] for label in labels})
        listed = set(self.lines("query", 'kind("source file", %s)' % " + ".join('"%s:*"' % package for package in packages)))
        files = " + ".join('same_pkg_direct_rdeps("%s")' % label for label in labels if label in listed)
        if not files:
            return []
        return self.lines("query", _CC_RULES % "(%s)" % files + ("" if toolkit else " except " + _CUDA))

    def programs(self, names):
        """{"ruff": path} of pinned programs (tools/deps/lint_programs.bzl), which are fetched where they are not here yet."""
        wanted = " + ".join('deps("@lint_%s//:program")' % name for name in names)
        try:
            labels = self.lines("query", 'kind("source file", %s)' % wanted)
        except SurroundingsError as error:
            raise SurroundingsError("the pinned %s cannot be had; the first run needs a Python package index\n%s" %
                                    (", ".join(names), error)) from None
        external = os.path.join(self.info()["output_base"], "external")
        found = [re.fullmatch(r"@+(lint_(\w+))//:(.*)", label) for label in labels]
        return {match[2]: os.path.join(external, match[1], match[3]) for match in found}


def has_toolkit(environment):
    """Whether a CUDA toolkit is installed; one that tools/deps/cuda.bzl would have to fetch is not wanted for this."""
    return os.path.exists(os.path.join(environment.get("CUDA_PATH") or "/usr/local/cuda", "bin", "nvcc"))


def workspace(environment):
    root = environment.get("BUILD_WORKSPACE_DIRECTORY")
    if not root:
        raise UsageError("start it with `tools/bazel run`, which says where the tree is")
    return root


def parser(name, doc):
    """An argparse.ArgumentParser whose errors are UsageError, for flags of //tools:<name>."""
    made = argparse.ArgumentParser(prog="tools/bazel run //tools:%s --" % name, description=doc, allow_abbrev=False,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)
    made.error = _refuse
    return made


def _refuse(message):
    raise UsageError(message)


def run_program(name, main):
    """The exit code of main(arguments, environment, out); errors become a message and a code."""
    return ended(name, lambda: main(sys.argv[1:], os.environ, sys.stdout))
