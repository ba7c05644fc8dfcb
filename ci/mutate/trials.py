"""Puts one mutant after the other into the copy and runs the tests that depend on its file, until one of them fails.

    trials = Trials(copy, bazel, bazel.dependants(paths))
    trials.prepare()                       # the tests of the unchanged tree pass; how long they take
    verdict = trials.judge(mutant)

The test that found the last fault in a file comes first, alone: it finds most of the others, and nothing else is linked for them.
Then come the cheapest tests: those of the file's own package, then package by package, in batches that double, so that a fault
in a shared layer is found before thirty families are linked anew, and one that nobody finds costs a few starts of Bazel more.
"""

import time

from tools.processes.command import SurroundingsError
from ci.mutate import object_files
from ci.mutate.lenient_source import lenient
from ci.mutate.verdict import ABORTED, EQUIVALENT, KILLED, NOT_COMPILED, SURVIVED, TIMED_OUT, Verdict

_COMPILERS = {"CppCompile", "CppLink", "CppArchive"}
_NO_REFERENCE = "MissingReference"  # of a large case whose reference is not in the tree (defs/case_rules.bzl)
_FIRST_BATCH_S = 5
_LEAST_LIMIT_S, _SLOWER = 60, 10  # a test that takes ten times what it takes unchanged hangs
_SIGNALS = 128  # and above: a shell's exit code for a program that a signal ended


class RedTree(Exception):
    """Tests fail without any mutant."""


class Trials:
    def __init__(self, copy, bazel, dependants):
        self._copy, self._bazel, self._dependants = copy, bazel, dependants
        self._seconds, self._objects = {}, {}
        self._finders = {}  # path -> the test that found the last fault in it

    def prepare(self, cache=None):
        """Builds and tests what depends on the files, unchanged; the number of tests that will judge. `cache`: as of run()."""
        wanted = set().union(*self._dependants.values())
        done = self._bazel.run(wanted, keep_going=True, cache=cache) if wanted else None
        if done and (done.failed or done.broken - {_NO_REFERENCE}):
            raise RedTree("without a mutant: %s" % (", ".join(failure.label for failure in done.failed) or done.message))
        if not done or not done.passed:
            raise SurroundingsError("no test of this tier depends on %s" % ", ".join(sorted(self._dependants)))
        self._seconds = done.passed
        self._objects = object_files.digests(done.folder)
        return len(done.passed)

    def stop(self):
        self._bazel.stop()

    def judge(self, mutant):
        begin = time.time()
        self._copy.write(mutant.path, lenient(mutant.path, mutant.mutated(self._copy.read(mutant.path))))
        try:
            state, by = self._tried(mutant.path, begin)
        finally:
            self._copy.restore(mutant.path)
        return Verdict(state, by, round(time.time() - begin, 1))

    def _tried(self, path, begin):
        seconds = {label: self._seconds[label] for label in self._dependants[path] if label in self._seconds}
        for batch in batches(path, seconds, self._finders.get(path)):
            limit = limit_of(max(seconds[label] for label in batch))
            done = self._bazel.run(batch, keep_going=False, limit=limit, cache="")
            if done.failed:
                self._finders[path] = done.failed[0].label
                return _of_failure(done.failed[0]), done.failed[0].label
            if done.broken & _COMPILERS:
                return NOT_COMPILED, ""
            if done.broken:
                return KILLED, "the build: " + ", ".join(sorted(done.broken))
        # Python is compiled to no file, and each of its mutants changes what is run.
        changed = path.endswith(".py") or object_files.changed(done.folder, self._objects, begin)
        return (SURVIVED, "") if changed else (EQUIVALENT, "compiles to the same code")


def _of_failure(failure):
    if failure.status == "TIMEOUT":
        return TIMED_OUT
    return ABORTED if failure.exit_code > _SIGNALS else KILLED


def limit_of(seconds):
    """Seconds after which a test that takes `seconds` unchanged hangs. There are few limits, since Bazel analyses all tests anew with
    each other one."""
    limit = _LEAST_LIMIT_S
    while limit < _SLOWER * seconds:
        limit *= 2
    return limit


def _package(label):
    return label.split(":")[0]


def batches(path, seconds, finder=None):
    """Lists of labels: first the finder, then the packages of the file's folder and of its family, then the others, the cheapest first.

    Args:
      path: of the changed file.
      seconds: {label: seconds} of all tests that depend on it.
      finder: the one of these tests that probably fails; None: unknown.
    """
    if finder is not None:
        yield [finder]
        seconds = {label: cost for label, cost in seconds.items() if label != finder}
    family = path.split("/")[-2]
    costs = {}
    for label, cost in seconds.items():
        costs[_package(label)] = costs.get(_package(label), 0) + cost
    batch, so_far = [label for label in seconds if _package(label).endswith("/" + family)], 0
    if batch:
        yield sorted(batch)
    batch, so_far = [], sum(seconds[label] for label in batch)
    least = max(_FIRST_BATCH_S, 2 * so_far)
    for package in sorted(costs, key=lambda package: (costs[package], package)):
        if package.endswith("/" + family):
            continue
        batch += sorted(label for label in seconds if _package(label) == package)
        so_far += costs[package]
        if so_far >= least:
            yield batch
            batch, least = [], 2 * so_far
    if batch:
        yield batch
