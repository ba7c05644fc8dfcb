"""The parts of a folder that travels, and programs that find libraries beside them."""

import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from unittest import mock

from tools.package import staging


def _case(label, dtype, batch=1, **more):
    verified = {"inputs": [{"shape": ["batch"]}], "parameters": {}, **more.pop("verified", {})}
    return {"benchmark_case": {"label": label, "name": label.partition(":")[2], "dtype": dtype, "batch": batch, **more},
            "verified": verified}


class StagingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.stage = os.path.join(self.folder, "stage")
        staging.write(self.stage, "bin/a", "a" * 1000)
        staging.write(self.stage, "cases.tsv", "")

    def is_whole(self, folder):
        return subprocess.run(["sha256sum", "--quiet", "-c", "MANIFEST"], cwd=folder, capture_output=True).returncode == 0

    def test_each_computation_is_verified_once_and_families_come_first(self):
        operators, mlp = "//benchmarks/operators:", "//benchmarks/mlp:"
        self.assertEqual(staging.verify_order([
            _case(mlp + "mlp_fp64_b1", "FP64", model="mlp"),
            _case(mlp + "mlp_fp32_b1", "FP32", model="mlp"),
            _case(mlp + "mlp_fp32_b64", "FP32", batch=64, model="mlp"),
            _case(mlp + "mlp_fp32_b1_train", "FP32", model="mlp", mode="TRAIN"),
            _case(mlp + "mlp_fp32_b8_wide", "FP32", model="mlp", verified={"parameters": {"wide": 1}}),
            _case(mlp + "mlp_large_fp32_b1", "FP32", model="mlp_large", tags=["large"]),
            _case(operators + "mm_fp32_m2", "FP32"),
            _case(operators + "mm_bf16_m2", "BF16"),
        ]), ([mlp + "mlp_fp32_b1", operators + "mm_fp32_m2", operators + "mm_bf16_m2", mlp + "mlp_fp64_b1", mlp + "mlp_fp32_b1_train",
             mlp + "mlp_fp32_b8_wide"], 2))

    def test_an_archive_is_whole_or_not_there(self):
        os.symlink("a", os.path.join(self.stage, "bin/b"))
        staging.manifest(self.stage)
        for end, programs in (("tar.xz", os.environ["PATH"]), ("tar.gz", os.environ["PATH"]), ("no.tar.xz", "/nowhere")):
            path = os.path.join(self.folder, "out." + end)
            with mock.patch.dict(os.environ, PATH=programs):
                size = staging.archive(self.stage, path, "bundle", 3)
            self.assertEqual(os.path.getsize(path), size)
            there = os.path.join(self.folder, end)
            with tarfile.open(path) as archive:
                archive.extractall(there)
            bundle = os.path.join(there, "bundle")
            self.assertTrue(self.is_whole(bundle))
            self.assertEqual(os.readlink(os.path.join(bundle, "bin/b")), "a")
            staging.write(bundle, "bin/a", "b")
            self.assertFalse(self.is_whole(bundle))
        staging.archive(self.stage, path, "bundle", 3, most_bytes=10)
        self.assertEqual(os.path.getsize(path), size)  # the one before

    def test_a_second_archive_has_the_same_bytes(self):
        first, second = (os.path.join(self.folder, name + ".tar.gz") for name in ("first", "second"))
        staging.archive(self.stage, first, "bundle", 6)
        os.utime(os.path.join(self.stage, "bin/a"), (1, 1))
        staging.archive(self.stage, second, "bundle", 6)
        with open(first, "rb") as a, open(second, "rb") as b:
            self.assertEqual(a.read(), b.read())

    def compile(self, name, text, *flags):
        source, target = os.path.join(self.folder, name + ".cc"), os.path.join(self.folder, name)
        with open(source, "w", encoding="utf-8") as f:
            f.write(text)
        subprocess.run(["g++", source, "-o", target, *flags], check=True)
        return target

    def test_a_program_finds_its_library_beside_it_and_nowhere_else(self):
        library = self.compile("libx.so", "int x() { return 7; }", "-shared", "-fPIC")
        far = os.path.join(self.folder, "a_folder_with_a_long_name_of_the_machine_that_built_it")
        os.mkdir(far)
        shutil.move(library, far)
        built = self.compile("program", "int x(); int main() { return x(); }", "-L" + far, "-l:libx.so", "-Wl,-rpath," + far)
        self.assertEqual(staging.libraries([built])["libx.so"], os.path.join(far, "libx.so"))
        self.assertRegex(staging.libraries([built])[""], "/ld-linux")
        packed = os.path.join(self.folder, "packed/programs/program")
        staging.program(built, packed, "$ORIGIN/../lib")
        self.assertNotEqual(subprocess.run([packed], stderr=subprocess.DEVNULL).returncode, 7)
        staging.copy(os.path.join(far, "libx.so"), os.path.join(self.folder, "packed/lib/libx.so"))
        self.assertEqual(subprocess.run([packed]).returncode, 7)
        with open(packed, "rb") as f:
            self.assertNotIn(far.encode(), f.read())
        with self.assertRaisesRegex(ValueError, "does not fit"):
            staging.set_runpath(built, "x" * 1000)


if __name__ == "__main__":
    unittest.main()
