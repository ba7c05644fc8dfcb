"""Which cases there are, which keys of the lock they read, and which of them a Bazel query means.

    cases = Cases.read("benchmarks/registry.json")
    cases.labels_of("resnet18_fp32_b2")          # the cases that are checked against that row
    cases.keys("//benchmarks/resnet/...")        # the rows that testing it reads
"""

import collections

from tools.artifacts.generate import registry


class QueryError(ValueError):
    """The query is not understood, or finds no case."""


class Cases:
    def __init__(self, cases):
        self._cases = cases
        self._labels = collections.defaultdict(list)
        for case in cases:
            self._labels[case.key].append(case.label)

    @staticmethod
    def read(path):
        return Cases(registry.read(path)[0])

    def keys_in_use(self):
        return set(self._labels)

    def labels_of(self, key):
        return self._labels.get(key, [])

    def keys(self, query):
        """{key: the labels of the query that read it}. Spaces separate patterns; - before one leaves it out.

        They are Bazel's: //benchmarks/resnet/..., //benchmarks/resnet:all, //benchmarks/resnet:resnet18_fp32_b1,
        also with _accuracy_test behind the case.
        """
        chosen = set()
        for pattern in query.split():
            excluded, pattern = pattern.startswith("-"), pattern.lstrip("-")
            found = {case.label for case in self._cases if _matches(pattern, case.label)}
            if not found:
                raise QueryError(_nothing(pattern, len(self._cases)))
            chosen = chosen - found if excluded else chosen | found
        keys = collections.defaultdict(list)
        for case in self._cases:
            if case.label in chosen:
                keys[case.key].append(case.label)
        return dict(keys)


def _matches(pattern, label):
    package, _, name = label.partition(":")
    wanted_package, _, wanted_name = pattern.partition(":")
    if wanted_package.endswith("/..."):
        root = wanted_package[: -len("/...")]
        return package == root or package.startswith(root + "/")
    tests = (name + "_accuracy_test", name)
    return package == wanted_package and wanted_name in ("all", "*", "all-targets", *tests)


def _nothing(pattern, count):
    if not pattern.partition("//")[1]:
        return "--query: %s: want //PACKAGE/..., //PACKAGE:all or //PACKAGE:CASE" % (pattern or "nothing in it")
    if ":" not in pattern and not pattern.endswith("/..."):
        return "--query: %s: say %s:all, or %s:CASE" % (pattern, pattern, pattern)
    return "--query: %s finds none of %d cases (`tools/bazel run //benchmarks:list` shows them)" % (pattern, count)
