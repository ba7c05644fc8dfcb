"""Runs the checks of ci/checks/: commands as a user types them, bad input, a new model, the CUDA flavour.

    python3 ci/run_checks.py                            all of them but for dear ones whose files did not change lately
    ASSAY_EVERY=1 python3 ci/run_checks.py              all of them
    python3 ci/run_checks.py --list                     their names
    python3 ci/run_checks.py commands                   those of ci/checks/commands.py
    python3 ci/run_checks.py 'table: batch 0' ...       some, by name

One line each, with what was said where one failed, and last "N passed, N failed". Those that say `beside` run while others do,
in turn, and are told at the end. A file of that folder that cannot be loaded or holds no check is a failure, and so is no file
at all. Each check runs in a process of its own, so one that ends its process
fails alone. With --tests, which ci/run.sh gives, `tools/bazel test //...` goes before, then the tests that it leaves out; the last
line counts these tests too. guards.py says which files a dear check is about, and a test that //... leaves out is about its
folder. Both are SKIPPED where none of these files changed in the last 60 commits (changes.py).
Exit codes: 0 some passed and none failed, 1 otherwise, 3 usage, 130 interrupted.
"""

import argparse
import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback
import unittest

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.path[0] = _ROOT

from ci.changes import Changes
from ci.guards import GUARDS, TESTS

# As --config=extra chooses (tools/common.bazelrc), and each family's part of //benchmarks:model_golden_extra_test.
_EXTRA = r'''let tests = attr(tags, "[\[ ]extra[,\]]", tests(//...)) in
    ($tests except attr(tags, "[\[ ](manual|large|gpu|cuda|bucket|slow_on_cpu)[,\]]", $tests))
    + filter("%s$", kind(cc_test, //benchmarks/...))'''
_GOLDEN = ":model_golden_test"
_LINES_SHOWN = 60
__unittest = True  # so that a traceback does not begin with this file


class _Fault(unittest.TestCase):
    """A check that fails: in the place of those that a file should have had."""

    def __init__(self, name, text):
        super().__init__("fail_with_text")
        self.name, self._text = name, text

    def fail_with_text(self):
        self.fail(self._text)


def name_of(check):
    return check.name if isinstance(check, _Fault) else check.shortDescription() or check.id()


class _Child:
    """A process of its own that calls work()."""

    def __init__(self, work):
        ours, theirs = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            code = 1
            try:
                os.setpgid(0, 0)  # Ctrl-C comes from the parent, once, so that it does not interrupt the cleaning up
                with os.fdopen(theirs, "w") as answer:
                    json.dump(work(), answer)
                code = 0
            finally:
                os._exit(code)
        os.close(theirs)
        self._answer = os.fdopen(ours)

    def answer(self):
        """The value that work() returns, by way of JSON; if the process ended before, a text that says so."""
        with self._answer:
            try:
                said = self._answer.read()
                code = os.waitstatus_to_exitcode(os.waitpid(self._child, 0)[1])
            except KeyboardInterrupt:
                self.interrupt()
                raise
        return json.loads(said) if said else "its process ended with exit code %d, without a word" % code

    def interrupt(self):
        """Ctrl-C for a process whose answer nobody wants; waits for its end."""
        os.kill(self._child, signal.SIGINT)
        os.waitpid(self._child, 0)


def _tests_in(suite):
    for test in suite:
        yield from _tests_in(test) if isinstance(test, unittest.TestSuite) else [test]


def _load(path):
    module_name = os.path.basename(path)[:-len(".py")]
    try:
        spec = importlib.util.spec_from_file_location(module_name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except (Exception, SystemExit):
        return [_Fault(path, "cannot be loaded\n" + traceback.format_exc())]
    found = list(_tests_in(unittest.defaultTestLoader.loadTestsFromModule(module)))
    with open(path, encoding="utf-8") as f:
        written = len(re.findall(r"^ +def test_", f.read(), re.M))
    if written != len(found):  # Python keeps the last of two methods or classes of one name
        found.append(_Fault(path, "%d methods called test_… make %d checks" % (written, len(found))))
    return found or [_Fault(path, "holds no check")]


def _checks_of(path):
    ended = _Child(lambda: len(_load(path))).answer()
    return [_Fault(path, ended)] if isinstance(ended, str) else _load(path)


def load(folder):
    """[(module, check), ...]; what is wrong with the folder or its files is in it as a check that fails."""
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    files = [name[:-len(".py")] for name in names if name.endswith(".py")]
    checks = [(file, check) for file in files for check in _checks_of(os.path.join(folder, file + ".py"))]
    checks = checks or [("", _Fault(folder, "holds no file of checks"))]
    seen = set()
    for file, check in list(checks):
        name = name_of(check)
        if name in seen:
            checks.append((file, _Fault(name, "two checks have this name")))
        seen.add(name)
    return checks


def _guarded(file, check):
    """The paths that a dear check is about; none: it always runs."""
    return GUARDS.get(name_of(check), GUARDS.get(file, ()))


def wrong_guards(checks):
    """A check that fails for each row of guards.py that is of no check, or is about a path that is not there: nobody would see it
    change."""
    known = {file for file, _ in checks} | {name_of(check) for _, check in checks}
    wrong = ["no check is called %r" % key for key in GUARDS if key not in known]
    rows = [*GUARDS.items(), *TESTS.items()]
    wrong += ["%s, of %r, is not there" % (path, key) for key, paths in rows for path in paths if not os.path.exists(path)]
    return [("", _Fault("ci/guards.py, row %d that is wrong" % i, text)) for i, text in enumerate(wrong, 1)]


def left_out(file, check, changes):
    """Why a check need not run, or nothing."""
    paths = _guarded(file, check)
    if not paths or changes.touch_code([*paths, "ci/checks/%s.py" % file]):
        return ""
    return "%s, nothing changed in %s; ASSAY_EVERY=1 runs it" % (changes.words, " ".join(paths))


def run_one(check):
    """("PASSED", ""), ("FAILED", why) or ("SKIPPED", reason). Whatever did not clearly pass has failed."""
    result = unittest.TestResult()
    check.run(result)
    wrong = [text for _, text in result.errors + result.failures]
    reasons = [reason.strip() for _, reason in result.skipped]
    if wrong:
        return "FAILED", "\n".join(wrong)
    if reasons:
        return ("SKIPPED", reasons[0]) if all(reasons) else ("FAILED", "skipped without a reason")
    if result.testsRun != 1 or result.expectedFailures or result.unexpectedSuccesses:
        return "FAILED", "neither passed nor failed; a check is not expected to fail"
    return "PASSED", ""


def _ended(check):
    """(status, text, seconds) of a check, in a process of its own."""
    start = time.monotonic()
    result = _Child(lambda: run_one(check)).answer()
    status, text = ("FAILED", result) if isinstance(result, str) else result
    return status, text, time.monotonic() - start


def run(checks, changes, counts, out):
    """Runs checks one after another and, at the same time, those that say `beside`. `changes` says which may be left out."""

    def report(check, status, text, seconds):
        counts[status] += 1
        ending = ": " + text if status == "SKIPPED" else " (%d s)" % seconds
        print("%-7s %s%s" % (status, name_of(check), ending), file=out, flush=True)
        for line in text.splitlines()[-_LINES_SHOWN:] if status == "FAILED" else []:
            print("        " + line, file=out, flush=True)

    run_now = []
    for file, check in checks:
        reason = left_out(file, check, changes) if changes else ""
        if reason:
            report(check, "SKIPPED", reason, 0)
        else:
            run_now.append(check)
    beside = [check for check in run_now if getattr(check, "beside", False)]
    lane = _Child(lambda: [_ended(check) for check in beside])
    try:
        for check in [check for check in run_now if check not in beside]:
            report(check, *_ended(check))
    except KeyboardInterrupt:
        lane.interrupt()
        raise
    answer = lane.answer()
    for i, check in enumerate(beside):
        report(check, *(("FAILED", answer, 0) if isinstance(answer, str) else answer[i]))


def run_tests(changes, counts, out):
    """Counts the tests of //..., then those that it leaves out and whose folder changed; of each at least one failed where Bazel
    did, or where none passed."""
    _run_tests(["tools/bazel", "test", "//..."], counts, out)
    if changes.everything():
        _run_tests(["tools/bazel", "test", "--config=extra", "//..."], counts, out)
    else:
        _run_extra_tests(changes, counts, out)
    print("== commands and bad input", file=out, flush=True)


def _is_changed(test, changes):
    """Whether a test's folder changed, or what guards.py names; a family has two. Below a folder of the root are other folders' tests."""
    if test in TESTS:
        return changes.touch(TESTS[test])
    package = test[2:].partition(":")[0]
    if "/" not in package:
        return changes.touch_files_of(package)
    folder, _, name = package.partition("/")
    twins = {"benchmarks": ["models/" + name], "models": ["benchmarks/" + name]}
    return changes.touch([package, *twins.get(folder, [])])


def _run_extra_tests(changes, counts, out):
    query = ["tools/bazel", "query", "--noshow_progress", _EXTRA % _GOLDEN]
    done = subprocess.run(query, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8", errors="replace", check=False)
    found = done.stdout.split()
    tests = [test for test in found if not test.endswith(_GOLDEN)]
    missing = [test for test in TESTS if test not in tests]
    if done.returncode or not tests or missing:
        counts["FAILED"] += 1
        print("FAILED  %s: exit code %d, %d tests; not among them, but in ci/guards.py: %s"
              % (" ".join(query), done.returncode, len(tests), " ".join(missing) or "none"), file=out, flush=True)
        return
    chosen = [test for test in tests if _is_changed(test, changes)]
    if chosen:
        packages = {test.partition(":")[0] for test in chosen if "/" in test[2:]}
        _run_tests(["tools/bazel", "test", *chosen, *(test for test in found if test.partition(":")[0] in packages and test not in tests)], counts, out)
    if len(chosen) == len(tests):
        return
    counts["SKIPPED"] += len(tests) - len(chosen)
    folders = sorted({test[2:].partition(":")[0] for test in set(tests) - set(chosen)})
    print("SKIPPED %d tests of the tier extra: %s, nothing changed in these folders; ASSAY_EVERY=1 runs them: %s"
          % (len(tests) - len(chosen), changes.words, " ".join(folders)), file=out, flush=True)


def _run_tests(command, counts, out):
    print("== " + " ".join(command), file=out, flush=True)
    passed, failed = counts["PASSED"], counts["FAILED"]
    log = []
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace") as process:
        for line in process.stdout:
            log.append(line)
            print(line, end="", file=out, flush=True)
    for status, words in (("PASSED", "PASSED"), ("FAILED", "FAILED|FAILED TO BUILD|TIMEOUT|NO STATUS")):
        counts[status] += len([line for line in log if re.match(r"//\S+ .*(?:%s)( in|$)" % words, line)])
    if process.returncode or counts["PASSED"] == passed:
        counts["FAILED"] = max(counts["FAILED"], failed + 1)


def _arguments(words):
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="run_checks.py", description=__doc__, formatter_class=shape)
    parser.error = lambda message: parser.exit(3, "run_checks.py: %s\n" % message)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a check, or a file of ci/checks/ without .py (default: all)")
    parser.add_argument("--list", action="store_true", help="only say their names")
    parser.add_argument("--folder", default="ci/checks", help="(default: %(default)s)")
    parser.add_argument("--tests", action="store_true", help="first run the tests of the whole tree")
    return parser, parser.parse_args(words)


def main(words, out):
    parser, arguments = _arguments(words)
    checks = load(arguments.folder)
    unknown = [n for n in arguments.names if not any(n in (file, name_of(check)) for file, check in checks)]
    if unknown:
        parser.error("no check %r; --list names them" % unknown[0])
    chosen = [(f, c) for f, c in checks if not arguments.names or f in arguments.names or name_of(c) in arguments.names]
    if arguments.list:
        for _, check in chosen:
            print(name_of(check), file=out)
        return int(any(isinstance(check, _Fault) for _, check in chosen))
    counts = {"PASSED": 0, "FAILED": 0, "SKIPPED": 0}
    changes = Changes(_ROOT, os.environ)
    if arguments.tests:
        run_tests(changes, counts, out)
    # Whoever names a check wants to see it run.
    run(chosen + wrong_guards(checks), None if arguments.names else changes, counts, out)
    skipped = ", %d skipped" % counts["SKIPPED"] if counts["SKIPPED"] else ""
    print("%d passed, %d failed%s" % (counts["PASSED"], counts["FAILED"], skipped), file=out)
    return int(counts["FAILED"] > 0 or not counts["PASSED"])


if __name__ == "__main__":
    os.chdir(_ROOT)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that a check takes back what it made
    try:
        sys.exit(main(sys.argv[1:], sys.stdout))
    except KeyboardInterrupt:
        print("interrupted")
        sys.exit(130)
