"""Checks that no two packages of the tree depend on each other, and that nothing depends on a later folder.

    tools/bazel query //... --output=xml | python3 ci/arrows.py

An arrow makes one package depend on another: a rule's attribute (as Bazel sees it once macros are expanded), a load()
of a .bzl file, an #include, a Python import wherever it stands. There are four checks:
  packages   no circle of packages;
  folders    no circle of the top folders (tools/deps, defs/build/python and tools/export, which need none of those that need
             them, count as folders of their own);
  order      defs -> models -> benchmarks -> tools -> ci, and never back (an alias may: it keeps a name that people type);
  modules    no circle of Python modules.
Each fault is shown with the file and line of every arrow in it. Exits 1 where there is one, 2 where nothing could be
read. Not for indirect dependencies, which forbidden_arrow_test() (defs/build/arrows.bzl) checks, outside the tree, too.
"""

import ast
import collections
import os
import re
import sys
import xml.etree.ElementTree

_BUILD_FILES = ("BUILD.bazel", "BUILD")
_ORDER = ("defs", "models", "benchmarks", "tools", "ci")
TOGETHER = "unity"  # the tag of rules that compile several units, of several packages, too: each unit's own rule has what it needs
# Loaded and linked by all, or, of tools/export, a digest of its sources by which benchmarks/backends names what it keeps.
_LEAVES = ("defs/build/python", "tools/deps", "tools/export")
_LOAD = re.compile(r'^load\(\s*"([^"]+)"', re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


class Tree:
    """The source files below a folder, and which package each belongs to."""

    def __init__(self, root):
        self.root = root
        ignored = self._ignored()
        self.files = []
        for folder, subfolders, names in os.walk(root):
            here = os.path.relpath(folder, root).replace(os.sep, "/")
            here = "" if here == "." else here + "/"
            subfolders[:] = sorted(
                s for s in subfolders if not s.startswith((".", "bazel-")) and here + s not in ignored and s != "__pycache__"
            )
            self.files += [here + name for name in sorted(names)]
        self._known = set(self.files)
        self.packages = {os.path.dirname(f) for f in self.files if os.path.basename(f) in _BUILD_FILES}

    def _ignored(self):
        path = os.path.join(self.root, ".bazelignore")
        if not os.path.exists(path):
            return set()
        with open(path, encoding="utf-8") as f:
            return set(f.read().split())

    def has(self, path):
        return path in self._known

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as f:
            return f.read()

    def package_of(self, path):
        folder = os.path.dirname(path)
        while folder and folder not in self.packages:
            folder = os.path.dirname(folder)
        return folder


class Arrows:
    """A graph that keeps, for each arrow, the first place that makes it."""

    def __init__(self):
        self._places = collections.defaultdict(dict)

    def add(self, source, target, place):
        if source != target:
            self._places[source].setdefault(target, place)

    def items(self):
        return [(s, t, place) for s, targets in sorted(self._places.items()) for t, place in sorted(targets.items())]

    def circles(self):
        """A shortest circle for each set of nodes that all need each other: [[(source, target, place), …], …]."""
        found, done = [], set()
        for node in sorted(self._places):
            if node in done or not any(self._path(target, node) for target in self._places[node]):
                continue
            together = [n for n in sorted(self._places) if self._path(node, n) and self._path(n, node)]
            done.update(together)
            path = min((circle for n in together for circle in self._circles_through(n)), key=len)
            found.append([(a, b, self._places[a][b]) for a, b in zip(path, path[1:])])
        return found

    def _circles_through(self, node):
        return [[node] + path for path in (self._path(target, node) for target in sorted(self._places[node])) if path]

    def _path(self, start, end):
        """The nodes of a shortest path, both ends among them; empty where there is none."""
        came_from, waiting = {start: None}, collections.deque([start])
        while waiting:
            node = waiting.popleft()
            if node == end:
                path = []
                while node is not None:
                    path.append(node)
                    node = came_from[node]
                return path[::-1]
            for target in sorted(self._places.get(node, {})):
                if target not in came_from:
                    came_from[target] = node
                    waiting.append(target)
        return []


def folder_of(package):
    """The folder that stands in _ORDER, or a leaf."""
    for leaf in _LEAVES:
        if package == leaf or package.startswith(leaf + "/"):
            return leaf
    return package.split("/")[0]


def _line(text, position):
    return text.count("\n", 0, position) + 1


def _package_of_label(label):
    return label[2:].split(":")[0] if label.startswith("//") else None


def parse_query(query):
    """The root element of the XML of `bazel query`."""
    # Expat knows XML 1.0 only; Bazel says 1.1 and writes control characters of genrules as references.
    return xml.etree.ElementTree.fromstring(
        re.sub(r"&#(?:x[0-9a-fA-F]+|\d+);", " ", query.replace('version="1.1"', 'version="1.0"', 1)))


def strings(rule, attribute):
    """The values of a rule's list of strings."""
    return [s.get("value") for s in rule.findall("list[@name='%s']/string" % attribute)]


def includes(text):
    """(path, line) of each #include of a file of a tree."""
    return [(match[1], _line(text, match.start())) for match in _INCLUDE.finditer(text)]


def rule_arrows(query, root):
    """(source package, target package, place) of every rule of one unit in the XML of `bazel query`."""
    prefix = os.path.realpath(root) + os.sep
    for rule in parse_query(query).iter("rule"):
        if TOGETHER in strings(rule, "tags") or rule.get("class") == "alias":
            continue
        location = rule.get("location", "?").rsplit(":", 1)[0]
        location = location[len(prefix):] if location.startswith(prefix) else location
        source = _package_of_label(rule.get("name"))
        for needed in rule.iter("rule-input"):
            target = _package_of_label(needed.get("name"))
            if source is not None and target is not None:
                yield source, target, "%s: %s needs %s" % (location, rule.get("name"), needed.get("name"))


def load_arrows(tree):
    for path in tree.files:
        if not path.endswith(".bzl") and os.path.basename(path) not in _BUILD_FILES:
            continue
        text = tree.read(path)
        for match in _LOAD.finditer(text):
            target = _package_of_label(match[1])
            if target is not None:
                yield tree.package_of(path), target, "%s:%d: load(\"%s\")" % (path, _line(text, match.start()), match[1])


def include_arrows(tree):
    for path in tree.files:
        if not path.endswith((".h", ".cc", ".cu", ".inc")):
            continue
        text = tree.read(path)
        for included, line in includes(text):
            if tree.has(included) or os.path.dirname(included) in tree.packages:  # .pb.h is made
                yield tree.package_of(path), tree.package_of(included), "%s:%d: #include \"%s\"" % (path, line, included)


def imports(tree):
    """(importing file, imported file, place) of Python modules of the tree, wherever in a file the import stands."""
    for path in tree.files:
        if not path.endswith(".py"):
            continue
        for node in ast.walk(ast.parse(tree.read(path), path)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module + "." + alias.name for alias in node.names]
            else:
                continue
            for name in names:
                module = _module_file(tree, name)
                if module:
                    yield path, module, "%s:%d: import of %s" % (path, node.lineno, module[:-len(".py")].replace("/", "."))


def _module_file(tree, name):
    """The file of module `name`, or of the module that has it as an attribute; None for one outside the tree."""
    path = name.replace(".", "/")
    for candidate in (path, os.path.dirname(path)):
        for file in (candidate + ".py", candidate + "/__init__.py", candidate + "/__main__.py"):
            if tree.has(file):
                return file
    return None


def faults(tree, query):
    """The faults, as texts, and how many packages and arrows were checked."""
    packages, folders, modules, back = Arrows(), Arrows(), Arrows(), []
    arrows = list(rule_arrows(query, tree.root)) + list(load_arrows(tree)) + list(include_arrows(tree))
    for source, target, place in imports(tree):
        modules.add(source, target, place)
        arrows.append((tree.package_of(source), tree.package_of(target), place))
    for source, target, place in arrows:
        packages.add(source, target, place)
        folders.add(folder_of(source), folder_of(target), place)
    for source, target, place in folders.items():
        if source in _ORDER and target in _ORDER and _ORDER.index(source) < _ORDER.index(target):
            back.append("%s must not need %s\n    %s" % (source, target, place))
    texts = []
    for kind, graph in (("packages", packages), ("folders", folders), ("Python modules", modules)):
        for circle in graph.circles():
            names = " -> ".join([circle[0][0]] + [target for _, target, _ in circle])
            texts.append("a circle of %s: %s\n%s" % (kind, names, "\n".join("    " + place for _, _, place in circle)))
    return texts + back, len(tree.packages), len(packages.items())


def main(query, root, out):
    try:
        found, packages, arrows = faults(Tree(root), query)
    except (xml.etree.ElementTree.ParseError, SyntaxError) as error:
        print("arrows.py: cannot read: %s" % error, file=out)
        return 2
    if not arrows:
        print("arrows.py: no arrow among %d packages, so nothing was proved; give it the output of\n"
              "    tools/bazel query //... --output=xml" % packages, file=out)
        return 2
    for text in found:
        print(text, file=out)
    verdict = "%d faults" % len(found) if found else "sound"
    print("looked at %d packages and %d arrows between them: %s" % (packages, arrows, verdict), file=out)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.stdin.read(), os.getcwd(), sys.stdout))
