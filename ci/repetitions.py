"""Proves that no two tests of `tools/bazel test //...` do the same to the same case.

    tools/bazel query 'tests(//...)' --output=xml | python3 ci/repetitions.py

A test of cases says what it runs: case_test its action and its case, cases_test both for each of its cases, and
operator_cases_test verifies every operator's case that runs by default. Those words are what the runner's testimony holds
at the end of the test (defs/case_rules.bzl), so a test cannot say one thing and run another. Tests tagged manual, large, gpu,
bucket or slow_on_cpu are not run by default. Exits 1 where two tests run the same, 2 where nothing could be read.
Not for C++ and Python unit tests.
"""

import os
import sys
import xml.etree.ElementTree

if __name__ == "__main__":  # started as a file, from the root of the tree
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from ci.arrows import parse_query, strings

_LEFT_OUT = {"manual", "large", "gpu", "bucket", "slow_on_cpu"}  # tools/common.bazelrc
_OPERATORS = "operator_cases_test"


def _case(label):
    return label[:-len(".pb")]


def runs_of(rule):
    """(action, case) of each run of a test rule; none of a unit test."""
    if rule.get("class") == "case_test":
        yield rule.find("string[@name='action']").get("value"), _case(rule.find("label[@name='case']").get("value"))
    elif rule.get("class") == "cases_test":
        package = rule.get("name").split(":")[0]
        for words in strings(rule, "tests"):
            _, action, case = words.split(" ")[:3]
            yield action, "%s:%s" % (package, case)


def faults(query):
    """The runs that are made twice, as texts; and how many runs and tests were looked at."""
    rules = [rule for rule in parse_query(query).iter("rule") if not _LEFT_OUT & set(strings(rule, "tags"))]
    with_operators = {rule.get("name").split(":")[0]: rule.get("name") for rule in rules if rule.get("name").endswith(":" + _OPERATORS)}
    texts, tests = [], {}
    for rule in rules:
        name = rule.get("name")
        for action, case in runs_of(rule):
            other = tests.setdefault((action, case), name)
            if other == name:
                other = with_operators.get(case.split(":")[0], "") if action == "verify" else ""
            if other:
                texts.append("%s %s is run by %s and by %s" % (action, case, other, name))
    return texts, len(tests), len(set(tests.values()))


def main(query, out):
    try:
        found, runs, tests = faults(query)
    except xml.etree.ElementTree.ParseError as error:
        print("repetitions.py: cannot read: %s" % error, file=out)
        return 2
    if not runs:
        print("repetitions.py: no test of a case, so nothing was proved; give it the output of\n"
              "    tools/bazel query 'tests(//...)' --output=xml", file=out)
        return 2
    for text in found:
        print(text, file=out)
    print("looked at %d runs of cases in %d tests: %s" % (runs, tests, "%d repeated" % len(found) if found else "each is run once"),
          file=out)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.stdin.read(), sys.stdout))
