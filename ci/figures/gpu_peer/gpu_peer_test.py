"""The packed folder on the CPU, by @oracle_python and away from the tree: what it writes, and how it ends."""

import json
import os
import subprocess
import sys
import tarfile
import tempfile
import unittest

_SMALL = "mlp_fp32_b64"
_FOR_CUDA_ALONE = "sdpa_flash_bf16_b1_n32_s2048_d128"


class GpuPeerTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        with tarfile.open("ci/figures/gpu_peer/gpu_peer.tar.xz") as file:
            file.extractall(cls.folder)

    def run_peer(self, *words):
        done = subprocess.run([sys.executable, os.path.join(self.folder, "gpu_peer.py"), *words], cwd="/", stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding="utf-8", env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"))
        return done.returncode, done.stdout, done.stderr

    def lines(self):
        with open(os.path.join(self.folder, "out"), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_measures_and_goes_on_where_a_workload_fails(self):
        code, _, said = self.run_peer("--out=" + os.path.join(self.folder, "out"), "--device=cpu", "--seconds=20",
                                      "--workloads=%s,%s" % (_FOR_CUDA_ALONE, _SMALL))
        first, *lines = self.lines()
        self.assertEqual((code, first["environment"]["device"]), (2, "cpu"), said)
        of_mlp = {line["mode"]: line for line in lines if line["workload"] == _SMALL}
        self.assertGreater(of_mlp["wall"]["median_ns"], 1e3)
        self.assertGreater(of_mlp["throughput"]["median_ns"], 1e3)
        self.assertLess(of_mlp["error"]["rms_error"], 1e-5)
        self.assertEqual(of_mlp["error"]["values"], "no --export was given")
        (failed,) = (line for line in lines if line["workload"] == _FOR_CUDA_ALONE)
        self.assertIn("_scaled_dot_product_flash_attention", failed["error"])

    def test_without_a_gpu_it_says_so(self):
        code, _, said = self.run_peer("--out=" + os.path.join(self.folder, "none"))
        self.assertEqual(code, 2)
        self.assertIn("NO_DEVICE", said)

    def test_usage(self):
        self.assertEqual(self.run_peer()[0], 3)
        code, _, said = self.run_peer("--out=x", "--workloads=mlp")
        self.assertEqual(code, 3)
        self.assertIn("no mlp; there are " + _SMALL, said)
        self.assertEqual(self.run_peer("--help")[0], 0)
        self.assertEqual(self.run_peer("table", "--help")[0], 0)


if __name__ == "__main__":
    unittest.main()
