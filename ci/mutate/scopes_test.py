"""Which files each scope has, and how a number of mutants is divided among scopes."""

import os
import shutil
import tempfile
import unittest

from ci.mutate import scopes
from ci.mutate.scopes import Scope

_FILES = (
    "models/x/variants.bzl", "models/x/x.cc", "models/x/x.h", "models/x/x_test.cc", "models/x/reference.py",
    "models/testing/fake.cc", "models/layers/core/linear.cc", "models/layers/core/linear.h", "models/layers/core/linear_test.cc",
    "benchmarks/x/BUILD.bazel", "third/highway/BUILD.bazel", "third/highway/highway.cc",
    "benchmarks/harness/programs/training_program.cc", "benchmarks/harness/programs/seeded_program.h", "benchmarks/harness/execution/timed_step.cc",
    "benchmarks/harness/numerics/rules.cc", "benchmarks/harness/numerics/rules_test.cc", "benchmarks/harness/numerics/BUILD.bazel",
    "benchmarks/harness/statistics/tests/statistics_benchmark.cc", "benchmarks/harness/statistics/testing/draws.cc",
    "benchmarks/harness/runner/verdict/truth.h", "benchmarks/harness/runner/measuring.cc", "benchmarks/harness/runner/measuring_test.cc",
    "benchmarks/harness/runner/output/plotting.cc", "benchmarks/harness/costs/call_cost.cc",
    "tools/gate/runs.py", "tools/gate/gate_test.py", "tools/gate/__main__.py", "tools/gate/benchmark.py", "tools/results/test_files.py",
    "tools/results/rows.py", "tools/report/fixtures.py", "tools/report/pictures.py", "tools/history/series.py", "ci/lint/lint.py", "tools/gate/BUILD.bazel",
)


class ScopesTest(unittest.TestCase):
    def test_families_are_those_of_models_and_of_packages_of_their_own_and_shared_code_comes_last(self):
        with tempfile.TemporaryDirectory() as root:
            for path in _FILES:
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                    f.write("benchmarks(\n")
            os.makedirs(os.path.join(root, "tools/deps"))
            shutil.copy("tools/deps/find_families.sh", os.path.join(root, "tools/deps"))
            self.assertEqual({
                "highway": ["third/highway/highway.cc"],
                "x": ["models/x/x.cc", "models/x/x.h"],
                "layers": ["models/layers/core/linear.cc", "models/layers/core/linear.h"],
                "training": ["benchmarks/harness/programs/training_program.cc"],
                "programs": ["benchmarks/harness/programs/seeded_program.h"],
                "verdict": ["benchmarks/harness/numerics/rules.cc", "benchmarks/harness/runner/verdict/truth.h"],
                "harness": ["benchmarks/harness/costs/call_cost.cc", "benchmarks/harness/runner/measuring.cc"],
                "python": ["tools/gate/runs.py", "tools/history/series.py", "tools/results/rows.py"],
            }, {scope.name: scope.files for scope in scopes.all_scopes(root)})

    def test_files_whose_faults_the_harness_finds_by_itself_are_told_by_their_scope(self):
        for path in ("benchmarks/harness/costs/flop_count.cc", "benchmarks/harness/runner/measuring.h", "benchmarks/harness/numerics/rules.cc",
                     "benchmarks/harness/programs/training_program.cc"):
            self.assertTrue(scopes.is_harness(path), path)
        for path in ("benchmarks/harness/programs/operator_program.cc", "benchmarks/harness/runner/output/plotting.cc",
                     "benchmarks/harness/sampling/mutants/workloads.cc", "models/x/x.cc"):
            self.assertFalse(scopes.is_harness(path), path)

    def test_each_scope_gets_its_share_and_all_of_them_the_count(self):
        some = [Scope("a", [], 10), Scope("b", [], 10), Scope("layers", [], 100)]
        self.assertEqual({"a": 1, "b": 1, "layers": 10}, scopes.divided(12, some, 0))
        self.assertEqual({"a": 0, "b": 0, "layers": 1}, scopes.divided(1, some, 0))
        for count in range(1, 200):
            self.assertEqual(count, sum(scopes.divided(count, some, 0).values()))

    def test_another_seed_chooses_other_families_where_not_all_get_one(self):
        some = [Scope(name, [], 1) for name in "abcdefgh"]
        chosen = [[name for name, number in scopes.divided(3, some, seed).items() if number] for seed in range(5)]
        self.assertEqual(chosen[0], [name for name, number in scopes.divided(3, some, 0).items() if number])
        self.assertGreater(len(set(map(tuple, chosen))), 1)


if __name__ == "__main__":
    unittest.main()
