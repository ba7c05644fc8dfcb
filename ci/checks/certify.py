"""The certificate of //tools:certify: a missed goal fails, unless it is listed with its reason.

Checked are the goals whose figures are the same in every run. The others read this machine's clock, and CI's machines are
shared: run them on a quiet one after a change of the engine (docs/testing.md).
"""

import os

from ci.check import Check, program


def _certify(*arguments):
    return program("//tools:certify", "--quick", *arguments)


class Certify(Check):
    # Their programs are built in the first two minutes of the checks; others add packages to the tree later.
    beside = True

    def known_misses(self, text):
        return "--known-misses=" + self.write(os.path.join(self.scratch, "known.textproto"), text)

    def test_seeded_goals(self):
        """certify: each goal whose figure is the same in every run is met, or listed with its reason"""
        self.expect(_certify("--goals=seeded"), " met, 0 missed, ")

    def test_miss_that_is_not_listed(self):
        """certify: a miss that is not listed fails, and so does a row that fits no goal"""
        row = 'misses { goal: "G11" what: "nothing" worst: 2 reason: "none" }'
        # The registry of all cases takes three times as long to read as the goal allows, on any machine.
        self.expect(_certify("--goals=G11", self.known_misses(row)), 'fit no goal: "nothing"', "known.textproto:1", "MISSED",
                    " missed, 0 known to be missed", code=1)

    def test_bad_known_misses(self):
        """bad input: a file of known misses that is none, and one that is not there"""
        self.expect(_certify("--goals=G14", self.known_misses("misses {\n goal: 14\n}")), "known.textproto:2", code=3)
        self.expect(_certify("--goals=G14", "--known-misses=nowhere"), "nowhere", code=2)
