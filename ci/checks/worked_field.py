"""The field of the record that CONTRIBUTING.md adds: its diff is applied, its commands are run, and both are taken back.

The last of the checks, since a change of record.proto compiles most of the harness again.
"""

import os
import re

from ci.check import ROOT, Check, remove

_DIFF = re.compile(r"^```diff\n(.*?)^```$", re.M | re.S)
_FILE = re.compile(r"^\*\*`([^`]+)`\*\*.*?^```\w*\n(.*?)^```$", re.M | re.S)
_COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.M | re.S)
_CHANGED = re.compile(r"^\+\+\+ b/", re.M)
_MOST_PLACES = 4


class WorkedField(Check):
    def apply(self, diff):
        """Until the check ends. Numbers of lines need not be right: what stands around a change says where it is."""
        apply = ["git", "apply", "--recount", self.write(os.path.join(self.scratch, "diff"), diff)]
        self.expect(apply)
        self.addCleanup(self.expect, [*apply, "--reverse"])

    def test_field(self):
        """a field of the record is four lines, and shows in record, database, page and gate"""
        sections = re.split(r"^(?=## )", self.read(os.path.join(ROOT, "CONTRIBUTING.md")), flags=re.M)
        (section,) = (section for section in sections if "```diff" in section)
        ((diff,), ((path, content),), (commands,)) = (form.findall(section) for form in (_DIFF, _FILE, _COMMANDS))
        places = len(_CHANGED.findall(diff)), len(re.findall(r"^\+(?!\+\+ )", diff, re.M)), len(re.findall(r"^-(?!-- )", diff, re.M))
        self.assertEqual(places, (_MOST_PLACES, _MOST_PLACES, 0), "files, new lines and old lines of the diff")
        folder = os.path.join(ROOT, os.path.dirname(path))
        os.makedirs(folder)  # fails where it exists already
        self.addCleanup(remove, folder)
        self.write(os.path.join(ROOT, path), content)
        self.apply(diff)
        for command in commands.splitlines():
            self.expect(["sh", "-c", command])
