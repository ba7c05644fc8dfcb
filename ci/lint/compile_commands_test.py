"""Bazel's actions become commands that hold from the root of the tree."""

import unittest

from ci.lint import compile_commands

_INFO = {"output_base": "/base", "output_path": "/base/execroot/assay/bazel-out"}


def action(source, *flags):
    return {"arguments": ["/usr/bin/gcc", *flags, "-c", source, "-o", "bazel-out/k8-opt/bin/x.o"]}


def convert(*actions):
    return compile_commands.convert({"actions": list(actions)}, "/tree", _INFO)


class CompileCommandsTest(unittest.TestCase):
    def test_own_paths_stay_and_bazels_become_absolute(self):
        (entry,) = convert(action(
            "defs/compiler/utf8.cc", "-iquote", ".", "-iquote", "external/absl", "-isystem", "external/libtorch/include",
            "-Ibazel-out/k8-opt/bin/external/gtest/_virtual", "-isystembazel-out/x", "-DNDEBUG"))
        self.assertEqual(entry, {
            "directory": "/tree",
            "file": "defs/compiler/utf8.cc",
            "arguments": [
                "/usr/bin/gcc", "-iquote", ".", "-iquote", "/base/external/absl",
                "-isystem", "/base/external/libtorch/include",
                "-I/base/execroot/assay/bazel-out/k8-opt/bin/external/gtest/_virtual",
                "-isystem/base/execroot/assay/bazel-out/x", "-DNDEBUG", "defs/compiler/utf8.cc",
            ],
        })

    def test_what_clang_refuses_and_what_concerns_outputs_is_dropped(self):
        (entry,) = convert(action("a.cc", "-fno-canonical-system-headers", "-MD", "-MF", "bazel-out/a.d",
                                  "-frandom-seed=bazel-out/a.o", "-Werror", "-Wall"))
        self.assertEqual(entry["arguments"], ["/usr/bin/gcc", "-Wall", "a.cc"])

    def test_a_file_has_one_entry_and_other_peoples_files_none(self):
        entries = convert(action("b.cc", "-DFIRST"), action("b.cc", "-fPIC"), action("a.cc"),
                          action("external/absl/c.cc"), action("bazel-out/k8-opt/bin/defs/suite.pb.cc"))
        self.assertEqual([entry["file"] for entry in entries], ["a.cc", "b.cc"])
        self.assertIn("-DFIRST", entries[1]["arguments"])

    def test_no_actions_are_no_entries(self):
        self.assertEqual(compile_commands.convert({}, "/tree", _INFO), [])


if __name__ == "__main__":
    unittest.main()
