"""Tests that a broken link, path or command of a Markdown file is found, on made-up files."""

import os
import tempfile
import unittest

from ci import documents

_GUIDE = "# The guide\n\n## What it's for\n\n## Steps\n\n## Steps\n\n## Steps\n\n```sh\n# no heading\n```\n"


class Commands(unittest.TestCase):
    def test_every_line_of_a_shell_block_commands_of_a_console_and_of_prose(self):
        text = "Say `tools/bazel help`, `tools/bazel`, `ls`.\n```sh\nls  # all\n\ndate\n```\n```console\n$ true\noutput\n```\n```text\nls\n```\n"
        self.assertEqual(documents.commands(text), [(1, "tools/bazel help"), (3, "ls  # all"), (5, "date"), (8, "true")])

    def test_a_block_whose_kind_is_not_said_is_refused(self):
        with self.assertRaisesRegex(ValueError, "one of console, "):
            documents.commands("```\nls\n```\n")

    def test_outputs_stand_behind_their_command(self):
        text = "```console\nnothing\n$ one\na  1\n...\n$ two\n```\n```sh\nls\n```\n```console\n$ three\nb\n```\n"
        self.assertEqual(documents.outputs(text), [(3, "one", ["a  1", "..."]), (6, "two", []), (12, "three", ["b"])])

    def test_files_have_their_path_in_bold(self):
        text = "**`a/b.cc`** - says more.\n\n```cpp\nint x;\n```\n\n```sh\nls\n```\n**`c`**\n```python\ny\n```\n"
        self.assertEqual(documents.files(text), [("a/b.cc", "int x;\n"), ("c", "y\n")])


class Problems(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for name in ("docs/sub", "bazel-bin"):
            os.makedirs(os.path.join(self.root, name))
        for path, text in (("docs/guide.md", _GUIDE), ("docs/BUILD.bazel", "")):
            with open(os.path.join(self.root, path), "w", encoding="utf-8") as f:
                f.write(text)

    def problems(self, text, path="docs/index.md"):
        return documents.problems(self.root, path, text)

    def test_what_is_there_is_no_problem(self):
        for text in ("[a](guide.md)", "[a](guide.md#the-guide) and [b](guide.md#what-its-for)", "[a](guide.md#steps-2)",
                     "[a](../docs/guide.md)", "[a](sub/)", "[a](https://example.org/x.md)", "`docs/guide.md`", "`docs/sub/`",
                     "`//docs`", "`//docs:anything`", "`//docs/...`", "`other/thing`", "`f[0](none)`", "`and/or`", "`bazel-bin/built/later`", "**`docs/made_by_you.txt`**",
                     "```text\n[a](none.md) `docs/none`\n```"):
            self.assertEqual(self.problems(text), [], text)

    def test_what_is_not_there_is_told_with_its_line(self):
        for text, message in (
            ("[a](none.md)", "there is no file none.md"),
            ("its end](none.md)", "there is no file none.md"),
            ("[`a`](none.md)", "there is no file none.md"),
            ("[a](docs/guide.md)", "there is no file docs/guide.md"),
            ("[a](guide.md#step)", "no heading makes the anchor of guide.md#step"),
            ("[a](guide.md#no-heading)", "no heading makes the anchor of guide.md#no-heading"),
            ("[a](guide.md#steps-3)", "no heading makes the anchor of guide.md#steps-3"),
            ("`docs/none.md`", "there is no docs/none.md"),
            ("`//docs/sub:x`", "there is no package //docs/sub:x"),
            ("`//none`", "there is no package //none"),
        ):
            self.assertEqual(self.problems("\n" + text), ["docs/index.md:2: " + message])

    def test_an_anchor_of_the_file_itself(self):
        path = os.path.join(self.root, "docs/guide.md")
        self.assertTrue(os.path.exists(path))
        self.assertEqual(self.problems("[a](#steps)", "docs/guide.md"), [])
        self.assertEqual(len(self.problems("[a](#stairs)", "docs/guide.md")), 1)


if __name__ == "__main__":
    unittest.main()
