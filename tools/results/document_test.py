"""docs/results.md: its commands work as they are typed, and so do its examples for pandas."""

import os
import re
import shlex
import subprocess
import sys
import unittest

from tools.results import synthetic
from tools.results.formats import registry
from tools.results.test_files import ProgramTest, real_record, record

_START = "tools/bazel run //tools:results -- "


def text():
    with open("docs/results.md", encoding="utf-8") as f:
        return f.read()


def crashed():
    made = record(outcome="CRASH", started_utc="2026-11-25T00:00:00+00:00")
    del made["measurements"]
    return made


class DocumentTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.copy("xla_results.jsonl")
        os.rename(self.path("xla_results.jsonl"), self.path("results.jsonl"))

    def commands(self):
        blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```$", text(), re.M | re.S)
        lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
        return [shlex.split(line[len(_START) :]) for line in lines if line.startswith(_START)]

    def test_commands(self):
        self.write("runs.jsonl", real_record())
        commands = self.commands()
        self.assertGreater(len(commands), 6, "has its form changed?")
        for command in commands:
            self.expect(0, *command)

    def test_shown_tables_are_those_that_are_printed(self):
        self.write("runs.jsonl", real_record())
        for command in (["import", "runs.jsonl", "results.jsonl"], ["query", "outcomes"]):
            self.assertIn("$ %s%s\n%s" % (_START, " ".join(command), self.expect(0, *command)), text())

    def test_pandas(self):
        self.write(
            "all.jsonl",
            *synthetic.lines(20, samples=True, suite_run="night"),
            synthetic.footer("night", 20),
            real_record(),
            crashed(),
        )
        self.expect(0, "import", "all.jsonl")
        _, *snippets = self.snippets()
        for output in ("parquet --output=runs.parquet", "assay --output=exported.jsonl"):
            self.assertIn("--format=" + output, text())
            self.expect(0, "export", *("--format=" + output).split())
        for snippet, word in zip(snippets, ("count", "throughput")):
            self.assertIn(word, self.pandas(snippet))

    def test_pandas_reads_a_suites_file_without_an_export(self):
        """With footers, and with runs that have no figures."""
        self.write("runs.jsonl", real_record(), crashed(), synthetic.footer("night", 2))
        self.assertIn("mlp_fp32_b1", self.pandas(self.snippets()[0]))

    def snippets(self):
        found = re.findall(r"^```python\n(.*?)^```$", text(), re.M | re.S)
        self.assertEqual(len(found), 3, "has its form changed?")
        return found

    def pandas(self, snippet):
        """The output of a snippet that runs in the folder of the test."""
        self.assertLessEqual(len(snippet.splitlines()), 10)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        words = [sys.executable, "-s", "-S", "-c", snippet]
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stderr)
        return done.stdout

    def test_formats(self):
        section = re.search(r"^## Export\n(.*?)^## ", text(), re.M | re.S).group(1)
        rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| ", section, re.M)
        named = [name.strip("`") for row in rows for name in row.split(", ")]
        self.assertEqual(set(named), {form.NAME for form in registry.READ + registry.WRITTEN} | {"parquet"})


if __name__ == "__main__":
    unittest.main()
