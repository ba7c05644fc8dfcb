"""The examples of docs/adding.md, applied as they stand there, their commands run, and taken back.

Every block after a line that begins with **`path`** is a file; every line of a ```sh block is a command. A section with a diff is applied
by itself and proved by the command in _DIFFS; that of a field is worked_field.py's.
Fails where a command does, where a file exists already, or where a file outside the examples' own folders changed: the
one thing that may come besides is blobs of a family in benchmarks/, which lie in artifacts/blobs.
"""

import os
import re

from ci import documents
from ci.check import BAZEL, ROOT, Check, program, remove

_PAGE = os.path.join(ROOT, "docs", "adding.md")
_COMMANDS = re.compile(r"^```sh\n(?P<text>.*?)^```$", re.M | re.S)
_BLOBS = "artifacts/blobs/"
_THIRD_PARTY = "third_party_example"
# The generator makes these of each example: (folder of the lock, folder of its blobs).
_MADE = (("benchmarks/perceptron", "artifacts"), (_THIRD_PARTY, _THIRD_PARTY))

_DIFF = re.compile(r"^```diff\n(.*?)^```$", re.M | re.S)
# Heading of a section with a diff -> (what proves it, text that it says, exit code).
_DIFFS = {
    "A variant: one line": (program("//benchmarks/resnet:resnet26_fp32_b1", "--budget=0.05"), "ARTIFACT_UNAVAILABLE", 2),
    "An operator: one row": (program("//benchmarks/operators:hardsigmoid_fp32_r64_c256", "--action=verify"), "verdict   PASS", 0),
    "A flag of a case": ([BAZEL, "build", "//benchmarks/harness/configuration:flag_sections_alone"], "Build completed", 0),
    "A check of samples": ([BAZEL, "build", "//benchmarks/harness/sampling:validity_alone"], "Build completed", 0),
}
_FIELD = "A field of the record: four lines"  # worked_field.py


def _sections(text):
    """{heading: text} of the second level."""
    parts = re.split(r"^## (.*)\n", text, flags=re.M)[1:]
    return dict(zip(parts[::2], parts[1::2]))


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
        """adding: the example models and the back end work as they stand"""
        text = "".join(section for section in _sections(self.read(_PAGE)).values() if "```diff" not in section)
        files = documents.files(text)
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

    def test_diffs(self):
        """adding: each diff applies, and what it adds works"""
        sections = {name: text for name, text in _sections(self.read(_PAGE)).items() if "```diff" in text and name != _FIELD}
        self.assertEqual(set(sections), set(_DIFFS), "has its form changed?")
        for name, text in sections.items():
            command, said, code = _DIFFS[name]
            (diff,) = _DIFF.findall(text)
            apply = ["git", "apply", "--recount", self.write(os.path.join(self.scratch, "diff"), diff)]
            self.expect(apply)
            try:
                self.expect(command, said, code=code)
            finally:
                self.expect([*apply, "--reverse"])
