"""Checks README.md and the other documents: each command works as it is typed, links lead somewhere, results have
the fields that its lines for jq and pandas name, and its figure against Python is the mean of the table that it comes from.

A command that measures a case also gets a short --budget. A command that is too heavy for that, or needs what CI does not have,
is in _INSTEAD, with the reason and with the command that is typed in its place.
"""

import json
import os
import re
import shutil
import statistics

from ci import documents
from ci.check import ROOT, Check, program

_README = os.path.join(ROOT, "README.md")
_LINES = 150  # fewer than these
_SHORT = "--budget=0.05"
_FILE = re.compile(r"(?<![\w/.])\w+\.(?:jsonl|pt|safetensors)\b")  # what commands read and write where the reader stands
_RESNET = "tools/bazel run //benchmarks/resnet:resnet18_fp32_b1"
_COMPARE = "tools/bazel run //tools:compare -- --baseline="
_MLP = "//benchmarks/mlp:mlp_fp32_b64"
_FEW = "--pairs=4 --extra-rounds=0 --flagged=keep " + _SHORT

# command -> (why it is not typed as it stands, what is typed in its place)
_INSTEAD = {
    "tools/bazel test //...": ("takes minutes; ci/run.sh begins with it", "tools/bazel test //benchmarks/mlp/..."),
    _COMPARE + "%s --candidate=%s --inject=3%% --gate" % (_MLP, _MLP): (
        "takes a minute", _COMPARE + "%s --candidate=%s --inject=3%% %s" % (_MLP, _MLP, _FEW)),
    _COMPARE + "mlp_fp32_b64 --candidate=mlp_bf16_b64": (
        "takes a minute", _COMPARE + "mlp_fp32_b64 --candidate=mlp_bf16_b64 " + _FEW),
    _COMPARE + _MLP + " --aa": ("takes a minute", _COMPARE + _MLP + " --aa " + _FEW),
    _COMPARE + "git:HEAD --candidate=. --cases=resnet18_fp32 --gate": (
        "builds another revision", "tools/bazel run //tools:compare -- --help"),
    "tools/bazel run //tools:generate_artifacts -- --filter=^highway --allow-dirty": (
        "needs the example of CONTRIBUTING.md, with which contributing.py types it",
        "tools/bazel run //tools:generate_artifacts -- --filter=^mlp --allow-dirty --dry-run"),
    "tools/bazel test //third_party_example/...": (
        "needs the example of CONTRIBUTING.md, with which contributing.py types it", "tools/bazel test //benchmarks/mlp/..."),
    "tools/bazel run //third_party_example": (
        "needs the example of CONTRIBUTING.md, with which contributing.py types it",
        "tools/bazel run //benchmarks/mlp -- " + _SHORT),
    _RESNET + " -- --weights=model.safetensors --reference=outputs.safetensors": (
        "the case's own export stands for the reader's files, and has two rows",
        _RESNET + " -- --weights=model.safetensors --reference=outputs.safetensors --batch=2 " + _SHORT),
    "tools/bazel run --config=cuda //benchmarks/resnet:resnet50_fp32_b8": (
        "needs a GPU; cuda.py builds the flavour", "tools/bazel query //benchmarks/resnet:resnet50_fp32_b8"),
    "tools/bazel shutdown": ("ends the server that the next command would have to start", "tools/bazel help shutdown"),
}


def _without_comment(command):
    return re.sub(r"\s+# .*", "", command).strip()


def _typed(command):
    """What is typed for a command of README.md."""
    if command in _INSTEAD:
        return _INSTEAD[command][1]
    if not re.match(r"tools/bazel run //benchmarks/\w+(:\w+_b\d+\w*)?( |$)", command):
        return command
    return "%s %s%s" % (command, "" if " -- " in command else "-- ", _SHORT)


def _paths_of(value, path=""):
    """The dotted path of everything in a record; an element of a list has the path of the list."""
    found = {path}
    for name, inner in value.items() if isinstance(value, dict) else ():
        found |= _paths_of(inner, path + "." + name)
    for inner in value if isinstance(value, list) else ():
        found |= _paths_of(inner, path)
    return found


class Readme(Check):
    def setUp(self):
        super().setUp()
        self.text = self.read(_README)

    def git_status(self):
        return self.expect(["git", "status", "--porcelain", "-uall"]).stdout

    def in_scratch(self, command):
        return _FILE.sub(lambda match: os.path.join(self.scratch, match.group()), command)

    def test_commands(self):
        """README: each of its commands works as it is typed"""
        commands = [_without_comment(command) for _, command in documents.commands(self.text)]
        self.assertGreater(len(commands), 10, "has its form changed?")
        self.assertEqual(sorted(set(_INSTEAD) - set(commands)), [], "not in README.md any more; take them out of _INSTEAD")
        before = self.git_status()
        # The files that a reader brings.
        self.expect(["sh", "-c", self.in_scratch(
            _RESNET + " -- --export-state=model.safetensors --export-reference=outputs.safetensors --export-module=model.pt")])
        for command in commands:
            if command.startswith("jq ") and not shutil.which("jq"):  # test_fields looks at its names all the same
                continue
            self.expect(["sh", "-c", self.in_scratch(_typed(command))])
        self.assertEqual(self.git_status(), before, "a command wrote into the checkout")

    def test_fields(self):
        """README: the fields that its lines for jq and pandas name are those of a record"""
        record = os.path.join(self.scratch, "runs.jsonl")
        # Not _SHORT: the default budget lasts for the six samples without which a median has no interval.
        self.expect(program("//benchmarks/mlp:mlp_fp32_b1", "--record=" + record))
        paths = _paths_of(json.loads(self.read(record)))
        lines = [command for _, command in documents.commands(self.text) if command.startswith("jq ")]
        snippet = re.search(r"^```python\n(.*?)^```$", self.text, re.M | re.S).group(1)
        compile(snippet, "README.md", "exec")
        names = re.findall(r"(?<!\w)\.([a-z_]+(?:\.[a-z_]+)*)", " ".join(lines))
        names += re.findall(r'"([a-z_]+(?:\.[a-z_]+)*)"', snippet)
        self.assertGreater(len(names), 10, "has its form changed?")
        absent = [n for n in names if n != "runs.jsonl" and not any(path.endswith("." + n) for path in paths)]
        self.assertEqual(absent, [], "no fields of defs/record.proto that a run fills")

    def test_against_python(self):
        """README, docs/data/figures.md: the means against Python are those of the table in docs/data/laboratory.md"""
        row = r"^\| [\w ]+ \| ([\d.]+) \([^)]*\)(?: \*)? \| ([\d.]+) \| ([\d.]+) \([^)]*\)(?: \*)? \| ([\d.]+) \|$"
        rows = re.findall(row, self.read(os.path.join(ROOT, "docs", "data", "laboratory.md")), re.M)
        self.assertGreater(len(rows), 10, "has its form changed?")
        time1, memory1, time8, memory8 = [[float(value) for value in column] for column in zip(*rows)]
        time = statistics.geometric_mean(time1 + time8)
        memory = tuple(map(statistics.geometric_mean, (memory1, memory8)))
        for path, figure in ((_README, "%.2f of the time over %d vision models" % (time, len(rows))),
                             (os.path.join(ROOT, "docs", "data", "figures.md"), "| %.3f | b1 %.2f, b8 %.2f |" % ((time,) + memory))):
            self.assertTrue(figure in self.read(path), "%s does not say %r" % (path, figure))

    def test_length(self):
        """README: short enough to be read"""
        self.assertLess(len(self.text.splitlines()), _LINES)


class Documents(Check):
    def test_links(self):
        """documents: links, anchors, paths and packages that they name are there"""
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md"]
        paths = [path for path in self.expect(listed).stdout.split("\0") if path and os.path.exists(os.path.join(ROOT, path))]
        self.assertIn("README.md", paths)
        wrong = [p for path in paths for p in documents.problems(ROOT, path, self.read(os.path.join(ROOT, path)))]
        self.assertEqual(wrong, [])
