"""Tests of update_deps.py on made-up trees."""

import os
import tempfile
import textwrap
import unittest

from ci.lint import update_deps
from tools.processes.command import UsageError

_A = """
cc_unit(
    name = "one",
)

cc_unit(
    name = "two",
    test_deps = [":one"],
    deps = [
        ":one",
        # A library that registers itself.
        ":registered",
        "//b:gone",  # keep
        "@system//:json",
    ],
)

cc_library(
    name = "registered",
    hdrs = ["registered.h"],
    alwayslink = True,
)

cc_proto(
    name = "record_cc_proto",
)
"""
_B = """
cc_unit(
    name = "gone",
    test = False,
)

cc_unit(
    name = "three",
    deps = ["//a:one"],
)
"""


class UpdateDeps(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self._root = folder.name
        self._write("a/one.h", "")
        self._write("b/gone.h", "")

    def _write(self, path, text):
        path = os.path.join(self._root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def _update(self, package, build, others=()):
        providers = update_deps.Providers()
        for other, text in [(package, build), *others]:
            for rule in update_deps.rules_of(other, text):
                providers.add(rule)
        return update_deps.update(self._root, package, build, providers)

    def test_a_list_that_says_what_is_included_stays(self):
        self._write("a/two.cc", '#include "a/two.h"\n#include "a/one.h"\n')
        build = _A.replace('    test_deps = [":one"],\n', "")
        self.assertEqual(self._update("a", build, [("b", _B)]), (build, []))

    def test_what_is_missing_is_added_in_buildifiers_order_and_what_is_not_needed_goes(self):
        self._write("a/two.cc", '#include "a/two.h"\n#include "b/gone.h"\n#include "b/three.h"\n')
        self._write("a/two.h", '#include "a/record.pb.h"\n')
        text, said = self._update("a", _A, [("b", _B)])
        self.assertEqual(said, [
            "//a:two test_deps: -:one",
            "//a:two deps: +:record_cc_proto +//b:three -:one",
        ])
        self.assertIn(textwrap.dedent("""\
            cc_unit(
                name = "two",
                deps = [
                    ":record_cc_proto",
                    # A library that registers itself.
                    ":registered",
                    "//b:gone",  # keep
                    "//b:three",
                    "@system//:json",
                ],
            )
        """), text)

    def test_a_test_needs_what_its_library_does_not_have(self):
        self._write("b/three_test.cc", '#include "b/three.h"\n#include "a/one.h"\n#include "b/gone.h"\n')
        self._write("b/three.cc", '#include "a/one.h"\n')
        text, said = self._update("b", _B, [("a", _A)])
        self.assertEqual(said, ["//b:three test_deps: +:gone"])
        self.assertIn('    test_deps = [":gone"],\n    deps = ["//a:one"],\n', text)

    def test_lists_that_are_no_plain_lists_are_left_alone(self):
        build = 'cc_library(\n    name = "x",\n    hdrs = ["x.h"],\n    deps = select({}),\n)\n'
        self._write("a/x.h", '#include "b/gone.h"\n')
        self.assertEqual(self._update("a", build, [("b", _B)]), (build, []))

    def test_a_header_of_two_rules_needs_a_name(self):
        two = _B + 'cc_library(\n    name = "copy",\n    hdrs = ["gone.h"],\n)\n'
        self._write("a/one.cc", '#include "b/gone.h"\n')
        with self.assertRaisesRegex(UsageError, '//a:one: "b/gone.h" is a header of //b:copy and //b:gone; name one'):
            self._update("a", 'cc_unit(\n    name = "one",\n)\n', [("b", two)])
        build = 'cc_unit(\n    name = "one",\n    deps = ["//b:copy"],\n)\n'
        self.assertEqual(self._update("a", build, [("b", two)]), (build, []))

    def test_labels_are_written_as_short_as_they_can_be(self):
        for label, full in ((":b", "//x/a:b"), ("//x/a", "//x/a:a"), ("@r//x/a", "@r//x/a:a"), ("@r//:a", "@r//:a")):
            self.assertEqual(update_deps.absolute(label, "x/a"), full)
        self.assertEqual(update_deps.shortest("//x/a:b", "x/a"), ":b")
        self.assertEqual(update_deps.shortest("//x/a:a", "y"), "//x/a")
        self.assertEqual(update_deps.shortest("//x/a:c", "y"), "//x/a:c")


if __name__ == "__main__":
    unittest.main()
