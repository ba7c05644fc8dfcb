import os
import sys
import tempfile
import unittest
from unittest import mock

from tools.export import export_model


class Parse(unittest.TestCase):
    def test_takes_a_case_or_a_module(self):
        options = export_model.parse(["--case=//a:b", "--format=pt2", "--out=c"])
        self.assertEqual((options.case, options.module, options.format, options.out), ("//a:b", "", "pt2", "c"))
        self.assertEqual(export_model.parse(["--module=a.pt", "--format=onnx", "--out=c"]).module, "a.pt")

    def test_refuses_what_makes_no_sense(self):
        for words, message in [
            ([], "--format"),
            (["--format=pt2", "--out=a"], "one of the two"),
            (["--format=pt2", "--out=a", "--case=//a:b", "--module=c"], "one of the two"),
            (["--format=pt2", "--out=a", "--case=resnet18"], "a label"),
            (["--format=pt3", "--out=a", "--case=//a:b"], "invalid choice: 'pt3'"),
            (["--format=pt2", "--out=a", "--case=//a:b", "more"], "more"),
        ]:
            with self.assertRaisesRegex(export_model.UsageError, message):
                export_model.parse(words)


class WriteWhole(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.path = folder.name, os.path.join(folder.name, "model.pt2")

    def test_gives_the_name_once_it_is_done(self):
        def write(made):
            self.assertFalse(os.path.exists(self.path))
            self.assertEqual(os.path.basename(made), "model.pt2")
            with open(made, "w") as file:
                file.write("all")

        export_model.write_whole(self.path, write)
        with open(self.path) as file:
            self.assertEqual(file.read(), "all")
        self.assertEqual(os.listdir(self.folder), ["model.pt2"])

    def test_leaves_nothing_behind_where_it_fails(self):
        def write(made):
            with open(made, "w") as file:
                file.write("half")
            raise OSError("no more room")

        with self.assertRaisesRegex(OSError, "no more room"):
            export_model.write_whole(self.path, write)
        self.assertEqual(os.listdir(self.folder), [])
        with self.assertRaisesRegex(export_model.SurroundingsError, "there is no folder"):
            export_model.write_whole(os.path.join(self.folder, "none", "model"), write)


class WithCause(unittest.TestCase):
    def test_names_the_first_exception(self):
        def fail():
            try:
                try:
                    raise ValueError("no aten.foo\nmore")
                except ValueError as error:
                    raise RuntimeError("step 3 of 3") from error
            except RuntimeError as error:
                raise OSError("\x1b[96m%s\x1b[0m of exporting" % error) from None

        with self.assertRaises(OSError) as caught:
            fail()
        self.assertEqual(export_model.with_cause(caught.exception), "ValueError: no aten.foo; step 3 of 3 of exporting")
        self.assertEqual(export_model.with_cause(OSError("alone")), "alone")


class HandOver(unittest.TestCase):
    def test_starts_the_program_that_has_the_formats_packages(self):
        environment = {"BUILD_WORKSPACE_DIRECTORY": "/tree", "BUILD_WORKING_DIRECTORY": "/"}
        for form in export_model._PACKAGES:
            with mock.patch("os.execv") as started, mock.patch("os.chdir"):
                export_model.hand_over(["--format=" + form], form, environment)
            self.assertEqual(started.call_args.args[1][3:], ["//tools/export:export_" + form, "--", "--format=" + form])


class ExportCase(unittest.TestCase):
    def test_shows_the_last_words_of_a_runner_that_refuses(self):
        with tempfile.TemporaryDirectory() as root:
            os.makedirs(os.path.join(root, "tools"))
            bazel = os.path.join(root, "tools", "bazel")
            with open(bazel, "w") as file:
                file.write("#!/bin/sh\necho \"$5 $6: it traces a forward pass\" >&2; exit 3\n")
            os.chmod(bazel, 0o755)
            with self.assertRaisesRegex(export_model.SurroundingsError, "-- --export-module=m.pt: it traces a forward pass"):
                export_model.export_case("//a:b", "m.pt", {"BUILD_WORKSPACE_DIRECTORY": root})

    def test_needs_a_workspace(self):
        with self.assertRaisesRegex(export_model.UsageError, "tools/bazel run //tools:export_model"):
            export_model.export_case("//a:b", "m.pt", {})


class Main(unittest.TestCase):
    def run_main(self, *words):
        with mock.patch.object(sys, "argv", ["export_model", *words]), mock.patch("builtins.print") as printed:
            return export_model.main(), printed.call_args[0][0]

    def test_help_and_usage_need_no_torch(self):
        code, text = self.run_main("--help")
        self.assertEqual(code, 0)
        self.assertIn("--format=NAME", text)
        code, text = self.run_main("--format=pt2")
        self.assertEqual(code, 3)
        self.assertIn("--out", text)


if __name__ == "__main__":
    unittest.main()
