"""How a reference is fetched while Bazel builds."""

import os

from ci.check import Check


class BlobRule(Check):
    beside = True

    def test_blob_rule(self):
        """artifacts: the blob rule under Bazel, fault by fault"""
        self.expect(["bash", "artifacts/fetch/bazel_check.sh", os.path.join(self.scratch, "rule")])
