"""The C++ and the Python readers of tensor files and reference blobs agree: on the corpus, and on damage to it.

They read and refuse the same tensor files. Python reads every reference blob that C++ reads; C++ also recomputes the
statistics, which Python does not.
"""

import os
import random
import subprocess
import tempfile
import unittest

from artifacts.format import reference_blob, safetensors_file
from ci.fuzz import mutation
from ci.fuzz.readers_test import corpus_of

_DAMAGED = 1500
_PROGRAM = "ci/fuzz/verdicts"

# Types that Python has no use for.
_ONLY_CPP = tuple(
    "unknown dtype '%s'" % name
    for name in (
        *("U16", "U32", "U64", "C64", "F4", "F6_E2M3", "F6_E3M2"),
        *("F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"),
    )
)
_PYTHON = {"safetensors": safetensors_file.decode, "reference_blob": reference_blob.decode}


def python_verdict(kind, data):
    try:
        _PYTHON[kind](data)
    except ValueError as error:
        return "refused " + str(error)
    return "read"


def cpp_verdicts(kind, files):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, str(i)) for i in range(len(files))]
        for path, data in zip(paths, files):
            with open(path, "wb") as f:
                f.write(data)
        run = subprocess.run([_PROGRAM, kind], input="\n".join(paths).encode(), stdout=subprocess.PIPE, check=True)
    return run.stdout.decode().split("\n")[: len(files)]


class AgreementTest(unittest.TestCase):
    def agree(self, kind, names, files):
        for name, data, cpp in zip(names, files, cpp_verdicts(kind, files)):
            python = python_verdict(kind, data)
            if any(text in python for text in _ONLY_CPP) or (kind == "reference_blob" and cpp != "read"):
                continue
            with self.subTest(kind=kind, name=name):
                shown = "%r\nC++: %s\nPython: %s" % (data[:300], cpp, python)
                self.assertEqual(cpp.split()[0], python.split()[0], shown)

    def test_on_the_corpus(self):
        for kind in _PYTHON:
            files = corpus_of(kind)
            self.agree(kind, list(files), list(files.values()))

    def test_on_damage(self):
        for kind in _PYTHON:
            generator = random.Random(1)
            corpus = list(corpus_of(kind).values())
            damaged = [mutation.mutated(corpus, generator) for _ in range(_DAMAGED)]
            damaged += [mutation.reframed(data) for data in damaged]
            self.agree(kind, list(range(len(damaged))), damaged)

    def test_both_answers_occur(self):
        for kind in _PYTHON:
            verdicts = {v.split()[0] for v in cpp_verdicts(kind, list(corpus_of(kind).values()))}
            self.assertEqual({"read", "refused"}, verdicts)


if __name__ == "__main__":
    unittest.main()
