"""The field of the record that docs/adding.md adds: its diff is applied, its commands are run, and both are taken back.

The first command is run before the diff is applied, and its record gets the field here: a change of record.proto has the
whole harness compiled again, four minutes on two cores. The line of C++ is compiled by itself.
"""

import json
import os
import re

from ci.check import BAZEL, ROOT, Check, remove

_DIFF = re.compile(r"^```diff\n(.*?)^```$", re.M | re.S)
_FILE = re.compile(r"^\*\*`([^`]+)`\*\*.*?^```\w*\n(.*?)^```$", re.M | re.S)
_COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
_CHANGED = re.compile(r"^\+\+\+ b/", re.M)
_MOST_PLACES = 4
_FIELD = "flops_per_byte"
_COMPILED = "//benchmarks/harness/costs:call_cost_alone"


class WorkedField(Check):
    def apply(self, diff):
        """Until the check ends. Numbers of lines need not be right: what stands around a change says where it is."""
        apply = ["git", "apply", "--recount", self.write(os.path.join(self.scratch, "diff"), diff)]
        self.expect(apply)
        self.addCleanup(self.expect, [*apply, "--reverse"])

    def test_field(self):
        """a field of the record is four lines, and shows in record, database, page and gate"""
        sections = re.split(r"^(?=## )", self.read(os.path.join(ROOT, "docs", "adding.md")), flags=re.M)
        (section,) = (section for section in sections if section.startswith("## A field of the record"))
        ((diff,), ((path, content),), (commands,)) = (form.findall(section) for form in (_DIFF, _FILE, _COMMANDS))
        places = len(_CHANGED.findall(diff)), len(re.findall(r"^\+(?!\+\+ )", diff, re.M)), len(re.findall(r"^-(?!-- )", diff, re.M))
        self.assertEqual(places, (_MOST_PLACES, _MOST_PLACES, 0), "files, new lines and old lines of the diff")
        folder = os.path.join(ROOT, os.path.dirname(path))
        os.makedirs(folder)  # fails where it exists already
        self.addCleanup(remove, folder)
        self.write(os.path.join(ROOT, path), content)
        measure, *others = commands.splitlines()
        self.expect(["sh", "-c", measure])
        self.add_field(os.path.join(folder, "runs.jsonl"))
        self.apply(diff)
        self.expect([BAZEL, "build", "--noshow_progress", _COMPILED])
        for command in others:
            self.expect(["sh", "-c", command])

    def add_field(self, path):
        """As the line of C++ does."""
        record = json.loads(self.read(path))
        for measurement in record["measurements"]:
            measurement[_FIELD] = measurement["flops_per_call"] / measurement["bytes_per_call"]
        self.write(path, json.dumps(record) + "\n")
