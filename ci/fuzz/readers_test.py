"""The short form of fuzzing Python's readers: every file of the corpus, then the same seeded mutations each time."""

import os
import random
import struct
import time
import unittest

from ci.fuzz import mutation, readers

_CORPUS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus")
_MUTATIONS = 4000
_SECONDS = 5  # for one input; the slowest takes hundredths


def corpus_of(target):
    folder = os.path.join(_CORPUS, target)
    files = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            files[name] = f.read()
    return files


class ReadersTest(unittest.TestCase):
    def hold(self, target, name, data):
        start = time.monotonic()
        try:
            readers.TARGETS[target](data)
        except Exception as error:
            self.fail("%s of corpus/%s: %r from %r…" % (name, target, error, data[:200]))
        self.assertLess(time.monotonic() - start, _SECONDS, name)

    def test_the_corpus_is_read_or_refused(self):
        for target in readers.TARGETS:
            for name, data in corpus_of(target).items():
                with self.subTest(target=target, name=name):
                    self.hold(target, name, data)

    def test_files_called_good_are_read_and_others_are_not(self):
        parsers = {
            "lock": lambda data: readers.lock_table.parse(data.decode()),
            "safetensors": readers.safetensors_file.decode,
        }
        for target, parse in parsers.items():
            for name, data in corpus_of(target).items():
                with self.subTest(target=target, name=name):
                    if name.startswith("good"):
                        parse(data)
                    elif not name.startswith(("nan_payload", "found_")):
                        with self.assertRaises(ValueError):
                            parse(data)

    def test_a_late_duplicate_among_many_names_takes_no_longer(self):
        names = b",".join(b'"%d":0' % number for number in range(30000)) + b',"x":0,"x":0'
        self.hold("safetensors", "30000 names", struct.pack("<Q", len(names) + 2) + b"{" + names + b"}")

    def test_damage_is_read_or_refused(self):
        for target in readers.TARGETS:
            files = list(corpus_of(target).values())
            generator = random.Random(0)
            for number in range(_MUTATIONS):
                data = mutation.mutated(files, generator)
                self.hold(target, "mutation %d" % number, data)
                if target != "lock":
                    self.hold(target, "mutation %d, reframed" % number, mutation.reframed(data))


if __name__ == "__main__":
    unittest.main()
