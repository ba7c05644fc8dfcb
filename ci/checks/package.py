"""`tools/bazel run //tools:package`: the folder runs by the system's libraries and by its own, also where there are no others."""

import os
import shutil
import subprocess
import unittest

from ci.check import BAZEL, ROOT, Check, program

_CASE = "//benchmarks/mlp:mlp_fp32_b1"
_DATA = os.path.join(ROOT, "tools/run_model/testdata")
# A root folder of which a program sees nothing else, and no network.
_IN_ROOT = """
mkdir -p "$1/opt/a package" "$1/proc" "$1/tmp" && mount --bind "$2" "$1/opt/a package" && mount -t proc proc "$1/proc" &&
exec chroot "$1" env -u TMPDIR /bin/sh -c "cd /tmp && $3"
"""
_RUNS = "'/opt/a package/assay' run mlp_fp32_b1 --budget=0.02 && '/opt/a package/assay' test && '/opt/a package/bin/model' --help"


class Package(Check):
    def packed(self, *words, out="a package"):
        path = os.path.join(self.scratch, out)
        self.expect([*program("//tools:package"), *words, "--out=" + path])
        return path

    def in_root(self, root, folder, command, *texts):
        self.expect(["unshare", "--mount", "--net", "--pid", "--fork", "sh", "-c", _IN_ROOT, "sh", root, folder, command], *texts)

    def test_on_this_machine(self):
        'package: cases, a file, a comparison; with the libraries of the folder, and of the system'
        folder = self.packed(_CASE, "//benchmarks/mlp:mlp_bf16_b1", "//tools:run_model", "//tools:compare")
        assay = os.path.join(folder, "assay")
        for libraries in ("own", "system"):
            self.expect([assay, "run", "mlp_fp32_b1", "--budget=0.02"], "verdict   PASS", ASSAY_LIBRARIES=libraries)
            bag = [os.path.join(_DATA, "bag" + end) for end in (".pt2", "_inputs.safetensors", "_outputs.safetensors")]
            self.expect([assay, "model", "--model=" + bag[0], "--inputs=" + bag[1], "--reference=" + bag[2], "--budget=0.02"],
                        "verdict   PASS", ASSAY_LIBRARIES=libraries)
        self.expect([assay, "test"], "2 of 2 cases have come to their verdict")
        self.expect([assay, "compare", "--baseline=mlp_fp32_b1", "--aa", "--pairs=2", "--extra-rounds=0", "--budget=0.01", "--flagged=keep"],
                    "runner/wall", "took  ", cwd=self.scratch)
        archive = self.packed("//tools:compare", out="assay.tar.xz")
        self.expect(["tar", "xf", archive, "-C", self.scratch])
        self.expect([os.path.join(self.scratch, "assay/assay"), "compare", "--help"], "Is the candidate faster", ASSAY_LIBRARIES="own")
        blob = os.path.join(folder, "blobs", os.listdir(os.path.join(folder, "blobs"))[0])
        self.write(blob, "")
        self.expect([assay, "test"], "not as they were packed", os.path.basename(blob), code=2)

    @unittest.skipIf(os.getuid(), "only root may chroot")
    @unittest.skipUnless(os.path.exists("/bin/busybox"), "no busybox here: apt-get install busybox-static")
    def test_in_a_bare_root(self):
        'package: where there is no library, no network and no other program than busybox'
        folder = self.packed(_CASE, "//tools:run_model")
        root = os.path.join(self.scratch, "root")
        os.makedirs(os.path.join(root, "bin"))
        shutil.copy("/bin/busybox", os.path.join(root, "bin"))
        for name in ("cat", "env", "grep", "mktemp", "readlink", "rm", "sed", "sh", "sha256sum", "uname"):
            os.symlink("busybox", os.path.join(root, "bin", name))
        self.in_root(root, folder, _RUNS, "verdict   PASS", "1 of 1 cases have come to their verdict")

    @unittest.skipIf(os.getuid(), "only root may chroot")
    @unittest.skipUnless(shutil.which("debootstrap"), "no debootstrap here: apt-get install debootstrap")
    def test_in_debian_11(self):
        'package: in a bare Debian 11, whose glibc is 2.31'
        root = os.path.join(self.scratch, "root")
        if subprocess.run(["debootstrap", "--variant=minbase", "bullseye", root], stdout=subprocess.DEVNULL).returncode:
            self.skipTest("debootstrap cannot fetch Debian 11")
        self.in_root(root, self.packed(_CASE, "//tools:run_model"), "ldd --version && " + _RUNS, "GLIBC 2.31", "verdict   PASS",
                     "1 of 1 cases have come to their verdict")

    @unittest.skipIf(os.getuid(), "only root may mount")
    def test_a_folder_that_may_not_run_programs(self):
        'bad input: a package on a file system that is mounted noexec, and one without LibTorch'
        folder = self.packed(_CASE, "--without-libtorch")
        self.expect([os.path.join(folder, "assay"), "run", "mlp_fp32_b1"], "this folder has no LibTorch: set LIBTORCH_PATH", code=2)
        base = subprocess.run([BAZEL, "info", "output_base"], cwd=ROOT, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout.strip()
        for libraries in ("own", "system"):
            self.expect([os.path.join(folder, "assay"), "run", "mlp_fp32_b1", "--budget=0.02"], "verdict   PASS", ASSAY_LIBRARIES=libraries,
                        LIBTORCH_PATH=base + "/external/libtorch/site")
        mounted = 'mount --bind "$1" "$1" && mount -o remount,bind,noexec "$1" && exec sh "$1/assay" run mlp_fp32_b1'
        self.expect(["unshare", "--mount", "sh", "-c", mounted, "sh", folder], "mounted noexec", code=2)

    def test_bad_words(self):
        'bad input: a package of a case that is not there, and of no --out'
        command = program("//tools:package")
        self.expect([*command, "//benchmarks/mlp:mlp_fp32_b77777", "--out=" + os.path.join(self.scratch, "x")], "did you mean", code=3)
        self.expect([*command, _CASE], "--out", code=3)
        self.expect([*command, _CASE, "--out=" + self.scratch], "is there already", code=3)
