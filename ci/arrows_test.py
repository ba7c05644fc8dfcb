"""Each kind of arrow closes a circle in a small tree, and is shown with its file and line."""

import io
import os
import tempfile
import unittest

from ci import arrows

_QUERY = '<?xml version="1.1" encoding="UTF-8" standalone="no"?>\n<query version="2">%s</query>'


def rule(name, needs, location="BUILD.bazel:7:8", tag="cc_unit", kind="cc_library"):
    inputs = "".join('<rule-input name="%s"/>' % n for n in needs)
    return '<rule class="%s" location="%s" name="%s"><list name="tags"><string value="%s"/></list>%s</rule>' % (
        kind, location, name, tag, inputs)


class ArrowsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        for package in ("defs", "tools/compare", "tools/deps", "models/mlp", "benchmarks/base", "benchmarks/record"):
            self.write(package + "/BUILD.bazel", "")

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def run_on(self, *rules):
        out = io.StringIO()
        code = arrows.main(_QUERY % "".join(rules), self.root, out)
        return code, out.getvalue()

    def test_a_tree_without_circles_passes(self):
        self.write("benchmarks/base/BUILD.bazel", 'load("//defs/build:copts.bzl", "COPTS")\n')
        self.write("benchmarks/record/record.cc", '#include "benchmarks/base/sha256.h"\n')
        code, text = self.run_on(rule("//benchmarks/record:record", ["//benchmarks/base:sha256", "@absl//absl:strings"]))
        self.assertEqual((code, text), (0, "looked at 6 packages and 2 arrows between them: sound\n"))

    def test_two_rules_that_need_each_others_packages(self):
        code, text = self.run_on(
            rule("//benchmarks/record:record", ["//benchmarks/base:sha256"], self.root + "/benchmarks/record/BUILD.bazel:4:11"),
            rule("//benchmarks/base:sha256_test", ["//benchmarks/record:record"], self.root + "/benchmarks/base/BUILD.bazel:9:8"),
        )
        self.assertEqual(code, 1)
        self.assertIn("a circle of packages: benchmarks/base -> benchmarks/record -> benchmarks/base\n", text)
        self.assertIn("    benchmarks/base/BUILD.bazel:9: //benchmarks/base:sha256_test needs //benchmarks/record:record\n", text)
        self.assertIn("    benchmarks/record/BUILD.bazel:4: //benchmarks/record:record needs //benchmarks/base:sha256\n", text)

    def test_an_alias_may_point_to_a_later_folder(self):
        code, text = self.run_on(
            rule("//tools/compare:certify", ["//ci/certify:certify"], kind="alias"),
            rule("//benchmarks/record:record", ["//benchmarks/base:sha256"]),
        )
        self.assertEqual((code, text), (0, "looked at 6 packages and 1 arrows between them: sound\n"))
        self.assertEqual(self.run_on(rule("//tools/compare:certify", ["//ci/certify:certify"]))[0], 1)

    def test_rules_that_compile_units_of_both_packages_close_no_circle(self):
        code, text = self.run_on(
            rule("//benchmarks/record:unity", ["//benchmarks/base:unity_interface"], tag="unity"),
            rule("//benchmarks/base:unity", ["//benchmarks/record:unity"], tag="unity"),
            rule("//benchmarks/record:record", ["//benchmarks/base:sha256"]),
        )
        self.assertEqual((code, text), (0, "looked at 6 packages and 1 arrows between them: sound\n"))

    def test_a_load_closes_a_circle(self):
        self.write("benchmarks/base/table.bzl", '"""Doc."""\n\nload(\n    "//benchmarks/record:rows.bzl",\n    "ROWS",\n)\n')
        code, text = self.run_on(rule("//benchmarks/record:record", ["//benchmarks/base:sha256"]))
        self.assertEqual(code, 1)
        self.assertIn('    benchmarks/base/table.bzl:3: load("//benchmarks/record:rows.bzl")\n', text)

    def test_an_include_closes_a_circle(self):
        self.write("benchmarks/base/sha256.cc", '#include <string>\n#include "benchmarks/record/record.pb.h"\n')
        code, text = self.run_on(rule("//benchmarks/record:record", ["//benchmarks/base:sha256"]))
        self.assertEqual(code, 1)
        self.assertIn('    benchmarks/base/sha256.cc:2: #include "benchmarks/record/record.pb.h"\n', text)

    def test_an_import_inside_a_function_closes_a_circle(self):
        self.write("tools/compare/report.py", "import models.mlp.reference\n")
        self.write("models/mlp/reference.py", "import os\n\ndef f():\n    from tools.compare import report\n")
        code, text = self.run_on(rule("//benchmarks/record:record", ["//benchmarks/base:sha256"]))
        self.assertEqual(code, 1)
        self.assertIn("a circle of packages: models/mlp -> tools/compare -> models/mlp\n", text)
        self.assertIn("a circle of Python modules: models/mlp/reference.py -> tools/compare/report.py", text)
        self.assertIn("    models/mlp/reference.py:4: import of tools.compare.report\n", text)

    def test_modules_of_one_package_must_not_need_each_other_either(self):
        for module, needed in (("a", "b"), ("b", "c"), ("c", "a")):
            self.write("tools/compare/%s.py" % module, "from tools.compare.%s import thing\n" % needed)
        code, text = self.run_on(rule("//benchmarks/record:record", ["//benchmarks/base:sha256"]))
        self.assertEqual(code, 1)
        self.assertIn(
            "a circle of Python modules: tools/compare/a.py -> tools/compare/b.py -> tools/compare/c.py -> tools/compare/a.py\n", text
        )

    def test_folders_whose_packages_have_no_circle_may_have_one(self):
        self.write("artifacts/BUILD.bazel", "")
        self.write("artifacts/fetch/BUILD.bazel", "")
        code, text = self.run_on(
            rule("//artifacts:lock_test", ["//tools/compare:program"]), rule("//tools:all", ["//artifacts/fetch:fetch"])
        )
        self.assertEqual(code, 1)
        self.assertNotIn("circle of packages", text)
        self.assertIn("a circle of folders: artifacts -> tools -> artifacts\n", text)

    def test_no_arrow_goes_back_against_the_order_of_folders(self):
        code, text = self.run_on(rule("//benchmarks/base:sha256", ["//tools/compare:program"], "benchmarks/base/BUILD.bazel:3:1"))
        self.assertEqual(code, 1)
        self.assertIn("benchmarks must not need tools\n    benchmarks/base/BUILD.bazel:3: //benchmarks/base:sha256 needs", text)

    def test_everyone_may_need_libtorch(self):
        code, text = self.run_on(rule("//models/mlp:mlp", ["//tools/deps:torch"]), rule("//tools/compare:c", ["//models/mlp:mlp"]))
        self.assertEqual(code, 0, text)

    def test_shows_one_shortest_circle_for_each_set(self):
        code, text = self.run_on(
            rule("//benchmarks/base:a", ["//benchmarks/record:a"]),
            rule("//benchmarks/record:a", ["//benchmarks/base:a", "//models/mlp:mlp"]),
            rule("//models/mlp:mlp", ["//benchmarks/base:a"]),
        )
        self.assertEqual(code, 1)
        self.assertEqual(text.count("a circle of packages"), 1)

    def test_nothing_read_proves_nothing(self):
        code, text = self.run_on()
        self.assertEqual(code, 2)
        self.assertIn("tools/bazel query //... --output=xml", text)
        self.assertEqual(arrows.main("", self.root, io.StringIO()), 2)

    def test_passes_over_what_bazel_passes_over(self):
        self.write(".bazelignore", "benchmarks/stubs\n")
        self.write("benchmarks/stubs/BUILD.bazel", 'load("//benchmarks/record:rows.bzl", "ROWS")\n')
        self.write("bazel-out/x.py", "from tools.compare import report\nthis is no Python\n")
        code, text = self.run_on(rule("//benchmarks/record:record", ["//benchmarks/stubs:stub"]))
        self.assertEqual(code, 0, text)


if __name__ == "__main__":
    unittest.main()
