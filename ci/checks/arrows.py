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
    def rules(self, pattern, more=""):
        """A file of the rules that Bazel knows, and `more`."""
        query = [BAZEL, "query", "--noshow_progress", "--ui_event_filters=-info", pattern, "--output=xml"]
        given = self.expect(query).stdout.replace("</query>", more + "</query>")
        return self.write(os.path.join(self.scratch, "rules.xml"), given)

    def look(self, rules, *texts, code=0, tree=ROOT, program="arrows.py"):
        """Gives the rules to a program of ci/, with the files of `tree`."""
        words = ["sh", "-c", 'exec "$0" -B "$1" <"$2"', sys.executable, os.path.join(ROOT, "ci", program), rules]
        self.expect(words, *texts, code=code, cwd=tree)

    def test_whole_tree(self):
        """arrows: no two packages need each other, each C++ rule depends on what its files include, no two tests of //... run the same"""
        rules = self.rules("//...")
        self.look(rules)
        self.look(rules, ": sound", program="includes.py")
        self.look(rules, "each is run once", program="repetitions.py")

    def test_circle_of_rules(self):
        """arrows: a circle of rules is found"""
        self.look(
            self.rules("//benchmarks/harness/...", _BACK % ROOT),
            "a circle of packages: benchmarks/harness/base -> benchmarks/harness/numerics -> benchmarks/harness/base",
            "//benchmarks/harness/base:scratch needs //benchmarks/harness/numerics:rules",
            code=1,
        )

    def test_circle_through_an_import(self):
        """arrows: a circle through a Python import is found"""
        tree = self.copied(".")
        self.write(os.path.join(tree, "artifacts/format/scratch_circle.py"), "from tools.artifacts.generate import plan\n")
        self.look(
            self.rules("//artifacts/..."),
            "a circle of packages: artifacts/format -> tools/artifacts/generate -> artifacts/format",
            "artifacts/format/scratch_circle.py:1: import of tools.artifacts.generate.plan",
            code=1, tree=tree,
        )
