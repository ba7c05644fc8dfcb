"""Checks that each C++ rule depends on what its files include.

    tools/bazel query //... --output=xml | python3 ci/includes.py

A unit (defs/build/cc_unit.bzl) is compiled together with the other units of its package, so the compiler finds a header that only
another unit names. Here each rule is checked by itself: a header of this tree that one of its files includes must be a
file of the rule or of what the rule depends on, directly or not; a made header (x.pb.h) counts as its .proto file.
Shows each include that is not, with file and line. Exits 1 where there is one, 2 where nothing could be read. Not for
headers of other repositories: the compiler's sandbox checks those, package by package.
"""

import os
import sys
import xml.etree.ElementTree

if __name__ == "__main__":  # started as a file, from the root of the tree
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from ci.arrows import TOGETHER, Tree, includes, parse_query, strings

_COMPILED = ("cc_library", "cc_binary", "cc_test")


class Rules:
    """The rules of a query: which files each has, and which it may include."""

    def __init__(self, query):
        self._rules = {rule.get("name"): rule for rule in parse_query(query).iter("rule")}

    def units(self):
        """Labels of the C++ rules that have files of their own."""
        return sorted(name for name, rule in self._rules.items() if rule.get("class") in _COMPILED and not self._is_together(name))

    def files(self, name):
        """Paths of the C++ files of a rule."""
        return [path for path in self._paths(name, "srcs", "hdrs", "textual_hdrs") if path.endswith((".cc", ".h", ".inc"))]

    def headers(self, name):
        """Paths of all files that the rule may include."""
        found, seen, waiting = set(self.files(name)), {name}, [name]
        while waiting:
            for needed in self._labels(waiting.pop(), "deps", "exports"):
                if needed in self._rules and needed not in seen and not self._is_together(needed):
                    seen.add(needed)
                    waiting.append(needed)
                    found.update(self._paths(needed, "hdrs", "textual_hdrs"))
                    if self._rules[needed].get("class") == "proto_library":
                        found.update(path[:-len(".proto")] + ".pb.h" for path in self._paths(needed, "srcs"))
        return found

    def _is_together(self, name):
        return TOGETHER in strings(self._rules[name], "tags")

    def _labels(self, name, *attributes):
        return [label.get("value") for attribute in attributes
                for label in self._rules[name].findall("list[@name='%s']/label" % attribute)]

    def _paths(self, name, *attributes):
        return [label[2:].replace(":", "/").lstrip("/") for label in self._labels(name, *attributes) if label.startswith("//")]


def faults(tree, query):
    """The faults, as texts, and how many rules and includes were checked."""
    rules, texts, count = Rules(query), [], 0
    headers = {name: rules.headers(name) for name in rules.units()}
    made = set().union(*headers.values())
    for name, may in headers.items():
        for path in rules.files(name):
            if not tree.has(path):
                continue  # made by a rule
            for included, line in includes(tree.read(path)):
                if not tree.has(included) and included not in made:
                    continue
                count += 1
                if included not in may:
                    texts.append('%s:%d: #include "%s", which %s does not depend on' % (path, line, included, name))
    return texts, len(headers), count


def main(query, root, out):
    try:
        found, units, count = faults(Tree(root), query)
    except xml.etree.ElementTree.ParseError as error:
        print("includes.py: cannot read: %s" % error, file=out)
        return 2
    if not count:
        print("includes.py: no include among %d C++ rules, so nothing was proved; give it the output of\n"
              "    tools/bazel query //... --output=xml" % units, file=out)
        return 2
    for text in found:
        print(text, file=out)
    print("looked at %d includes of %d C++ rules: %s" % (count, units, "%d faults" % len(found) if found else "sound"), file=out)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.stdin.read(), os.getcwd(), sys.stdout))
