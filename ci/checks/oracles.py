"""Tests that hold the C++ and the generator of references against the libraries themselves, which are large to fetch.

They are `manual`, so that no pattern finds them; here they are asked for by what they read.
"""

import os
import unittest

from ci.check import BAZEL, Check

_TESTS = 'attr("data", "oracle_python", kind("sh_test", //ci/goldens/... + //tools/artifacts/... + //tools/export/... + //tools/kernel/...))'
_MUST_HAVE = [
    "//ci/goldens:image_checkpoints_test",
    "//tools/artifacts/checkpoints:diffusers_checkpoint_test",
    "//tools/artifacts/checkpoints:quantized_networks_test",
    "//tools/artifacts/checkpoints:token_checkpoints_test",
]


class Oracles(Check):
    @unittest.skipUnless(os.environ.get("ASSAY_ORACLES"), "it takes many minutes and fetches 2 GB: ASSAY_ORACLES=1 runs it")
    def test_all(self):
        """oracles: files that the libraries wrote load and agree, and references are what they claim"""
        tests = self.expect([BAZEL, "query", "--noshow_progress", _TESTS], *_MUST_HAVE).stdout.split()
        self.expect([BAZEL, "test", "--noshow_progress", "--config=large", "--test_output=errors", *tests])
