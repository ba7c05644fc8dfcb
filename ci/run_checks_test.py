"""ci/run.sh in a small tree with a Bazel that is a script: what it counts, and that no list of checks is lost in silence."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

_GOOD = '''
from ci.check import Check

class Good(Check):
    def test_good(self):
        """good: says its word"""
        self.expect(["echo", "word"], "word")
'''
_TESTS = """\
//a:one_test                                             (cached) PASSED in 0.1s
//a:two_test                                                      PASSED in 1.5s
"""
_ROOT = os.getcwd()


def _heed_ctrl_c():
    """A shell has what it starts in the background ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _check(body, name="a check", preface=""):
    head = "%s\nfrom ci.check import Check\n\nclass Case(Check):\n" % preface
    return head + '    def test_it(self):\n        """%s"""\n        %s\n' % (name, body)


class RunChecksTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = os.path.join(folder.name, "tree")
        self.temporary = os.path.join(folder.name, "tmp")
        for path in ("tree/ci/checks", "tree/tools", "tmp"):
            os.makedirs(os.path.join(folder.name, path))
        for name in ("run.sh", "run_checks.py", "check.py", "changes.py"):
            shutil.copy(os.path.join(_ROOT, "ci", name), os.path.join(self.root, "ci", name))
        self.bazel(_TESTS)
        self.write("ci/checks/good.py", _GOOD)
        self.write("ci/guards.py", "GUARDS, TESTS = {}, {}\n")

    def write(self, path, text):
        with open(os.path.join(self.root, path), "w", encoding="utf-8") as f:
            f.write(text)

    def bazel(self, said, code=0, extra="//d:own_test PASSED in 0.1s", extra_code=0):
        """The output of `tools/bazel test //...`, then of the same with --config=extra, and how each ends."""
        self.write("tools/said", said)
        own = "query*) echo '//d/e:own_test\n//d:other_test\n//d/e:model_golden_test\n//d:model_golden_test' ;;"
        own += " *--config=extra*|*//d*) echo '%s'; exit %d ;;" % (extra, extra_code)
        self.write("tools/bazel", '#!/bin/sh\ncase "$*" in help) ;; %s *) cat tools/said; exit %d ;; esac\n' % (own, code))
        os.chmod(os.path.join(self.root, "tools/bazel"), 0o755)

    def commit(self):
        """Makes the tree a commit, so that later changes are seen."""
        if not os.path.exists(os.path.join(self.root, ".git")):
            subprocess.run(["git", "init", "-q", self.root], check=True)
        for words in ["add", "-A"], ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "m"]:
            subprocess.run(["git", "-C", self.root, *words], check=True)

    def start(self, *words, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("ASSAY_EVERY", "ASSAY_SINCE")}
        environment.update(TMPDIR=self.temporary, **variables)
        with open(os.path.join(self.root, "ci/run.sh"), encoding="utf-8") as something_to_read:
            return subprocess.Popen(words, cwd=self.root, env=environment, stdin=something_to_read, stdout=subprocess.PIPE,
                                    stderr=subprocess.STDOUT, encoding="utf-8", preexec_fn=_heed_ctrl_c)

    def ends(self, code, last_line, *texts, words=("bash", "ci/run.sh"), **variables):
        """Runs it; expects its exit code, last line and texts, and that it leaves nothing behind. Returns its
        output."""
        with self.start(*words, **variables) as process:
            said = process.stdout.read()
        self.assertEqual(process.returncode, code, said)
        self.assertEqual(said.splitlines()[-1], last_line, said)
        for text in texts:
            self.assertIn(text, said)
        self.assertEqual(os.listdir(self.temporary), [])
        return said

    def test_counts_tests_and_checks(self):
        self.ends(0, "4 passed, 0 failed", "\nPASSED  good: says its word (")

    def test_a_file_with_a_syntax_error_fails_by_its_name_and_the_others_run(self):
        self.write("ci/checks/broken.py", _GOOD + "def (:\n")
        self.ends(1, "4 passed, 1 failed", "\nFAILED  ci/checks/broken.py (", "SyntaxError", "\nPASSED  good: says its word (")

    def test_a_file_that_ends_the_program_as_it_is_loaded_fails(self):
        self.write("ci/checks/broken.py", "import sys\nsys.exit(0)\n")
        self.ends(1, "4 passed, 1 failed", "\nFAILED  ci/checks/broken.py (", "\nPASSED  good: says its word (")

    def test_a_file_or_a_check_that_ends_its_process_fails_alone(self):
        self.write("ci/checks/ended.py", "import os\nos._exit(0)\n")
        self.ends(1, "4 passed, 1 failed", "\nFAILED  ci/checks/ended.py (", "ended with exit code 0, without a word")
        self.write("ci/checks/ended.py", _check("self.doCleanups(); os._exit(0)", preface="import os"))
        self.ends(1, "4 passed, 1 failed", "\nFAILED  a check (", "ended with exit code 0", "\nPASSED  good: says its word (")

    def test_nothing_that_passed_is_no_success(self):
        self.write("ci/checks/good.py", _check('self.skipTest("no nvcc")'))
        self.ends(1, "0 passed, 0 failed, 1 skipped", words=(sys.executable, "ci/run_checks.py"))

    def test_a_file_without_checks_fails(self):
        self.write("ci/checks/empty.py", "from ci.check import Check\n")
        self.ends(1, "4 passed, 1 failed", "\nFAILED  ci/checks/empty.py (", "holds no check")

    def test_a_folder_that_is_missing_or_empty_fails(self):
        shutil.rmtree(os.path.join(self.root, "ci/checks"))
        self.ends(1, "3 passed, 1 failed", "\nFAILED  ci/checks (", "holds no file of checks")
        os.mkdir(os.path.join(self.root, "ci/checks"))
        self.ends(1, "3 passed, 1 failed", "\nFAILED  ci/checks (")

    def test_two_methods_of_one_name_lose_no_check(self):
        self.write("ci/checks/twice.py", _check("pass") + _check("pass", "another").partition("class Case(Check):\n")[2])
        self.ends(1, "5 passed, 1 failed", "\nFAILED  ci/checks/twice.py (", "2 methods called test_… make 1 checks")

    def test_two_checks_of_one_name_fail(self):
        self.write("ci/checks/twice.py", _check("pass", "good: says its word"))
        self.ends(1, "5 passed, 1 failed", "two checks have this name")

    def test_a_check_that_fails_shows_what_was_said(self):
        self.write("ci/checks/bad.py", _check('self.expect(["sh", "-c", "echo on out; echo on err >&2; exit 7"], "word")'))
        self.ends(1, "4 passed, 1 failed", "\nFAILED  a check (", "\n        on out\n        on err\n",
                  "\n        exit code 7, expected 0\n        not said: word\n")

    def test_a_check_that_fails_shows_its_last_sixty_lines(self):
        self.write("ci/checks/bad.py", _check('self.expect(["seq", "100"], code=1)'))
        said = self.ends(1, "4 passed, 1 failed", "\n        100\n")
        self.assertEqual(len([line for line in said.splitlines() if line.startswith("        ")]), 60)

    def test_every_way_to_fail_fails(self):
        for body in (
            "self.expect(['true'], code=1)",
            "self.expect(['true'], 'word')",
            "self.expect(['mktemp'])",
            "self.nonsense()",
            "self.skipTest('')",
            "self.addCleanup(self.fail)",
            "raise SystemExit(0)",
            "with self.subTest(): self.fail()",
        ):
            with self.subTest(body):
                self.write("ci/checks/bad.py", _check(body))
                self.ends(1, "4 passed, 1 failed", "\nFAILED  a check (")
        expected = _check("self.fail()", preface="import unittest")
        expected = expected.replace("    def", "    @unittest.expectedFailure\n    def")
        self.write("ci/checks/bad.py", expected)
        self.ends(1, "4 passed, 1 failed", "\nFAILED  a check (")

    def test_a_check_beside_runs_while_others_do_and_is_told_last(self):
        meet = "import pathlib, time; here = pathlib.Path('met')\n        while not here.exists(): time.sleep(0.01)"
        self.write("ci/checks/beside.py", _check("pathlib.Path('met').touch(); self.fail('beside')", preface="import pathlib")
                   .replace("class Case(Check):\n", "class Case(Check):\n    beside = True\n"))
        self.write("ci/checks/others.py", _check(meet, name="another"))
        said = self.ends(1, "5 passed, 1 failed", "\nFAILED  a check (", "beside")
        self.assertLess(said.index("PASSED  another"), said.index("FAILED  a check"))
        self.write("ci/checks/beside.py", _check("self.doCleanups(); os._exit(0)", preface="import os")
                   .replace("class Case(Check):\n", "class Case(Check):\n    beside = True\n"))
        os.remove(os.path.join(self.root, "ci/checks/others.py"))
        self.ends(1, "4 passed, 1 failed", "\nFAILED  a check (", "ended with exit code 0")

    def test_a_skip_says_why(self):
        self.write("ci/checks/skipped.py", _check('self.skipTest("no nvcc")'))
        self.ends(0, "4 passed, 0 failed, 1 skipped", "\nSKIPPED a check: no nvcc\n")

    def test_a_dear_check_runs_where_its_files_changed(self):
        dear = _check("pass")
        self.write("ci/checks/dear.py", dear)
        self.write("ci/guards.py", 'GUARDS, TESTS = {"dear": ("a", "b/file")}, {}\n')
        os.makedirs(os.path.join(self.root, "a/c"))
        os.mkdir(os.path.join(self.root, "b"))
        for path in ("a/c/file", "b/file", "b/other"):
            self.write(path, "x")
        program = (sys.executable, "ci/run_checks.py")
        self.ends(0, "2 passed, 0 failed", words=program)  # no git
        self.commit()
        skipped = "SKIPPED a check: since HEAD, nothing changed in a b/file; ASSAY_EVERY=1 runs it\n"
        self.ends(0, "1 passed, 0 failed, 1 skipped", skipped, words=program, ASSAY_SINCE="HEAD")
        self.ends(0, "2 passed, 0 failed", words=program)  # no sixty commits
        self.ends(0, "2 passed, 0 failed", words=program, ASSAY_SINCE="nonsense")
        self.ends(0, "2 passed, 0 failed", words=program, ASSAY_SINCE="HEAD", ASSAY_EVERY="1")
        for name in ("dear", "a check"):
            self.ends(0, "1 passed, 0 failed", words=(*program, name), ASSAY_SINCE="HEAD")
        for path, runs in (("b/other", False), ("a/some_test.py", False), ("a/page.md", False), ("a/d", True), ("a/c/file", True), ("b/file", True), ("ci/checks/dear.py", True)):
            with self.subTest(path):
                self.write(path, dear + "# changed\n")
                self.ends(0, "2 passed, 0 failed" if runs else "1 passed, 0 failed, 1 skipped", words=program, ASSAY_SINCE="HEAD")
                self.commit()
        self.ends(0, "1 passed, 0 failed, 1 skipped", words=program, ASSAY_SINCE="HEAD")
        self.ends(0, "2 passed, 0 failed", words=program, ASSAY_SINCE="HEAD~2")
        os.remove(os.path.join(self.root, "b/file"))
        wrong = "\nFAILED  ci/guards.py, row 1 that is wrong ("
        self.ends(1, "2 passed, 1 failed", wrong, "b/file, of 'dear', is not there", words=program, ASSAY_SINCE="HEAD")
        self.commit()
        self.write("ci/guards.py", 'GUARDS, TESTS = {"dear": ("a",), "dead": ("a",), "a check": ()}, {}\n')
        self.ends(1, "2 passed, 1 failed", wrong, "no check is called 'dead'", words=program, ASSAY_SINCE="HEAD")
        self.write("ci/guards.py", 'GUARDS, TESTS = {"dear": (), "a check": ("a",)}, {}\n')
        self.ends(0, "1 passed, 0 failed, 1 skipped", words=program, ASSAY_SINCE="HEAD")

    def test_of_the_tests_that_are_left_out_those_of_changed_folders_run(self):
        for folder in ("d/e", "d/f"):
            os.makedirs(os.path.join(self.root, folder))
        self.write("d/e/file", "x")
        self.commit()
        rest = "; ASSAY_EVERY=1 runs them: "
        said = self.ends(0, "3 passed, 0 failed, 2 skipped", "SKIPPED 2 tests of the tier extra: since HEAD, ", rest + "d d/e\n", ASSAY_SINCE="HEAD")
        self.assertNotIn("bazel test //d", said)
        self.write("d/f/file", "x")
        self.ends(0, "3 passed, 0 failed, 2 skipped", ASSAY_SINCE="HEAD")
        self.write("d/e/file", "y")
        self.ends(0, "4 passed, 0 failed, 1 skipped", "== tools/bazel test //d/e:own_test //d/e:model_golden_test\n", rest + "d\n", ASSAY_SINCE="HEAD")
        self.write("d/file", "y")
        self.ends(0, "4 passed, 0 failed", "== tools/bazel test //d/e:own_test //d:other_test //d/e:model_golden_test\n", ASSAY_SINCE="HEAD")
        self.ends(0, "4 passed, 0 failed", "== tools/bazel test --config=extra //...\n", ASSAY_SINCE="HEAD", ASSAY_EVERY="1")
        self.bazel(_TESTS, extra="", extra_code=1)
        self.ends(1, "3 passed, 1 failed", ASSAY_SINCE="HEAD")
        self.bazel(_TESTS)
        self.write("ci/guards.py", 'GUARDS, TESTS = {}, {"//d:other_test": ("d/f",)}\n')
        self.ends(0, "4 passed, 0 failed", ASSAY_SINCE="HEAD")
        self.write("ci/guards.py", 'GUARDS, TESTS = {}, {"//d:other_test": ("ci/check.py",)}\n')
        self.ends(0, "4 passed, 0 failed, 1 skipped", ASSAY_SINCE="HEAD")
        self.write("ci/guards.py", 'GUARDS, TESTS = {}, {"//d:lost_test": ("d/f",)}\n')
        self.ends(1, "3 passed, 1 failed", "; not among them, but in ci/guards.py: //d:lost_test\n", ASSAY_SINCE="HEAD")

    def test_a_query_that_fails_or_finds_nothing_fails(self):
        self.commit()
        for answer in ("exit 7", "true"):
            self.write("tools/bazel", '#!/bin/sh\ncase "$*" in query*) %s ;; help) ;; *) cat tools/said ;; esac\n' % answer)
            self.ends(1, "3 passed, 1 failed", "FAILED  tools/bazel query", ASSAY_SINCE="HEAD")

    def test_a_check_does_not_read_what_stands_on_the_input(self):
        self.write("ci/checks/reader.py", _check('self.assertEqual(self.expect(["cat"]).stdout, "")'))
        self.ends(0, "5 passed, 0 failed")

    def test_failed_tests_are_counted(self):
        failed = ["FAILED in 1.0s", "FAILED in 2 out of 3 in 4.0s", "TIMEOUT in 60.0s", "NO STATUS", "FAILED TO BUILD"]
        self.bazel(_TESTS + "".join("//a:three_test    %s\n" % words for words in failed), code=3)
        self.ends(1, "4 passed, 5 failed", "//a:three_test    NO STATUS\n")

    def test_a_bazel_that_fails_or_tests_nothing_fails(self):
        self.bazel("ERROR: //a: no such package\n", code=1)
        self.ends(1, "2 passed, 1 failed", "ERROR: //a: no such package")
        self.bazel(_TESTS, code=37)
        self.ends(1, "4 passed, 1 failed")
        self.bazel("INFO: Build completed successfully\n")
        self.ends(1, "2 passed, 1 failed")
        self.bazel(_TESTS, extra="", extra_code=1)
        self.ends(1, "3 passed, 1 failed")

    def test_runs_some_by_name_and_refuses_another_name(self):
        program = (sys.executable, "ci/run_checks.py")
        self.write("ci/checks/other.py", _check("self.fail()", "fails: always"))
        self.ends(0, "1 passed, 0 failed", words=(*program, "good: says its word"))
        self.ends(0, "1 passed, 0 failed", words=(*program, "good"))
        self.ends(0, "fails: always", "good: says its word\n", words=(*program, "--list"))
        self.ends(3, "run_checks.py: no check 'goood'; --list names them", words=(*program, "good", "goood"))

    def test_an_interrupted_check_leaves_nothing(self):
        self.write("ci/checks/slow.py", _check(
            'self.package("scratch_package", ""); self.expect(["sh", "-c", "touch scratch_package/started; exec sleep 60"])'))
        package = os.path.join(self.root, "scratch_package")
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number), self.start("bash", "ci/run.sh") as process:
                while process.poll() is None and not os.path.exists(os.path.join(package, "started")):
                    time.sleep(0.01)
                process.send_signal(number)
                self.assertEqual(process.stdout.read().splitlines()[-1], "interrupted")
                self.assertEqual(process.wait(), 130)
                self.assertFalse(os.path.exists(package))
                self.assertEqual(os.listdir(self.temporary), [])

    def test_a_killed_check_leaves_the_checkout_whole(self):
        for path in ("store/blobs", "store/staged"):
            os.makedirs(os.path.join(self.root, path))
        self.write(".gitignore", "/store/staged/\n")
        self.write("store/blobs/blob", "blob")
        self.write("store/staged/blob", "staged")
        self.write("store/rules", "rules\n")
        subprocess.run(["git", "init", "-q", self.root], check=True)
        self.write("ci/checks/kill.py", _check(
            "tree = self.copied('store', without='store/blobs')\n"
            "        open(tree + '/store/rules', 'a').write('more\\n')\n"
            "        print([(path[len(tree):], files) for path, _, files in os.walk(tree)], flush=True)\n"
            "        os.kill(os.getpid(), 9)", preface="import os"))
        before = self.files()
        with self.start("bash", "ci/run.sh") as process:
            said = process.stdout.read()
        self.assertEqual(process.returncode, 1, said)
        self.assertIn("\n[('', []), ('/store', ['rules'])]\n", said)
        self.assertIn("its process ended with exit code -9", said)
        self.assertEqual(self.files(), before)

    def files(self):
        found = {}
        for folder, _, names in os.walk(self.root):
            for path in (os.path.join(folder, name) for name in names):
                with open(path, "rb") as f:
                    found[path] = f.read()
        return found

    def test_the_checks_of_this_tree_can_be_loaded(self):
        words = [sys.executable, "ci/run_checks.py", "--list"]
        done = subprocess.run(words, stdout=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("run: --benchmark_format=json is strict JSON\n", done.stdout)


if __name__ == "__main__":
    unittest.main()
