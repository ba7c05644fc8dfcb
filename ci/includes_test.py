"""An include that its own rule does not cover is shown, though a rule compiled together with it does."""

import io
import os
import tempfile
import unittest

from ci import includes

_QUERY = '<?xml version="1.1" encoding="UTF-8" standalone="no"?>\n<query version="2">%s</query>'


def rule(name, kind="cc_library", tags=(), **labels):
    lists = "".join('<list name="%s">%s</list>' % (key, "".join('<label value="%s"/>' % label for label in values))
                    for key, values in labels.items())
    lists += '<list name="tags">%s</list>' % "".join('<string value="%s"/>' % tag for tag in tags)
    return '<rule class="%s" name="%s">%s</rule>' % (kind, name, lists)


class IncludesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.write("defs/proto/suite.proto", "")
        for name in ("low", "high"):
            self.write("base/%s.h" % name, "")
        self.write("base/low.cc", '#include "base/low.h"\n#include "absl/strings/str_cat.h"\n')

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)

    def units(self, **high):
        """Two units of one package and the rule that compiles both."""
        return [
            rule("//base:unity", tags=["unity"], srcs=["//base:unity_1.cc"], hdrs=["//base:low.h", "//base:high.h"],
                 deps=high.get("deps", [])),
            rule("//base:low", hdrs=["//base:low.h"], deps=["//base:unity"]),
            rule("//base:low_alone", srcs=["//base:low.cc"], hdrs=["//base:low.h"]),
            rule("//base:high_alone", srcs=["//base:high.cc"], hdrs=["//base:high.h"], **high),
        ]

    def run_on(self, rules):
        out = io.StringIO()
        code = includes.main(_QUERY % "".join(rules), self.root, out)
        return code, out.getvalue()

    def test_a_header_of_a_dependency(self):
        self.write("base/high.cc", '#include "base/high.h"\n#include "base/low.h"\n')
        self.assertEqual(self.run_on(self.units(deps=["//base:low"])),
                         (0, "looked at 3 includes of 3 C++ rules: sound\n"))

    def test_a_header_that_only_the_whole_package_has(self):
        self.write("base/high.cc", '#include <string>\n\n#include "base/low.h"\n')
        code, text = self.run_on(self.units())
        self.assertEqual(code, 1)
        self.assertIn('base/high.cc:3: #include "base/low.h", which //base:high_alone does not depend on\n', text)

    def test_a_header_that_a_proto_makes(self):
        self.write("base/high.cc", '#include "defs/proto/suite.pb.h"\n')
        protos = [rule("//defs:suite_proto", "proto_library", srcs=["//defs/proto:suite.proto"]),
                  rule("//defs/proto:suite_cc_proto", "cc_proto_library", deps=["//defs:suite_proto"])]
        self.assertEqual(self.run_on(protos + self.units(deps=["//defs/proto:suite_cc_proto"]))[0], 0)
        user = rule("//defs:user", deps=["//defs/proto:suite_cc_proto"])
        code, text = self.run_on(protos + [user] + self.units())
        self.assertEqual(code, 1, text)
        self.assertIn('"defs/proto/suite.pb.h", which //base:high_alone', text)

    def test_nothing_read_proves_nothing(self):
        code, text = self.run_on([])
        self.assertEqual(code, 2)
        self.assertIn("tools/bazel query //... --output=xml", text)
        self.assertEqual(includes.main("", self.root, io.StringIO()), 2)


if __name__ == "__main__":
    unittest.main()
