"""MODULE.bazel names what dependencies.bzl defines and no more, under the names that WORKSPACE gives.

Bazel itself asks for these lists, so they cannot be one; Bazel 4 never reads MODULE.bazel, so its CI would not miss a name.
"""

import ast
import re
import unittest


def _read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Module:
    """The content of MODULE.bazel, whose syntax is Python's."""

    def __init__(self, text):
        self.modules, self.repositories = set(), {}
        exec(text, {
            "bazel_dep": lambda name, version: self.modules.add(name),
            "module": lambda name: None,
            "use_extension": lambda file, name: file + "%" + name,
            "use_repo": lambda extension, *names: self.repositories.setdefault(extension, []).extend(names),
        })


def _defined(path):
    return re.findall(r'\bname = "(\w+)"', _read(path))


class ModuleTest(unittest.TestCase):
    def setUp(self):
        self.module = Module(_read("MODULE.bazel"))

    def test_every_repository_of_dependencies_is_named(self):
        tables = re.findall(r"^(?:ARCHIVES|SOURCE_PACKAGES|WHEEL_LIBRARIES) = (\{.*?^\})", _read("tools/deps/versions.bzl"), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(tables), 3)
        programs = re.findall(r'^    "(\w+)": \($', _read("tools/deps/lint_programs.bzl"), re.MULTILINE)
        defined = _defined("tools/deps/dependencies.bzl") + [name for table in tables for name in ast.literal_eval(table)]
        defined += ["lint_" + name for name in programs]
        self.assertGreater(len(defined), 9)
        named = self.module.repositories["//tools/deps:extensions.bzl%dependencies"]
        self.assertEqual(sorted(defined), sorted(named))

    def test_blobs_come_through_their_hub(self):
        self.assertEqual(["assay_blobs"], self.module.repositories["//artifacts:extensions.bzl%blobs"])
        self.assertIn('_hub(name = "assay_blobs"', _read("artifacts/repositories.bzl"))

    def test_a_module_has_the_name_of_workspace(self):
        parts = set(re.findall(r'"(\w+)"', _read("tools/deps/bazel_parts.bzl")))
        self.assertTrue(self.module.modules)
        self.assertEqual(set(), self.module.modules - parts)


if __name__ == "__main__":
    unittest.main()
