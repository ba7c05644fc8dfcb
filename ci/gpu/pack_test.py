"""The contents and the largest size of a GPU bundle."""

import contextlib
import io
import os
import tempfile
import unittest
from unittest import mock

from ci.gpu import pack
from ci.gpu.bundle import not_whole
from tools.package import staging


class PackTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stage, self.archive = os.path.join(folder.name, "stage"), os.path.join(folder.name, "out", "bundle.tar.xz")
        staging.write(self.stage, "bin/a", "a" * 1000)
        staging.write(self.stage, "cases.tsv", "")

    def test_what_was_cut_off_on_the_way_is_named(self):
        staging.manifest(self.stage)
        self.assertEqual(not_whole(self.stage), [])
        staging.write(self.stage, "bin/a", "b")
        os.remove(os.path.join(self.stage, "cases.tsv"))
        self.assertEqual(not_whole(self.stage), ["bin/a: other bytes than were packed", "cases.tsv: No such file or directory"])
        os.remove(os.path.join(self.stage, "MANIFEST"))
        self.assertEqual(not_whole(self.stage), ["MANIFEST: No such file or directory"])

    def test_more_than_may_travel_is_refused_and_the_largest_files_named(self):
        said = io.StringIO()
        with contextlib.ExitStack() as patches:
            patches.enter_context(contextlib.redirect_stderr(said))
            patches.enter_context(mock.patch.object(pack, "_MOST_BYTES", 10))
            patches.enter_context(mock.patch.object(pack, "programs", lambda stage: staging.write(stage, "bin/gpu_runner", "x" * 3000000)))
            patches.enter_context(mock.patch.object(pack, "cases", lambda stage, families: (2, 1)))
            patches.enter_context(mock.patch.object(pack, "own", lambda stage, site: None))
            patches.enter_context(mock.patch.object(pack, "peer", lambda stage, wheels: None))
            self.assertEqual(pack.main(self.archive, "site"), 1)
        self.assertRegex(said.getvalue(), r"0\.0 may travel; the largest of its files, unpacked:\n +3\.0 MB  bin/gpu_runner")
        self.assertEqual(os.listdir(os.path.dirname(self.archive)), [])

    def test_what_was_not_built_is_named(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), mock.patch.object(pack, "programs", lambda stage: None):
            self.assertEqual(pack.main(self.archive, "site", "benchmarks/none"), 2)
        self.assertIn("benchmarks/none/cases.json: No such file", said.getvalue())


if __name__ == "__main__":
    unittest.main()
