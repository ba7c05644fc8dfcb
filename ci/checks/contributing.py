"""The example models of CONTRIBUTING.md, applied as they stand there, their commands run, and taken back.

Every block after a line that begins with **`path`** is a file; every line of a ```sh block is a command. The section with a diff is
worked_field.py's.
Fails where a command does, where a file exists already, or where a file outside the examples' own folders changed: the
one thing that may come besides is blobs of a family in benchmarks/, which lie in artifacts/blobs.
"""

import os
import re

from ci.check import ROOT, Check, remove

_BLOCK = re.compile(r"^\*\*`(?P<path>[^`]+)`\*\*.*?^```\w*\n(?P<text>.*?)^```$", re.M | re.S)
_COMMANDS = re.compile(r"^```sh\n(?P<text>.*?)^```$", re.M | re.S)
_BLOBS = "artifacts/blobs/"
_THIRD_PARTY = "third_party_example"
# What the generator makes of each example: (folder of the lock, folder of its blobs).
_MADE = (("benchmarks/perceptron", "artifacts"), (_THIRD_PARTY, _THIRD_PARTY))


class Contributing(Check):
    def changed(self):
        """Paths that git sees as changed or new."""
        lines = self.expect(["git", "status", "--porcelain", "-uall"]).stdout.splitlines()
        return {line[3:] for line in lines}

    def take_back_blobs(self, before):
        for path in self.changed() - before:
            if path.startswith(_BLOBS):
                os.remove(os.path.join(ROOT, path))

    def check_what_was_made(self):
        """Each package has its own rows, and its blobs lie in its store."""
        for package, store in _MADE:
            digests = re.findall(r'"sha256": "([0-9a-f]{64})"', self.read(os.path.join(ROOT, package, "lock.bzl")))
            missing = [d for d in digests if not os.path.exists("%s/%s/blobs/%s.safetensors" % (ROOT, store, d))]
            self.assertTrue(digests and not missing, "%s/lock.bzl: %d rows; without a blob in %s/blobs: %s" %
                            (package, len(digests), store, missing))

    def test_examples(self):
        """the example of CONTRIBUTING.md works as it stands"""
        sections = re.split(r"^(?=## )", self.read(os.path.join(ROOT, "CONTRIBUTING.md")), flags=re.M)
        text = "".join(section for section in sections if "```diff" not in section)
        files = [(m.group("path"), m.group("text")) for m in _BLOCK.finditer(text)]
        commands = [line for m in _COMMANDS.finditer(text) for line in m.group("text").splitlines()]
        folders = sorted({os.path.dirname(path) for path, _ in files})
        self.assertTrue(len(files) >= 11 and len(commands) >= 6 and _THIRD_PARTY in folders,
                        "found %d files and %d commands; has its form changed?" % (len(files), len(commands)))
        before = self.changed()
        self.addCleanup(self.take_back_blobs, before)
        for folder in folders:
            os.makedirs(os.path.join(ROOT, folder))  # fails where it exists already
            self.addCleanup(remove, os.path.join(ROOT, folder))
        for path, content in files:
            self.write(os.path.join(ROOT, path), content)
        for command in commands:
            self.expect(["sh", "-c", command])
        self.check_what_was_made()
        own = tuple(folder + "/" for folder in folders) + (_BLOBS,)
        self.assertEqual({path for path in self.changed() - before if not path.startswith(own)}, set(),
                         "the examples changed other files")
