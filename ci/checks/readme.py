"""Checks README.md, docs/recipes.md and the other documents: each command works as it is typed and prints the lines that are shown,
links lead somewhere, results have the fields that the lines for jq and pandas name, and README's figure against Python is the
mean of the table that it comes from.

A command that measures a case also gets a short --budget. A command that is too heavy for that, or needs what CI does not have,
is in _INSTEAD, with the reason and with the command that is typed in its place.
"""

import json
import os
import re
import shutil
import statistics

from ci import documents
from ci.check import ROOT, Check, program, remove

_README = os.path.join(ROOT, "README.md")
_RECIPES = os.path.join(ROOT, "docs", "recipes.md")
_SHORT = "--budget=0.05"
_FILE = re.compile(r"(?<![\w/.])\w+\.(?:jsonl|pt|safetensors)\b")  # what commands read and write where the reader stands
_RESNET = "tools/bazel run //benchmarks/resnet:resnet18_fp32_b1"
_GPT2 = "tools/bazel run //benchmarks/gpt2:gpt2_tiny_fp32_b1_s8"
_COMPARE = "tools/bazel run //tools:compare -- --baseline="
_FEW = "--pairs=4 --extra-rounds=0 --flagged=keep " + _SHORT
_KERNEL = _COMPARE + ". --candidate=. --candidate-build=--//benchmarks/backends=//my_kernels:softmax"
_SHAPES = " --cases='^softmax_fp32_b[0-9]+_c[0-9]+$' --pairs=10 --budget=0.2 --extra-rounds=0 --flagged=keep"
_TOKENS = "tools/bazel run //tools:run_suite -- -k '^tinyllama_2l_(fp32|bf16)_b1_s128_gen32$' --test=generate --out=/tmp/llm"
_EXAMPLE = "needs the example of docs/adding.md, with which contributing.py types it"

# command -> (why it is not typed as it stands, what is typed in its place)
_INSTEAD = {
    "tools/bazel test //...": ("takes minutes; ci/run.sh begins with it", "tools/bazel test //benchmarks/mlp/..."),
    _COMPARE + "mlp_fp32_b64 --candidate=mlp_bf16_b64 --flagged=keep --extra-rounds=0": (
        "takes a minute", _COMPARE + "mlp_fp32_b64 --candidate=mlp_bf16_b64 " + _FEW),
    _COMPARE + "mlp_fp32_b64 --aa --metric=cpu": ("takes a minute", _COMPARE + "mlp_fp32_b64 --aa --metric=cpu " + _FEW),
    _COMPARE + "git:HEAD~10 --candidate=. --cases='^mlp_fp32_b8$'": (
        "builds another revision", "tools/bazel run //tools:compare -- --help"),
    _COMPARE + "git:HEAD --candidate=. --cases='^resnet18_fp32_b1$' --metric=cpu": (
        "builds another revision", "tools/bazel run //tools:compare -- --help"),
    _KERNEL + _SHAPES: ("takes minutes", _KERNEL + " --cases='^softmax_fp32_b16_c96$' " + _FEW),
    _TOKENS: ("takes minutes", "tools/bazel run //tools:run_suite -- -k '^gpt2_tiny_fp32_b1_s64_gen16$' --test=generate --out=/tmp/llm " + _SHORT),
    "tools/bazel run //tools:report -- /tmp/llm --report=tokens": (
        "the suite typed before it has another model", "tools/bazel run //tools:report -- /tmp/llm --report=tokens"),
    "tools/bazel run //tools:generate_artifacts -- --filter=^highway --allow-dirty": (
        _EXAMPLE, "tools/bazel run //tools:generate_artifacts -- --filter=^mlp --allow-dirty --dry-run"),
    "tools/bazel test //third_party_example/...": (_EXAMPLE, "tools/bazel test //benchmarks/mlp/..."),
    "tools/bazel run //third_party_example:highway_fp32_b1": (_EXAMPLE, "tools/bazel run //benchmarks/mlp -- " + _SHORT),
    _RESNET + " -- --weights=model.safetensors --reference=outputs.safetensors": (
        "the case's own export stands for the reader's files, and has two rows",
        _RESNET + " -- --weights=model.safetensors --reference=outputs.safetensors --batch=2 " + _SHORT),
    "tools/bazel run //tools:new_model -- my_module.py:MyNet --example='torch.randn(1, 3, 32, 32)' --out=models/mine": (
        "new_model.py types it for a module", "tools/bazel run //tools:new_model -- --help"),
    _GPT2 + " -- --weights=FOLDER --verify-with=python": (
        "a file of the case's own weights stands for the reader's folder",
        _GPT2 + " -- --weights=gpt2.safetensors --verify-with=python " + _SHORT),
}
# First words of lines that come and go with the machine, or with what is cached.
_VARY = ("check", "machine", "advice", "note", "building", "again", "Executed", "dropped")


def _without_comment(command):
    return re.sub(r"\s+# .*", "", command).strip()


def _typed(command):
    """The text that is typed for a command."""
    if command in _INSTEAD:
        return _INSTEAD[command][1]
    if "--locate" in command or not re.match(r"tools/bazel run //benchmarks/\w+(:\w+_b\d+\w*)?( |$)", command):
        return command
    return "%s %s%s" % (command, "" if " -- " in command else "-- ", _SHORT)


def _first_words(lines):
    """The first word of each line, but for figures, rules and what comes and goes."""
    words = {line.split()[0] for line in lines if line.strip() and line.split()[0] not in ("...", *_VARY)}
    return {word for word in words if re.search(r"[A-Za-z]", word) and not word[0].isdigit()}


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
        self.folders = set()
        self.printed = {}  # command -> what it printed; one that stands twice is typed once

    def git_status(self):
        """Without what lies in folders of the recipes' files."""
        lines = self.expect(["git", "status", "--porcelain", "-uall"]).stdout.splitlines()
        return [line for line in lines if line[3:].split("/")[0] not in self.folders]

    def in_scratch(self, command):
        command = re.sub(r"(?<![\w.])/tmp/", self.scratch + "/", command)
        return _FILE.sub(lambda match: os.path.join(self.scratch, match.group()), command)

    def make(self, files):
        self.folders = {path.split("/")[0] for path, _ in files}
        for folder in self.folders:
            os.makedirs(os.path.join(ROOT, folder))  # fails where it exists already
            self.addCleanup(remove, os.path.join(ROOT, folder))
        for path, text in files:
            self.write(os.path.join(ROOT, path), text)

    def type(self, text):
        """Types each command of a document, and looks for the lines that it shows."""
        shown = {_without_comment(command): lines for _, command, lines in documents.outputs(text)}
        for command in (_without_comment(command) for _, command in documents.commands(text)):
            if command.startswith("jq ") and not shutil.which("jq"):  # test_fields looks at its names all the same
                continue
            if command not in self.printed:
                done = self.expect(["sh", "-c", self.in_scratch(_typed(command))])
                self.printed[command] = done.stdout + done.stderr
            printed = {line.split()[0] for line in self.printed[command].splitlines() if line.strip()}
            words = _first_words(shown.get(command, []))
            absent = words - printed
            if command in _INSTEAD:  # what is typed in its place may print fewer rows, but is the same program
                absent = absent if absent == words and _typed(command).split(" -- ")[0] == command.split(" -- ")[0] else set()
            self.assertEqual(absent, set(), "%s prints no line that begins so; it printed\n%s" % (command, self.printed[command]))

    def test_commands(self):
        """README, recipes: each command works as it is typed, and prints the lines that are shown"""
        readme, recipes = self.read(_README), self.read(_RECIPES)
        commands = [_without_comment(command) for text in (readme, recipes) for _, command in documents.commands(text)]
        self.assertGreater(len(commands), 20, "has their form changed?")
        self.assertEqual(sorted(set(_INSTEAD) - set(commands)), [], "not in README.md or recipes.md any more; take them out of _INSTEAD")
        before = self.git_status()
        # The files that a reader brings.
        self.expect(["sh", "-c", self.in_scratch(
            _RESNET + " -- --export-state=model.safetensors --export-reference=outputs.safetensors --export-module=model.pt")])
        self.expect(["sh", "-c", self.in_scratch(_GPT2 + " -- --export-state=gpt2.safetensors")])
        self.make(documents.files(recipes))
        self.type(recipes)
        self.type(readme)
        self.assertEqual(self.git_status(), before, "a command wrote into the checkout")

    def test_fields(self):
        """results: the fields that the page's lines for jq and pandas name are those of a record"""
        text = self.read(os.path.join(ROOT, "docs", "results.md"))
        record = os.path.join(self.scratch, "runs.jsonl")
        # Not _SHORT: the default budget lasts for the six samples without which a median has no interval.
        self.expect(program("//benchmarks/mlp:mlp_fp32_b1", "--record=" + record))
        paths = _paths_of(json.loads(self.read(record)))
        lines = [command for _, command in documents.commands(text) if command.startswith("jq ")]
        snippet = re.search(r"^```python\n(.*?)^```$", text, re.M | re.S).group(1)
        compile(snippet, "results.md", "exec")
        names = re.findall(r"(?<!\w)\.([a-z_]+(?:\.[a-z_]+)*)", " ".join(lines))
        names += re.findall(r'"([a-z_]+(?:\.[a-z_]+)*)"', snippet)
        self.assertGreater(len(names), 10, "has its form changed?")
        absent = [n for n in names if n != "runs.jsonl" and not any(path.endswith("." + n) for path in paths)]
        self.assertEqual(absent, [], "no fields of defs/proto/record.proto that a run fills")

    def test_python(self):
        """documents: what they show of Python is Python"""
        for path in (_RECIPES, os.path.join(ROOT, "docs", "backends.md")):
            for snippet in re.findall(r"^```python\n(.*?)^```$", self.read(path), re.M | re.S):
                compile(snippet, path, "exec")

    def test_against_python(self):
        """README, docs/data/figures.md: the means against Python are those of the table in docs/data/laboratory.md"""
        row = r"^\| [\w ]+ \| ([\d.]+) \([^)]*\)(?: \*)? \| ([\d.]+) \| ([\d.]+) \([^)]*\)(?: \*)? \| ([\d.]+) \|$"
        rows = re.findall(row, self.read(os.path.join(ROOT, "docs", "data", "laboratory.md")), re.M)
        self.assertGreater(len(rows), 10, "has its form changed?")
        time1, memory1, time8, memory8 = [[float(value) for value in column] for column in zip(*rows)]
        time = statistics.geometric_mean(time1 + time8)
        memory = tuple(map(statistics.geometric_mean, (memory1, memory8)))
        for path, figure in ((_README, "%.2f times as long as Python (geometric mean of %d vision models" % (time, len(rows))),
                             (os.path.join(ROOT, "docs", "data", "figures.md"), "| %.3f | b1 %.2f, b8 %.2f |" % ((time,) + memory))):
            self.assertTrue(figure in self.read(path), "%s does not say %r" % (path, figure))


class Documents(Check):
    def test_diffs(self):
        """documents: the diffs of docs/adding.md apply"""
        diffs = re.findall(r"^```diff\n(.*?)^```$", self.read(os.path.join(ROOT, "docs", "adding.md")), re.M | re.S)
        self.assertGreater(len(diffs), 3, "has their form changed?")
        for diff in diffs:
            self.expect(["git", "apply", "--check", "--recount", self.write(os.path.join(self.scratch, "diff"), diff)])

    def test_links(self):
        """documents: links, anchors, paths and packages that they name are there"""
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.md"]
        paths = [path for path in self.expect(listed).stdout.split("\0") if path and os.path.exists(os.path.join(ROOT, path))]
        self.assertIn("README.md", paths)
        wrong = [p for path in paths for p in documents.problems(ROOT, path, self.read(os.path.join(ROOT, path)))]
        self.assertEqual(wrong, [])
