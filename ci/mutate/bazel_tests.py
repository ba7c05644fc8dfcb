"""Asks Bazel which tests depend on a file, and runs tests: in a copy of the tree, by the copy's own tools/bazel.

    bazel = BazelTests(copy.root)
    dependants = bazel.dependants(["models/swin/swin.cc"])      # {"models/swin/swin.cc": {"//benchmarks/swin:...", ...}}
    done = bazel.run(labels, keep_going=False)
    done.failed                                                 # [Failure("//benchmarks/swin:...", "FAILED", 1)]

Results come by Bazel's build event protocol, so that no text for people is read.
"""

import collections
import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import xml.etree.ElementTree
from typing import NamedTuple
from urllib.parse import unquote, urlparse

from tools.processes.command import SurroundingsError, last_lines
from ci.mutate.scopes import HARNESS_FOLDER, PYTHON_FOLDERS, is_harness

_OK, _BUILD_FAILED, _PARTIAL, _TESTS_FAILED, _NO_TESTS, _INTERRUPTED = 0, 1, 3, 3, 4, 8
_STARTUP = ("--max_idle_secs=900",)  # a server that nobody needs any more goes
# Variables that belong to this tool's own Python (python_site.bzl) or to `bazel run`, not to the mutant.
_NOT_FOR_BAZEL = re.compile(r"PYTHON.*|BUILD_.*|RUNFILES_.*|TEST_.*")
# A mutant is built without the disk cache, so what this tool's first build took from one must lie in the output folder. It has the name
# that Bazel 4 knows, too.
_DOWNLOAD = "--experimental_remote_download_outputs=all"
# Tests of the tools start programs of families too, but prove nothing of what these compute; and of Python only theirs do.
# Code of the harness has tests of its own, and one of all figures that a runner prints: thousands of cases more would be linked anew
# for each mutant.
_HARNESS_PATTERNS = ("//%s/..." % HARNESS_FOLDER, "//benchmarks:printed_figures_test")
_PATTERNS = ("//models/...", "//benchmarks/...")
_PYTHON_PATTERNS = tuple("//tools/%s/..." % folder for folder in PYTHON_FOLDERS)
# The goldens of one family, a test that is `manual`, and of all in one program. A family's file is judged by the first: the second would
# build and link each family.
_GOLDENS_OF_ONE, _GOLDENS_OF_ALL = r"//benchmarks/\w+:model_golden_test", r"//benchmarks:model_golden(_extra)?_test"
# It links every family, and looks at no number that a model computes.
_CALLERS = "//benchmarks:callers_test"
_OF_A_FAMILY = re.compile(r"models/(?!layers/)\w+/")
_QUERY = """
let t = tests(%%s) in
rdeps($t except attr("tags", "[\\[ ]manual[,\\]]", $t) union filter("^%s$", $t), set(%%s))
""" % _GOLDENS_OF_ONE


class Failure(NamedTuple):
    label: str
    status: str  # FAILED, TIMEOUT, ...
    exit_code: int  # of the test, from its log; 0: unknown


class Done(NamedTuple):
    failed: list  # of Failure
    passed: dict  # label -> seconds that the test took, whenever that was
    broken: set  # the kinds of actions that failed, e.g. CppCompile; empty where everything was built
    message: str  # of what failed to build
    folder: str = ""  # where Bazel keeps what it built


def _patterns_of(path):
    if path.endswith(".py"):
        return _PYTHON_PATTERNS
    return _HARNESS_PATTERNS if is_harness(path) else _PATTERNS


class Interrupted(Exception):
    """Somebody stopped Bazel."""


class BazelTests:
    def __init__(self, root, program=None, config=""):
        self._root, self._config = root, config
        self._program = program or os.path.join(root, "tools", "bazel")
        self._process, self._stopped = None, False
        self._environment = {k: v for k, v in os.environ.items() if not _NOT_FOR_BAZEL.fullmatch(k)}

    def dependants(self, paths):
        """{path: labels of the tests that depend on it}, of every tier; of those that are `manual` a family's goldens."""
        found = {}
        for patterns in (_PATTERNS, _HARNESS_PATTERNS, _PYTHON_PATTERNS):
            chosen = [path for path in paths if _patterns_of(path) is patterns]
            found.update(self._dependants(chosen, patterns) if chosen else {})
        return found

    def _dependants(self, paths, patterns):
        labels = {self._label(path): path for path in paths}
        query = _QUERY % (" + ".join(patterns), " ".join('"%s"' % label for label in labels))
        # It goes on where one package cannot be loaded.
        code, out, errors = self._start(["query", "--noshow_progress", "--keep_going", "--output=xml", query])
        if code not in (_OK, _PARTIAL):
            raise SurroundingsError("tools/bazel query failed:\n%s" % last_lines(errors))
        needed_by, tests = collections.defaultdict(set), set()
        for rule in xml.etree.ElementTree.fromstring(out).iter("rule"):
            if rule.get("class").endswith("_test"):
                tests.add(rule.get("name"))
            for used in rule.iter("rule-input"):
                needed_by[used.get("name")].add(rule.get("name"))
        tests.discard(_CALLERS)
        return {path: {test for test in _reached(needed_by, label) & tests if not _other_goldens(path).fullmatch(test)}
                for label, path in labels.items()}

    def run(self, labels, keep_going, limit=0, cache=None):
        """Builds and runs tests.

        Args:
          labels: of the tests; those that are not of the tier are left out.
          keep_going: whether to go on after the first failure.
          limit: seconds for each, in the place of those that it declares.
          cache: Bazel's --disk_cache; "": none, and nothing is sent to a remote one; None: the user's.
        """
        keep = ["--keep_going", "--test_keep_going"] if keep_going else ["--nokeep_going", "--notest_keep_going"]
        with tempfile.TemporaryDirectory(prefix="assay_mutate_") as folder:
            events, targets = os.path.join(folder, "events.json"), os.path.join(folder, "targets")
            with open(targets, "w", encoding="utf-8") as f:
                f.write("\n".join(sorted(labels)))
            words = ["test", *keep, "--noshow_progress", "--test_output=summary", "--build_event_json_file=" + events,
                     "--target_pattern_file=" + targets, "--experimental_convenience_symlinks=ignore",
                     _DOWNLOAD]
            words += ["--config=" + self._config] if self._config else []
            words += ["--test_timeout=%d" % limit] if limit else []
            words += [] if cache is None else ["--disk_cache=" + cache]
            words += ["--noremote_upload_local_results"] if cache == "" else []
            code, _, errors = self._start(words)
            with open(events, encoding="utf-8") as f:
                return _read(f, code, errors)

    def stop(self):
        """Ends what runs, from another thread; run() raises Interrupted, now and later."""
        self._stopped = True
        if self._process:
            _end(self._process)

    def _label(self, path):
        folder = os.path.dirname(path)
        while folder and not os.path.exists(os.path.join(self._root, folder, "BUILD.bazel")):
            folder = os.path.dirname(folder)
        return "//%s:%s" % (folder, os.path.relpath(path, folder))

    def _start(self, words):
        """(exit code, output, errors)"""
        try:
            process = subprocess.Popen([self._program, *_STARTUP, *words], cwd=self._root, env=self._environment,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       errors="replace", start_new_session=True)
        except OSError as error:
            raise SurroundingsError("%s does not start: %s" % (self._program, error.strerror)) from None
        self._process = process
        with process:
            try:
                if self._stopped:
                    _end(process)
                out, errors = process.communicate()
            except BaseException:
                _end(process)
                process.wait()
                raise
            finally:
                self._process = None
        if self._stopped or process.returncode in (_INTERRUPTED, -signal.SIGINT):
            raise Interrupted()
        return process.returncode, out, errors


def _end(process):
    """The whole group: tools/bazel is a shell, and Bazel itself its child."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)


def _reached(needed_by, label):
    """Everything that needs `label`."""
    reached, waiting = set(), [label]
    while waiting:
        for user in needed_by[waiting.pop()] - reached:
            reached.add(user)
            waiting.append(user)
    return reached


def _other_goldens(path):
    """The tests whose work another one does for a file."""
    return re.compile(_GOLDENS_OF_ALL if _OF_A_FAMILY.match(path) else _GOLDENS_OF_ONE)


def _exit_code(outputs):
    """The seconds of a failed test, from the XML file that Bazel writes if the test does not; 0: unknown."""
    for output in outputs:
        if output.get("name") == "test.xml":
            try:
                with open(unquote(urlparse(output.get("uri", "")).path), encoding="utf-8", errors="replace") as f:
                    match = re.search(r"exited with error code (\d+)", f.read())
            except OSError:
                return 0
            return int(match[1]) if match else 0
    return 0


def _read(lines, code, errors):
    """Done, of the events of one `bazel test`."""
    failed, passed, broken, root, folder = [], {}, set(), "", ""
    for line in lines:
        event = json.loads(line)
        label = event["id"].get("testResult", {}).get("label")
        if label and "testResult" in event:
            result = event["testResult"]
            if result["status"] == "PASSED":
                passed[label] = int(result.get("testAttemptDurationMillis", 0)) / 1000
            elif result["status"] != "NO_STATUS":
                failed.append(Failure(label, result["status"], _exit_code(result.get("testActionOutput", []))))
        elif "action" in event and not event["action"].get("success"):
            broken.add(event["action"].get("type", "unknown"))
        root = event.get("workspaceInfo", {}).get("localExecRoot", root)
        folder = folder or event.get("configuration", {}).get("makeVariable", {}).get("BINDIR", "")
    broken.discard("TestRunner")  # a test that failed
    if code in (_OK, _TESTS_FAILED, _NO_TESTS) or (code == _BUILD_FAILED and (broken or failed)):
        return Done(failed, passed, broken, last_lines(errors) if broken else "", os.path.join(root, folder))
    raise SurroundingsError("tools/bazel test ended with %d:\n%s" % (code, last_lines(errors)))
