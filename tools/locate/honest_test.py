"""On honest code no layer is off: the first model of each implementation that has another one, forward and a training step.

Prints the largest difference, from which findings.LIMIT was chosen, and how long each takes. Needs torch; manual:

    tools/bazel test --config=large //tools/locate:honest_test --test_output=all
"""

import os
import tempfile
import time
import unittest

from tools.artifacts.checkpoints.case_command import CaseCommand
from tools.artifacts.generate import registry
from tools.locate import comparison, findings, locate


def first_cases():
    """The first evaluation case and the first training case of each implementation."""
    first = {}
    for case in registry.read("benchmarks/registry.json")[0]:
        if case.reference == registry.INDEPENDENT:
            first.setdefault((case.implementation, case.training is not None), case)
    return list(first.values())


def folder_size(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


class HonestTest(unittest.TestCase):
    def test_no_layer_is_off(self):
        cases, worst = first_cases(), 0.0
        self.assertGreater(len(cases), 35)
        print("%-34s %6s %9s %9s %9s %7s %8s" % ("", "calls", "layers", "gradients", "statist.", "MiB", "seconds"))
        for case in cases:
            with self.subTest(case=case.name), tempfile.TemporaryDirectory() as folder:
                worst = max(worst, self.check(case, folder))
        print("largest: %.1e" % worst)
        self.assertLess(worst, findings.MEASURED)

    def check(self, case, folder):
        began = time.monotonic()
        done = CaseCommand(case.package[2:], case.name, folder, in_registry=True).run("--export-layers=" + folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        compared = comparison.compare(folder, os.getcwd())
        seconds, size = time.monotonic() - began, folder_size(folder) / 2**20
        code, lines = locate.report(compared)
        of = [
            findings.largest([d for c in compared.calls for d in (c.input, c.output)]),
            findings.largest(r.difference for r in compared.gradients),
            findings.largest(r.difference for r in compared.statistics),
        ]
        print("%-34s %6d %9.1e %9.1e %9.1e %7.0f %8.1f" % (case.name, len(compared.calls), *of, size, seconds), flush=True)
        for line in lines[2:]:
            print(line)
        self.assertEqual(code, 0, "\n".join(lines))
        self.assertEqual(compared.ours_alone, [])
        self.assertEqual([c.name for c in compared.calls if c.output.rms is None], [])
        return max(of)


if __name__ == "__main__":
    unittest.main()
