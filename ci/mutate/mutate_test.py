"""//tools:mutate from its command line to its exit code, on a small tree with a program in Bazel's place."""

import io
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

from tools.processes.command import run_program
from ci.mutate import mutate

# Fails the one test for every changed line, unless the line's name says what else happens. MISCHIEF: a file that says
# so.
_BAZEL = r'''#!@PYTHON@
import contextlib, json, os, re, signal, sys
words = [word for word in sys.argv[1:] if not word.startswith("--max_idle")]
if words[0] == "query":
    print('<query><rule class="cc_test" name="//models/toy:t"><rule-input name="//models/toy:toy.cc"/></rule></query>')
    sys.exit()
with open("models/toy/toy.cc") as f, open("@ORIGINAL@") as original:
    lines = [b for a, b in zip(original, (line for line in f if line[0] != "#")) if a != b]
name = re.search(r"k(\w+)", lines[0])[1] if lines else "Unchanged"
out = os.path.join("@OUT@", os.path.basename(os.getcwd()))
mischief = open("@MISCHIEF@").read() if os.path.exists("@MISCHIEF@") else ""
if mischief == "kill" and lines:
    # Not the parent: that of the second worker's Bazel is by then whoever takes in orphans.
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(os.environ["MUTATE_PID"]), signal.SIGKILL)
    sys.exit(8)
if mischief == "interrupt" and name == "Killed":
    sys.exit(8)
if mischief == "red":
    name = "Killed"
os.makedirs(out + "/bin/models/toy/_objs/toy", exist_ok=True)
if name != "Same":
    with open(out + "/bin/models/toy/_objs/toy/toy.o", "w") as f:
        f.write("".join(lines))
with open(out + "/test.xml", "w") as f:
    f.write("exited with error code %d" % (134 if name == "Aborts" else 1))
status = {"Unchanged": "PASSED", "Survives": "PASSED", "Same": "PASSED", "Hangs": "TIMEOUT"}.get(name, "FAILED")
events = [
    {"id": {}, "workspaceInfo": {"localExecRoot": out}},
    {"id": {}, "configuration": {"makeVariable": {"BINDIR": "bin"}}},
    {"id": {"testResult": {"label": "//models/toy:t"}}, "testResult": {"status": status, "testAttemptDurationMillis": "10",
     "testActionOutput": [{"name": "test.xml", "uri": "file://" + out + "/test.xml"}]}},
]
if name == "Broken":
    events[2] = {"id": {}, "action": {"type": "CppCompile", "exitCode": 1}}
path = next(word.split("=")[1] for word in words if word.startswith("--build_event_json_file="))
with open(path, "w") as f:
    f.writelines(json.dumps(event) + "\n" for event in events)
with open("@OUT@/starts", "a") as f:
    f.write(name + "\n")
sys.exit(1 if name == "Broken" else 0 if status == "PASSED" else 3)
'''
_NAMES = ("Killed", "Survives", "Same", "Known", "Hangs", "Aborts", "Broken")
_TOY = "".join("constexpr int k%s = 0;\n" % name for name in _NAMES)  # one mutant a line: 0 -> 1
_KNOWN = {"file": "models/toy/toy.cc", "line": "constexpr int kKnown = 0;", "replacement": "constexpr int kKnown = 1;", "reason": "unused"}


class MutateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base, self.root = folder.name, os.path.join(folder.name, "tree")
        self.out, self.mischief = os.path.join(self.base, "out"), os.path.join(self.base, "mischief")
        self.write("models/toy/toy.cc", _TOY)
        for path in ("models/toy/variants.bzl", "models/toy/BUILD.bazel", "docs/data/x.md"):
            self.write(path, "")
        self.write("ci/mutate/equivalent.json", json.dumps([_KNOWN]))
        self.write("tools/deps/find_families.sh", "")
        shutil.copy("tools/deps/find_families.sh", os.path.join(self.root, "tools/deps"))
        bazel = _BAZEL
        for name, value in (("PYTHON", sys.executable), ("OUT", self.out), ("MISCHIEF", self.mischief),
                            ("ORIGINAL", os.path.join(self.root, "models/toy/toy.cc"))):
            bazel = bazel.replace("@%s@" % name, value)
        os.chmod(self.write("tools/bazel", bazel), stat.S_IRWXU)
        for words in (["init", "-q"], ["add", "-A"],
                      ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "m"]):
            subprocess.run(["git", "-C", self.root, *words], check=True, capture_output=True)
        self.environment = dict(os.environ, BUILD_WORKSPACE_DIRECTORY=self.root, BUILD_WORKING_DIRECTORY=self.base,
                                XDG_CACHE_HOME=os.path.join(self.base, "cache"), TMPDIR=self.base)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def make_mischief(self, what):
        self.write(self.mischief, what)

    def run_main(self, *words):
        """(exit code, what it said)"""
        out = io.StringIO()
        with mock.patch.object(sys, "argv", ["mutate", "--workers=2", *words]), mock.patch.dict(os.environ, self.environment), \
                mock.patch.object(sys, "stdout", out), mock.patch.object(sys, "stderr", out):
            code = run_program("mutate", mutate.main)
        self.assertEqual("", subprocess.run(["git", "-C", self.root, "status", "--porcelain", "--", "*.cc"], check=True,
                                            capture_output=True, text=True).stdout)
        return code, out.getvalue()

    def starts(self):
        with open(os.path.join(self.out, "starts"), encoding="utf-8") as f:
            return [name for name in f.read().split() if name != "Unchanged"]

    def states(self):
        with open(os.path.join(self.base, "m.json"), encoding="utf-8") as f:
            return {re.search(r"k(\w+)", record["before"])[1]: record["state"] for record in json.load(f)}

    def test_every_verdict_and_the_score(self):
        code, said = self.run_main("--json=m.json")
        self.assertEqual({"Killed": "killed", "Survives": "survived", "Same": "equivalent", "Known": "equivalent",
                          "Hangs": "timed out", "Aborts": "aborted", "Broken": "not compiled"}, self.states())
        self.assertIn("all          7       3         1           2             1   75 %", said)
        self.assertIn("-constexpr int kSurvives = 0;\n+constexpr int kSurvives = 1;", said)
        self.assertEqual(1, code)
        self.assertNotIn("Known", self.starts())

    def test_the_score_asked_for_decides_the_exit_code(self):
        self.assertEqual([0, 1], [self.run_main("--at-least=%d" % score)[0] for score in (75, 76)])

    def test_a_run_that_was_killed_goes_on_where_it_was(self):
        self.make_mischief("kill")
        words = ["sh", "-c", 'MUTATE_PID=$$ exec "$@"', "sh", sys.executable, "-m", "ci.mutate.mutate"]
        self.assertEqual(-signal.SIGKILL, subprocess.run(words, env=self.environment, capture_output=True, check=False).returncode)
        os.remove(self.mischief)
        self.assertEqual(1, self.run_main("--json=m.json")[0])
        self.assertEqual("survived", self.states()["Survives"])
        before = len(self.starts())
        self.assertEqual(1, self.run_main()[0])
        self.assertEqual(before, len(self.starts()))
        self.run_main("--again")
        self.assertEqual(before + len(_NAMES), 1 + len(self.starts()))  # Known is known

    def test_an_interrupted_run_says_what_it_has(self):
        self.make_mischief("interrupt")
        code, said = self.run_main("--full", "--write-docs")
        self.assertEqual(130, code)
        self.assertRegex(said, "mutate: [1-7] mutants were not judged")
        self.assertFalse(os.path.exists(os.path.join(self.root, "docs/data/mutation.md")))

    def test_a_test_that_fails_without_a_mutant_ends_it(self):
        self.make_mischief("red")
        code, said = self.run_main()
        self.assertEqual(1, code)
        self.assertIn("without a mutant: //models/toy:t", said)

    def test_another_tree_is_judged_anew_and_says_that_it_has_changes(self):
        self.run_main()
        before = len(self.starts())
        self.write("models/toy/BUILD.bazel", "# changed")
        self.assertIn("+changes", self.run_main()[1])
        self.assertEqual(2 * before, len(self.starts()))

    def test_the_document_is_written_into_the_tree(self):
        self.run_main("--full", "--write-docs")
        with open(os.path.join(self.root, "docs/data/mutation.md"), encoding="utf-8") as f:
            text = f.read()
        self.assertIn("| toy | 7 | 3 | 1 | 2 | 1 | 75 % |", text)

    def test_a_stale_entry_is_said(self):
        self.write("ci/mutate/equivalent.json", json.dumps([_KNOWN, dict(_KNOWN, line="constexpr int kGone = 0;")]))
        self.assertIn("no mutant any more: models/toy/toy.cc: constexpr int kGone = 0;", self.run_main()[1])

    def test_a_list_starts_no_bazel(self):
        code, said = self.run_main("--list", "--count=2")
        self.assertEqual((0, 2), (code, said.count("models/toy/toy.cc")))
        self.assertFalse(os.path.exists(self.out))
        chosen = said.split()[0]
        self.assertEqual(1, self.run_main("--list", "--mutants=" + chosen)[1].count("models/toy/toy.cc"))

    def test_what_cannot_be_asked_for(self):
        for words, message in (
            (["--count=0"], "--count=0: want 1 or more"),
            (["--count=-3"], "--count=-3"),
            (["--count=x"], "invalid int"),
            (["--family=toys"], "--family=toys: unknown; is it toy\\?"),
            (["--scope=zzz"], "is it toy\\?"),
            (["--workers=0"], "--workers=0: want 1 or more"),
            (["--mutants=00000000"], "no such mutant"),
            (["--full", "--count=3"], "--full says how many"),
            (["--write-docs"], "add --full"),
            (["--full", "--write-docs", "--config=large"], "leave out --config"),
            (["--at-least=101"], "a percentage"),
            (["extra"], "unrecognized"),
        ):
            with self.subTest(words):
                code, said = self.run_main(*words)
                self.assertEqual(3, code)
                self.assertRegex(said, message)

    def test_a_program_that_is_not_there_is_the_surroundings(self):
        self.assertEqual(2, self.run_main("--bazel=/nowhere/bazel")[0])


if __name__ == "__main__":
    unittest.main()
