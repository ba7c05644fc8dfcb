"""The tools for those who work on the tree: lint on all of it, and each checker finds what is put in.

clang-tidy checks one file here, not all of them: reading the headers takes 7 s of processor time for a file that
includes LibTorch (some 90) and 2 to 3 s for another (some 250), too long for a cold run.
"""

import json
import os
import sys

from ci.check import BAZEL, ROOT, Check, program

_PACKAGE = "lint_scratch"
_BUILD = '''\
load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "odd",
    srcs = ["odd.cc"],
)
'''
_ODD = {
    "odd.cc": "int Odd(int x) {\n  if (x > 1) {\n    return 2;\n  } else {\n    return 2;\n  }\n}\n",
    "bad_layout.h": "int   Layout( );\n",
    "odd.py": "import os\n",
    "odd.sh": "#!/bin/sh\ncd somewhere\n",
}


class Lint(Check):
    def test_whole_tree(self):
        """lint: the whole tree is clean, as far as clang-format, ruff and shellcheck see"""
        self.expect(program("//tools:lint", "--all", "--fast"), "of the whole tree: clean")

    def test_findings(self):
        """lint: clang-format, clang-tidy, ruff and shellcheck each find what is put in, and format fixes its part"""
        folder = os.path.join(ROOT, _PACKAGE)
        self.package(folder, _BUILD)
        for name, text in _ODD.items():
            self.write(os.path.join(folder, name), text)
        self.expect(program("//tools:lint", folder),
                    _PACKAGE + "/odd.cc:2:3: error: if with identical then and else branches [bugprone-branch-clone",
                    _PACKAGE + "/bad_layout.h:1: not formatted; tools/bazel run //tools:format",
                    _PACKAGE + "/odd.py:1:8: F401", _PACKAGE + "/odd.sh:2:1: warning: ", ": 4 findings", code=1)
        self.expect(program("//tools:format", folder), _PACKAGE + "/bad_layout.h", "1 rewritten")
        self.assertEqual(self.read(os.path.join(folder, "bad_layout.h")), "int Layout();\n")

    def test_bad_names(self):
        """lint: a name that is not there, is exit code 2, and one outside of the tree is usage"""
        self.expect(program("//tools:lint", "no/such.cc"), "no/such.cc is not there", code=2)
        self.expect(program("//tools:lint", "/etc/passwd"), "is not in the tree", code=3)

    def test_compile_commands(self):
        """compile_commands: every include folder of a file that includes LibTorch is there, from the tree's root"""
        before = os.path.exists(os.path.join(ROOT, "compile_commands.json"))
        self.expect(program("//tools:compile_commands"), "compile_commands: ")
        path = os.path.join(ROOT, "compile_commands.json")
        if not before:
            self.addCleanup(os.remove, path)
        entries = {entry["file"]: entry for entry in json.loads(self.read(path))}
        words = entries["models/resnet/resnet.cc"]["arguments"]
        folders = [words[i + 1] for i, word in enumerate(words) if word in ("-iquote", "-isystem")]
        for header in ("ATen/core/Tensor.h", "absl/status/statusor.h", "models/registry.h"):
            self.assertTrue([f for f in folders if os.path.exists(os.path.join(ROOT, f, header))], header)
        words = entries["defs/compiler/compile_cases.cc"]["arguments"]
        self.assertTrue([w for w in words if os.path.exists(os.path.join(ROOT, w, "defs/proto/suite.pb.h"))], words)


class Words(Check):
    def test_counts(self):
        """words: no count of what makes a text hard to read has grown (ci/words.py)"""
        self.expect([sys.executable, "-B", os.path.join(ROOT, "ci", "words.py")], "lines of README.md")


class Workflows(Check):
    def test_schemas(self):
        """workflows: the files for GitHub, GitLab and Buildkite are right by their schemas"""
        self.expect([BAZEL, "test", "--noshow_progress", "//ci:workflows_test"])
