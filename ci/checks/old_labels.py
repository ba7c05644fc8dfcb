"""Labels that people have in scripts and in their fingers: those of the documents before a move still name what they named."""

import os

from ci.check import BAZEL, ROOT, Check


class OldLabels(Check):
    def test_each_still_builds(self):
        'old labels: each label of the documents before the move is analysed'
        with open(os.path.join(ROOT, "ci", "old_labels.txt"), encoding="utf-8") as f:
            labels = [line.strip() for line in f if not line.startswith("#")]
        self.assertGreater(len(labels), 100)
        self.expect([BAZEL, "build", "--nobuild", *labels], "Build completed successfully")
