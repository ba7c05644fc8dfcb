"""The cases of the registry that a scope chooses.

names = Registry("benchmarks/registry.json").chosen(scope)      # name -> label
"""

import re

import msgspec

from defs.proto import record_types
from tools.results.errors import BROKEN, SURROUNDINGS, Stop
from tools.results.line_file import opened
from tools.results.projection import projection


_Registry = projection(
    record_types.Registry,
    ["cases.benchmark_case.label", "cases.benchmark_case.tags"],
    own={"cases.benchmark_case.name": (str,)},
)


class Registry:
    def __init__(self, path, shown):
        try:
            with opened(path, shown) as f:
                cases = msgspec.json.decode(f.read(), type=_Registry).cases
        except BROKEN as error:
            raise Stop(
                SURROUNDINGS, "%s: no registry: %s; tools/bazel build //benchmarks:registry makes it" % (shown, error)
            ) from None
        self.cases = {one.benchmark_case.name: one.benchmark_case for one in cases}

    def unmatched(self, scope, others):
        """(field, word) of what chooses neither a case nor one of `others`, names of cases."""
        names, tags = {*self.cases, *others}, {tag for case in self.cases.values() for tag in case.tags}
        return [("cases", word) for word in scope.cases if not any(map(re.compile(word).fullmatch, names))] + [
            ("tags", word) for word in scope.tags if word not in tags
        ]

    def chosen(self, scope):
        wanted, unwanted = _any(scope.cases), _any(scope.exclude)
        return {
            name
            for name, case in self.cases.items()
            if wanted(name)
            and not (scope.exclude and unwanted(name))
            and (not scope.tags or not set(scope.tags).isdisjoint(case.tags))
            and set(scope.exclude_tags).isdisjoint(case.tags)
        }


def _any(expressions):
    return re.compile("|".join("(?:%s)" % expression for expression in expressions)).fullmatch
