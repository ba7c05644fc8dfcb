"""The contents and the largest size of a GPU bundle."""

import contextlib
import io
import os
import tarfile
import tempfile
import unittest
from unittest import mock

from ci.gpu import pack
from ci.gpu.bundle import not_whole


def _case(label, dtype, batch=1, **more):
    verified = {"inputs": [{"shape": ["batch"]}], "parameters": {}, **more.pop("verified", {})}
    return {"benchmark_case": {"label": label, "name": label.partition(":")[2], "dtype": dtype, "batch": batch, **more},
            "verified": verified}


class PackTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stage, self.archive = os.path.join(folder.name, "stage"), os.path.join(folder.name, "out", "bundle.tar.xz")
        pack._write(self.stage, "bin/a", "a" * 1000)
        pack._write(self.stage, "cases.tsv", "")

    def test_each_computation_is_verified_once_and_families_come_first(self):
        operators, mlp = "//benchmarks/operators:", "//benchmarks/mlp:"
        self.assertEqual(pack.verify_order([
            _case(mlp + "mlp_fp64_b1", "FP64", model="mlp"),
            _case(mlp + "mlp_fp32_b1", "FP32", model="mlp"),
            _case(mlp + "mlp_fp32_b64", "FP32", batch=64, model="mlp"),
            _case(mlp + "mlp_fp32_b1_train", "FP32", model="mlp", mode="TRAIN"),
            _case(mlp + "mlp_fp32_b8_wide", "FP32", model="mlp", verified={"parameters": {"wide": 1}}),
            _case(mlp + "mlp_large_fp32_b1", "FP32", model="mlp_large", tags=["large"]),
            _case(operators + "mm_fp32_m2", "FP32"),
            _case(operators + "mm_bf16_m2", "BF16"),
        ]), [mlp + "mlp_fp32_b1", operators + "mm_fp32_m2", operators + "mm_bf16_m2", mlp + "mlp_fp64_b1", mlp + "mlp_fp32_b1_train",
             mlp + "mlp_fp32_b8_wide"])

    def test_an_archive_is_whole_or_not_there(self):
        pack.manifest(self.stage)
        size = pack.archive(self.stage, self.archive)
        self.assertEqual(os.path.getsize(self.archive), size)
        with tempfile.TemporaryDirectory() as there:
            with tarfile.open(self.archive) as archive:
                archive.extractall(there)
            bundle = os.path.join(there, "bundle")
            self.assertEqual(not_whole(bundle), [])
            pack._write(bundle, "bin/a", "b")
            os.remove(os.path.join(bundle, "cases.tsv"))
            self.assertEqual(not_whole(bundle), ["bin/a: other bytes than were packed", "cases.tsv: No such file or directory"])
            os.remove(os.path.join(bundle, "MANIFEST"))
            self.assertEqual(not_whole(bundle), ["MANIFEST: No such file or directory"])

    def test_more_than_may_travel_is_refused_and_the_largest_files_named(self):
        said = io.StringIO()
        with contextlib.ExitStack() as patches:
            patches.enter_context(contextlib.redirect_stderr(said))
            patches.enter_context(mock.patch.object(pack, "_MOST_BYTES", 10))
            patches.enter_context(mock.patch.object(pack, "programs", lambda stage: pack._write(stage, "bin/gpu_runner", "x" * 3000000)))
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
        self.assertIn("benchmarks/none/cases.pb: No such file", said.getvalue())


if __name__ == "__main__":
    unittest.main()
