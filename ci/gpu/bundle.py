"""The contents of a GPU bundle, and the arguments by which its runner takes a case.

    bin/          gpu_runner, libassay_cuda.so, libsimulated_gpu.so, and the unit tests that need a GPU; LibTorch is in none
    lib/          libraries that not every machine has
    cases/        every case of every family: <package>/cases.pb
    cases.tsv     a line for each case: label, and its reference's sha256 or -
    verify.txt    the labels of the cases that run by default: one of each family in fp32, operators, the rest
    blobs/        references, by sha256
    peer/         the same workloads in Python (ci/figures)
    gpu/          this program and its plans
    built.json    commit, torch's version, and the site-packages folder that the programs were linked with
    MANIFEST      sha256 and path of every file
"""

import collections
import hashlib
import json
import os

Case = collections.namedtuple("Case", "label package sha256")


class Bundle:
    """An unpacked bundle. OSError or ValueError where it is not whole; not_whole() says what is wrong."""

    def __init__(self, folder):
        self.folder = folder
        with open(self.path("built.json"), encoding="utf-8") as f:
            self.built = json.load(f)
        self.cases = {}
        for label, sha256 in self._rows("cases.tsv"):
            package, _, name = label[2:].partition(":")
            case = Case(label, package, sha256)
            self.cases[label] = self.cases[name] = case

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def _rows(self, name):
        with open(self.path(name), encoding="utf-8") as f:
            return [line.rstrip("\n").split("\t") for line in f]

    def default_cases(self):
        """The cases that run by default, in the order in which they are verified."""
        return [self.cases[label] for label, in self._rows("verify.txt")]

    def case_arguments(self, case, device):
        """The runner's arguments for one case. `device`: cuda, or simulated."""
        plugin = {"cuda": "libassay_cuda.so", "simulated": "libsimulated_gpu.so"}[device]
        words = ["--case=" + self.path("cases", case.package, "cases.pb"), "--case-name=" + case.label,
                 "--cuda-plugin=" + self.path("bin", plugin), "--default-device=cuda"]
        return words + (["--locked-reference=" + self.path("blobs", case.sha256 + ".safetensors")] if case.sha256 != "-" else [])


def not_whole(folder):
    """The files of MANIFEST that are missing or were cut off on the way."""
    try:
        with open(os.path.join(folder, "MANIFEST"), encoding="utf-8") as f:
            rows = [line.rstrip("\n").split("  ", 1) for line in f]
    except OSError as error:
        return ["MANIFEST: %s" % error.strerror]
    wrong = []
    for digest, path in rows:
        try:
            with open(os.path.join(folder, path), "rb") as f:
                if hashlib.sha256(f.read()).hexdigest() != digest:
                    wrong.append(path + ": other bytes than were packed")
        except OSError as error:
            wrong.append("%s: %s" % (path, error.strerror))
    return wrong
