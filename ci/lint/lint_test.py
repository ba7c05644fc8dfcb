"""lint and format as programs: exit codes and what they say, with stubs in the places of Bazel and the checkers."""

import io
import json
import os
import stat
import subprocess
import tempfile
import unittest
from unittest import mock

from ci.lint import findings, format, lint
from tools.processes import command

# Answers what command.py asks. A file `offline` beside it: no package index can be reached.
_BAZEL = r"""#!/bin/sh
echo "$@" >>"$(dirname "$0")/asked"
case "$*" in
  *@lint_*) [ ! -e "$(dirname "$0")/offline" ] || { echo "ERROR: pip could not fetch" >&2; exit 7; }
    for name in clang_format ruff shellcheck; do case "$*" in *@lint_$name//*) echo "@lint_$name//:bin/$name" ;; esac; done ;;
  *query*:\**) echo //defs:utf8.cc ;;
  *query*) echo //defs:utf8 ;;
  *info*) echo "output_base: @BASE@"; echo "output_path: @BASE@/out" ;;
  *build*) for word; do case $word in --build_event_json_file=*) cp "@BASE@/events" "${word#*=}" ;; esac; done ;;
esac
"""
_CLEAN = "#!/bin/sh\n"
_CHANGES_UTF8 = """#!/bin/sh
case $1 in
  -i) shift; for f; do echo rewritten >"$f"; done ;;
  *) echo "defs/utf8.cc:1:2: error: code should be clang-formatted [-Wclang]" >&2; exit 1 ;;
esac
"""


class LintTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base, self.root = os.path.join(folder.name, "base"), os.path.join(folder.name, "tree")
        self.write("defs/BUILD.bazel", "")
        self.write("defs/utf8.cc", "int a;\n")
        self.write("defs/loose.cu", "int c;\n")
        self.write("run.py", "pass\n")
        self.write("run.sh", "true\n")
        self.write(".gitignore", "/tools/\n")
        self.program("tools/bazel", _BAZEL.replace("@BASE@", self.base))
        for name in ("clang_format", "ruff", "shellcheck"):
            self.program(self.tool(name), _CLEAN)
        self.tidy("")
        for words in (["init", "-q"], ["add", "-A"],
                      ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "m"]):
            subprocess.run(["git", "-C", self.root, *words], check=True, capture_output=True)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def program(self, path, text):
        path = self.write(path, text)
        os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)

    def tool(self, name):
        return os.path.join(self.base, "external", "lint_" + name, "bin", name)

    def tidy(self, text):
        """clang-tidy's findings in defs/utf8.cc."""
        output = self.write(os.path.join(self.base, "utf8 8.txt"), "defs/utf8.cc\n" + text)
        uri = "file://" + output.replace(" ", "%20")
        events = [{"id": {}}, {"namedSetOfFiles": {"files": [{"name": "x", "uri": uri}]}}]
        self.write(os.path.join(self.base, "events"), "".join(json.dumps(e) + "\n" for e in events))

    def asked(self):
        with open(os.path.join(self.root, "tools/asked"), encoding="utf-8") as f:
            return f.read()

    def run_main(self, program, *words):
        """(exit code, standard output, standard error)"""
        out, errors = io.StringIO(), io.StringIO()
        environment = {"BUILD_WORKSPACE_DIRECTORY": self.root, "BUILD_WORKING_DIRECTORY": self.root, "CUDA_PATH": "/none"}
        with mock.patch("sys.argv", ["x", *words]), mock.patch("sys.stdout", out), mock.patch("sys.stderr", errors), \
                mock.patch.dict(os.environ, environment):
            code = command.run_program(program.__name__.split(".")[-1], program.main)
        return code, out.getvalue(), errors.getvalue()

    def test_a_clean_tree_without_changes_is_looked_at_whole(self):
        code, out, _ = self.run_main(lint)
        self.assertEqual(code, 0, out)
        self.assertRegex(out, "^lint: nothing changed since [0-9a-f]{12}, so the whole tree\n")
        self.assertIn("lint: 2 C++ files (clang-tidy: 1), 1 Python files, 1 shell files of the whole tree: clean\n", out)

    def test_what_clang_tidy_did_not_see_is_said(self):
        code, out, _ = self.run_main(lint, "--all")
        self.assertEqual(code, 0)
        self.assertIn("clang-tidy left out 1 files, which no target holds that can be built here: defs/loose.cu\n", out)

    def test_fast_is_without_clang_tidy_and_says_so(self):
        self.tidy("defs/utf8.cc:5:6: error: odd [bugprone-y]\n")
        self.assertEqual(self.run_main(lint, "--all")[0], 1)
        code, out, _ = self.run_main(lint, "--all", "--fast")
        self.assertEqual(code, 0)
        self.assertIn("lint: 2 C++ files (clang-tidy: none, because of --fast), 1 Python files, 1 shell files of the whole tree: clean\n", out)
        self.assertNotIn("left out", out)

    def test_only_targets_of_changed_files_are_asked_for(self):
        self.write("defs/utf8.cc", "int changed;\n")
        code, out, _ = self.run_main(lint)
        self.assertEqual(code, 0, out)
        self.assertIn('same_pkg_direct_rdeps("//defs:utf8.cc")', self.asked())
        self.assertNotIn("@lint_ruff", self.asked())
        self.assertIn("1 C++ files (clang-tidy: 1), 0 Python files, 0 shell files changed since", out)

    def test_a_file_that_no_target_lists_is_no_question_for_bazel(self):
        self.write("defs/new.cc", "int n;\n")
        code, out, _ = self.run_main(lint, "defs/new.cc")
        self.assertEqual(code, 0, out)
        self.assertIn("clang-tidy left out 1 files, which no target holds that can be built here: defs/new.cc\n", out)
        self.assertNotIn("//defs:new.cc", self.asked())

    def test_each_checkers_findings_are_shown_once_and_fail(self):
        twice = "/x/execroot/assay/defs/utf8.h:3:4: error: wrong [bugprone-x]\n    3 | code\n"
        self.tidy(twice + "defs/utf8.cc:5:6: error: odd [bugprone-y]\n" + twice)
        self.program(self.tool("clang_format"), _CHANGES_UTF8)
        self.program(self.tool("ruff"), "#!/bin/sh\necho run.py:1:2: F401 unused\nexit 1\n")
        self.program(self.tool("shellcheck"), "#!/bin/sh\necho 'run.sh:1:2: warning: quote [SC1]'\nexit 1\n")
        code, out, _ = self.run_main(lint, "defs/utf8.cc", "run.py", "run.sh")
        self.assertEqual(code, 1)
        self.assertEqual(out.splitlines(), [
            "defs/utf8.cc:1: not formatted; tools/bazel run //tools:format",
            "run.py:1:2: F401 unused",
            "run.sh:1:2: warning: quote [SC1]",
            "defs/utf8.cc:5:6: error: odd [bugprone-y]",
            "defs/utf8.h:3:4: error: wrong [bugprone-x]",
            "    3 | code",
            "lint: 1 C++ files (clang-tidy: 1), 1 Python files, 1 shell files as named: 5 findings",
        ])

    def test_a_checker_that_crashes_is_no_finding_and_no_pass(self):
        self.program(self.tool("ruff"), "#!/bin/sh\necho broken configuration >&2\nexit 2\n")
        code, _, errors = self.run_main(lint, "run.py")
        self.assertEqual(code, 2)
        self.assertIn("ruff ended with 2:\n    broken configuration", errors)

    def test_programs_that_cannot_be_had_are_the_surroundings(self):
        self.write("tools/offline", "")
        for program in (lint, format):
            with self.subTest(program.__name__):
                code, _, errors = self.run_main(program, "--all")
                self.assertEqual(code, 2)
                self.assertIn("cannot be had; the first run needs a Python package index", errors)
                self.assertIn("ERROR: pip could not fetch", errors)

    def test_bad_command_lines(self):
        for words, text, want in ((["missing.cc"], "missing.cc is not there", 2), (["--al"], "unrecognized arguments: --al", 3),
                                  (["--all", "run.py"], "--all and run.py: which?", 3)):
            for program in (lint, format):
                with self.subTest(words=words, program=program.__name__):
                    code, _, errors = self.run_main(program, *words)
                    self.assertEqual(code, want, errors)
                    self.assertIn(text, errors)

    def test_format_rewrites_what_is_not_formatted(self):
        self.program(self.tool("clang_format"), _CHANGES_UTF8)
        self.assertEqual(self.run_main(format, "defs")[:2],
                         (0, "defs/utf8.cc\nformat: 2 C++ files as named, 1 rewritten\n"))
        with open(os.path.join(self.root, "defs/utf8.cc"), encoding="utf-8") as f:
            self.assertEqual(f.read(), "rewritten\n")
        with open(os.path.join(self.root, "defs/loose.cu"), encoding="utf-8") as f:
            self.assertEqual(f.read(), "int c;\n")

    def test_the_label_of_a_file_is_of_the_nearest_package(self):
        self.assertEqual(lint.label_of(self.root, "defs/testdata/x.cc"), "//defs:testdata/x.cc")
        self.assertEqual(lint.label_of(self.root, "run.cc"), "")

    def test_many_files_are_given_in_parts(self):
        self.program(self.tool("ruff"), '#!/bin/sh\nfor f; do case $f in *.py) echo "$f:1:1: X"; esac; done\necho "part:$#:1: X"\nexit 1\n')
        paths = ["%d.py" % i for i in range(450)]
        found = findings.ruff(self.tool("ruff"), self.root, paths)
        self.assertEqual(len([line for line in found if not line.startswith("part")]), 450)
        self.assertEqual(len([line for line in found if line.startswith("part")]), 3)


if __name__ == "__main__":
    unittest.main()
