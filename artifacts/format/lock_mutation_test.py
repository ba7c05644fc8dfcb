"""A damaged lock ends in a LockError with a line, or Python reads the same from it as this reader; nothing else
happens.

Cuts, repeats and foreign pieces are put into a lock at random, from a fixed seed. Longer, before a release:

    ASSAY_FUZZ_SECONDS=600 python3 -m artifacts.format.lock_mutation_test
"""

import ast
import os
import random
import time
import unittest

from artifacts.format import lock_table
from artifacts.format.lock_table import LockError, Row

_ROW = Row("0123456789abcdef" * 4, 4096, "embedded", 'torchvision 0.26.0; replaced: "why" \\ not', "0123456789ab")
_LOCK = lock_table.render(
    {
        "a_fp32_b2": _ROW,
        "a_fp32_b2.inputs": _ROW._replace(sha256="f" * 64, role="inputs", store="bucket"),
        "b_bf16_b1_s128": _ROW._replace(sha256="e" * 64, commit="", size=1),
        "c": _ROW,
    }
)
_PIECES = ["{", "}", '"', "\\", '"""', ":", ",", "=", "LOCK", "\0", "\r", "\ufeff", "#", "\n", " ", "9" * 30, "-1", "0"]
_PIECES += ["é", ".module", '"role": "module"', "True", "None", "1.5", "b'x'", "((((", "[" * 500, "f(x)", "**x", "'c'"]
_MUTATIONS = 3000


def mutated(generator):
    text = _LOCK
    for _ in range(generator.randint(1, 4)):
        begin = generator.randrange(len(text) + 1)
        end = min(len(text), begin + generator.choice([0, 0, 1, 2, 10, 300]))
        repeated = text[generator.randrange(len(text) + 1) :][: generator.randint(1, 400)]
        text = text[:begin] + generator.choice(_PIECES + [repeated] * 5 + [""] * 5) + text[end:]
    return text or "x"


def as_python_reads_it(text):
    (assignment,) = [node for node in ast.parse(text).body if isinstance(node, ast.Assign)]
    return {key: Row(**fields) for key, fields in ast.literal_eval(assignment.value).items()}


class LockMutationTest(unittest.TestCase):
    def test_a_damaged_lock_is_refused_with_its_line_or_means_what_python_reads(self):
        generator, accepted = random.Random(5), 0
        end = time.monotonic() + float(os.environ.get("ASSAY_FUZZ_SECONDS", 0))
        count = 0
        while count < _MUTATIONS or time.monotonic() < end:
            count += 1
            text = mutated(generator)
            try:
                table = lock_table.parse(text)
            except LockError as error:
                self.assertRegex(str(error), "^line [0-9]+: ", text)
                continue
            accepted += 1
            self.assertEqual(as_python_reads_it(text), table, text)
            self.assertEqual(table, lock_table.parse(lock_table.render(table)))
        self.assertGreater(accepted, count // 200)
        self.assertLess(accepted, count // 2)
        if "ASSAY_FUZZ_SECONDS" in os.environ:
            print("%d mutations, %d of them still locks" % (count, accepted))


if __name__ == "__main__":
    unittest.main()
