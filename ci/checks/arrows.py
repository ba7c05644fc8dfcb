"""Dependencies: there is no circle in the whole tree, and the check finds one that is put in (ci/arrows.py); each rule
names what its files include (ci/includes.py); no two tests run the same (ci/repetitions.py)."""

import os
import sys

from ci.check import BAZEL, ROOT, Check

_BACK = """<rule class="filegroup" location="%s/benchmarks/harness/base/BUILD.bazel:1:1" name="//benchmarks/harness/base:scratch">
<rule-input name="//benchmarks/harness/numerics:rules"/>
</rule>
"""


class Arrows(Check):
    def look(self, *texts, code=0, tree=ROOT, more="", program="arrows.py", pattern="//..."):
        """Asks Bazel for all rules and gives them, and `more`, to a program of ci/, with the files of `tree`."""
        query = [BAZEL, "query", "--noshow_progress", "--ui_event_filters=-info", pattern, "--output=xml"]
        given = self.expect(query).stdout.replace("</query>", more + "</query>")
        rules = self.write(os.path.join(self.scratch, "rules.xml"), given)
        words = ["sh", "-c", 'exec "$0" -B "$1" <"$2"', sys.executable, os.path.join(ROOT, "ci", program), rules]
        self.expect(words, *texts, code=code, cwd=tree)

    def test_no_circle(self):
        """arrows: no two packages need each other"""
        self.look()

    def test_includes(self):
        """arrows: each C++ rule depends on what its files include"""
        # Not the thousands of rules of cases: they have no file that includes one.
        kinds = "cc_library|cc_binary|cc_test|proto_library"
        self.look(program="includes.py", pattern='kind("(%s) rule", //...)' % kinds)

    def test_repetitions(self):
        """arrows: no two tests of //... run the same case in the same way"""
        self.look("each is run once", program="repetitions.py", pattern="tests(//...)")

    def test_circle_of_rules(self):
        """arrows: a circle of rules is found"""
        self.look(
            "a circle of packages: benchmarks/harness/base -> benchmarks/harness/numerics -> benchmarks/harness/base",
            "//benchmarks/harness/base:scratch needs //benchmarks/harness/numerics:rules",
            code=1, more=_BACK % ROOT, pattern="//benchmarks/harness/...",
        )

    def test_circle_through_an_import(self):
        """arrows: a circle through a Python import is found"""
        tree = self.copied(".")
        self.write(os.path.join(tree, "artifacts/format/scratch_circle.py"), "from tools.artifacts.generate import plan\n")
        self.look(
            "a circle of packages: artifacts/format -> tools/artifacts/generate -> artifacts/format",
            "artifacts/format/scratch_circle.py:1: import of tools.artifacts.generate.plan",
            code=1, tree=tree, pattern="//artifacts/...",
        )
