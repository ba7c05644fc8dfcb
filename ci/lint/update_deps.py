"""//tools:update_deps: has the dependency lists of C++ rules say what their files include.

  tools/bazel run //tools:update_deps                     the whole tree; prints each list that it changed
  tools/bazel run //tools:update_deps -- --check          changes nothing; exit code 1 where a list would change
  tools/bazel run //tools:update_deps -- tools/compare    packages, with those below them

A rule depends on the rule of each header of this tree that one of its files includes. What else a list has stays: rules
without a header, other repositories, Abseil's among them, and lines that end with `# keep`. Lists that are no plain lists
of labels are left alone. A header that two rules have is an error unless the list names one of them.

Exit codes: 0, 1 with --check, 2 and 3 as of //tools:lint.
"""

import argparse
import ast
import os
import re
import sys
from typing import NamedTuple

from artifacts.fetch.ending import OK
from artifacts.format import atomic_file
from tools.processes.command import FINDINGS, SurroundingsError, UsageError, run_program, workspace

_UNITS = ("cc_unit", "separate_cc_unit")
_TEST = "cc_unit_test"
_RULES = _UNITS + (_TEST, "cc_library", "cc_binary", "cc_test")
_SOURCE = (".cc", ".h", ".inc")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)
_KEEP = "# keep"


class Rule(NamedTuple):
    """A call in a BUILD file, with the lists that name files and labels."""

    package: str
    kind: str
    name: str
    lists: dict  # argument -> values, or None where it is no plain list
    places: dict  # argument -> (first line, last line), from 1
    settings: dict  # argument -> constant
    end: int  # the line of the closing parenthesis

    @property
    def label(self):
        return "//%s:%s" % (self.package, self.name)

    def paths(self, argument, default):
        values = self.lists.get(argument, default)
        return [os.path.join(self.package, value) for value in values or [] if ":" not in value and "//" not in value]

    def headers(self):
        if self.kind == "cc_proto":
            return [path[:-len("proto")] + "pb.h" for path in self.paths("srcs", [self.name[:-len("_cc_proto")] + ".proto"])]
        return self.paths("hdrs", [self.name + ".h"] if self.kind in _UNITS else []) + self.paths("textual_hdrs", [])

    def sources(self):
        return self.paths("srcs", [self.name + ".cc"] if self.kind in _UNITS + (_TEST,) else [])

    def tests(self):
        """The files of a unit's test."""
        has_test = self.kind in _UNITS and self.settings.get("test", True)
        return [os.path.join(self.package, self.name + "_test.cc")] if has_test else []


def rules_of(package, text):
    """The calls of a BUILD file that have a name; those made in a loop have none that can be read."""
    found = []
    for statement in ast.parse(text).body:
        call = getattr(statement, "value", None)
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            continue
        lists, places, settings = {}, {}, {}
        for argument in call.keywords:
            if isinstance(argument.value, ast.List):
                constant = all(isinstance(item, ast.Constant) for item in argument.value.elts)
                lists[argument.arg] = [item.value for item in argument.value.elts] if constant else None
                places[argument.arg] = (argument.value.lineno, argument.value.end_lineno)
            elif isinstance(argument.value, ast.Constant):
                settings[argument.arg] = argument.value.value
            else:
                lists[argument.arg] = None
        if "name" in settings:
            found.append(Rule(package, call.func.id, settings["name"], lists, places, settings, call.end_lineno))
    return found


def absolute(label, package):
    """"//a:b" of ":b", "b", "//a/b" and "@r//a:b"; a rule of another repository keeps its name."""
    if label.startswith(":"):
        return "//%s%s" % (package, label)
    repository, slashes, path = label.partition("//")
    if not slashes:
        return "//%s:%s" % (package, label)
    return label if ":" in path else "%s//%s:%s" % (repository, path, path.rsplit("/", 1)[-1])


def shortest(label, package):
    """The label as a BUILD file of the package writes it."""
    path, _, name = label.partition(":")
    if path == "//" + package:
        return ":" + name
    return path if path.rsplit("/", 1)[-1] == name else label


def _order(label):
    """Buildifier's: ":a" before "//a" before "@a", and within these as if ":" came before all."""
    return [label.startswith("//") + 2 * label.startswith("@"), label.replace(":", "!")]


class Providers:
    """The rules of the tree by the headers that they have."""

    def __init__(self):
        self._rules = {}  # header -> labels
        self._headers = {}  # label -> headers, empty of a rule that a list keeps whatever is included

    def add(self, rule):
        headers = [] if rule.settings.get("alwayslink") else rule.headers()
        self._headers.setdefault(rule.label, []).extend(headers)
        for header in headers:
            self._rules.setdefault(header, []).append(rule.label)

    def may_go(self, label):
        """Whether a list needs the label for the sake of headers alone."""
        return bool(self._headers.get(label))

    def needed(self, included, present, own):
        """Labels of the rules of these headers; `present`: labels that win where several rules have a header."""
        labels = set()
        for header in included:
            rules = set(self._rules.get(header, ()))
            if own in rules or not rules:
                continue
            chosen = rules & present or rules
            if len(chosen) > 1:
                raise UsageError("%s: \"%s\" is a header of %s; name one of them in the list" %
                                 (own, header, " and ".join(sorted(chosen))))
            labels |= chosen
        return labels


class Lines:
    """A BUILD file whose lists are rewritten, from its end to its beginning."""

    def __init__(self, text):
        self._lines = text.split("\n")

    def text(self):
        return "\n".join(self._lines)

    def kept(self, place):
        """Labels on lines that end with `# keep`."""
        lines = self._lines[place[0] - 1:place[1]]
        return {label for line in lines if line.rstrip().endswith(_KEEP) for label in re.findall(r'"([^"]+)"', line)}

    def replace(self, place, argument, labels):
        """Has the list at `place` hold these labels. Comments stay above the label that they stand above."""
        first, last = place
        old, comments, waiting = self._lines[first - 1:last], {}, []
        for line in old[1:-1]:
            label = re.search(r'"([^"]+)"', line)
            if label is None:
                waiting.append(line)
            elif waiting or "#" in line:
                comments[label.group(1)] = (waiting, line)
                waiting = []
        indent = re.match(r" *", old[0]).group(0)
        if not labels:
            new = waiting
        elif len(labels) < 2 and not comments:
            new = ["%s%s = [%s]," % (indent, argument, ", ".join('"%s"' % label for label in labels))]
        else:
            new = ["%s%s = [" % (indent, argument)]
            for label in labels:
                above, line = comments.get(label, ([], '%s    "%s",' % (indent, label)))
                new += above + [line]
            new += waiting + [indent + "],"]
        self._lines[first - 1:last] = new

    def insert(self, line, argument, labels):
        """Adds the list before a line."""
        self._lines[line - 1:line - 1] = ["    %s = []," % argument]
        self.replace((line, line), argument, labels)


def _includes(root, paths):
    found = set()
    for path in paths:
        if path.endswith(_SOURCE) and os.path.exists(os.path.join(root, path)):
            with open(os.path.join(root, path), encoding="utf-8") as f:
                found.update(_INCLUDE.findall(f.read()))
    return found


# The lists that are written, after those that their files have, too.
_LISTS = (("deps", ()), ("test_deps", ("deps",)))


def updated(rule, root, providers, lines):
    """[(argument, the labels that its list should have)], where these differ from what it has."""
    changes = []
    for argument, others in _LISTS:
        files = rule.headers() + rule.sources() if argument == "deps" else rule.tests()
        present = rule.lists.get(argument, [])
        if present is None or any(rule.lists.get(other, []) is None for other in others):
            continue
        has = {absolute(label, rule.package): label for label in present}
        given = {absolute(label, rule.package) for other in others for label in rule.lists.get(other, [])}
        needed = providers.needed(_includes(root, files), set(has) | given, rule.label) - given
        kept = lines.kept(rule.places[argument]) if argument in rule.places else set()
        labels = {label for full, label in has.items() if full in needed or label in kept or not providers.may_go(full)}
        labels |= {shortest(full, rule.package) for full in needed - set(has)}
        if labels != set(present):
            changes.append((argument, sorted(labels, key=_order)))
    return changes


def update(root, package, text, providers):
    """The BUILD file with its lists updated, and a line about each list that changed."""
    lines, said = Lines(text), []
    for rule in reversed(rules_of(package, text)):
        if rule.kind not in _RULES:
            continue
        # A new list goes before that of `deps`, as buildifier has it, or to the end.
        at = {argument: rule.places.get(argument, rule.places.get("deps", (rule.end,))) for argument, _ in _LISTS}
        for argument, labels in sorted(updated(rule, root, providers, lines), key=lambda change: at[change[0]], reverse=True):
            before = set(rule.lists.get(argument, []))
            if argument in rule.places:
                lines.replace(rule.places[argument], argument, labels)
            else:
                lines.insert(at[argument][0], argument, labels)
            changed = ["+" + label for label in labels if label not in before]
            changed += ["-" + label for label in sorted(before - set(labels))]
            said.append("%s %s: %s" % (rule.label, argument, " ".join(changed)))
    return lines.text(), said[::-1]


def _build_files(root):
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith((".", "bazel-")))
        if "BUILD.bazel" in names:
            path = os.path.join(folder, "BUILD.bazel")
            with open(path, encoding="utf-8") as f:
                yield os.path.relpath(folder, root), path, f.read()


def _providers(root):
    providers = Providers()
    for package, _, text in _build_files(root):
        for rule in rules_of("" if package == "." else package, text):
            if rule.kind in _RULES or rule.kind == "cc_proto":
                providers.add(rule)
    return providers


def main(words, environment, out):
    parser = argparse.ArgumentParser(prog="update_deps", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", metavar="FOLDER")
    parser.add_argument("--check", action="store_true", help="changes nothing")
    arguments = parser.parse_args(words)
    root = workspace(environment)
    below = [os.path.normpath(name) for name in arguments.packages]
    for name in below:
        if not os.path.isdir(os.path.join(root, name)):
            raise SurroundingsError("there is no folder %s in the tree" % name)
    providers = _providers(root)
    count = 0
    for package, path, text in _build_files(root):
        if below and not any(name in (".", package) or package.startswith(name + "/") for name in below):
            continue
        new, said = update(root, package, text, providers)
        for line in said:
            print(line, file=out)
        count += len(said)
        if said and not arguments.check:
            atomic_file.write(path, new.encode())
    print("update_deps: %d lists %s" % (count, "differ" if arguments.check else "changed"), file=out)
    return FINDINGS if arguments.check and count else OK


if __name__ == "__main__":
    sys.exit(run_program("update_deps", main))
