"""The words of a command line choose the content of a package."""

import io
import os
import tempfile
import unittest

from artifacts.fetch.ending import UsageError
from tools.package import package

_FAMILIES = ["benchmarks/mlp", "benchmarks/resnet"]
_MLP, _RESNET = "//benchmarks/mlp:mlp_fp32_b1", "//benchmarks/resnet:resnet18_fp32_b1"


def _case(label, dtype="FP32"):
    return {"benchmark_case": {"label": label, "name": label.partition(":")[2], "dtype": dtype, "model": label.partition(":")[2].split("_")[0]}}


_CASES = [dict(_case(_MLP), reference={"sha256": "1a"}), _case("//benchmarks/mlp:mlp_bf16_b1", "BF16"), _case(_RESNET)]


class PackageTest(unittest.TestCase):
    def chosen(self, *words):
        return package.Chosen(list(words), _FAMILIES)

    def test_no_word_means_everything_and_one_case_of_each_family_is_verified(self):
        chosen = self.chosen()
        self.assertEqual(sorted(chosen.targets()), ["compare", "model", "runner", "test"])
        self.assertEqual(chosen.targets()["runner"], "//benchmarks:gpu_runner")
        elsewhere = dict(_case("//benchmarks/mlp:mlp_fp64_b1", "FP64"), reference={"sha256": "2b"})
        cases, verified = package.chosen_cases(chosen, [*_CASES, elsewhere], {"1a": "a"})
        self.assertEqual((len(cases), verified), (3, [_MLP, _RESNET]))

    def test_one_case_brings_its_familys_runner_and_no_other_case(self):
        chosen = self.chosen(_MLP)
        self.assertEqual(sorted(chosen.targets().items()), [("runner", "//benchmarks/mlp:runner"),
                                                            ("test", "//benchmarks/harness/runner/series:cases_test_main")])
        cases, verified = package.chosen_cases(chosen, _CASES[:2], {})
        self.assertEqual(([c["benchmark_case"]["label"] for c in cases], verified), ([_MLP], [_MLP]))

    def test_a_family_brings_all_its_cases_each_once(self):
        cases, verified = package.chosen_cases(self.chosen(_MLP, "//benchmarks/mlp"), _CASES[:2], {})
        self.assertEqual((len(cases), verified), (2, [_MLP, "//benchmarks/mlp:mlp_bf16_b1"]))

    def test_run_model_alone_brings_no_case(self):
        chosen = self.chosen("//tools:run_model")
        self.assertEqual((chosen.targets(), chosen.families), ({"model": "//tools/run_model:run_model"}, []))
        self.assertEqual(package.chosen_cases(chosen, [], {}), ([], []))

    def test_names_that_nothing_has(self):
        for word, text in [("mlp_fp32_b1", "is no //PACKAGE:CASE"), ("//benchmarks/mlq", "did you mean benchmarks/mlp?"),
                           ("//tools:gate", "no package of that name holds cases")]:
            with self.assertRaisesRegex(UsageError, text.replace("?", r"\?")):
                self.chosen(word)
        with self.assertRaisesRegex(UsageError, "no such case; did you mean " + _MLP):
            package.chosen_cases(self.chosen("//benchmarks/mlp:mlp_fp32_b2"), _CASES, {})

    def test_a_folder_that_is_there_is_left_alone(self):
        with tempfile.TemporaryDirectory() as folder, self.assertRaisesRegex(UsageError, "is there already"):
            package.main(["--out=" + folder], {"BUILD_WORKSPACE_DIRECTORY": os.getcwd()}, io.StringIO())


if __name__ == "__main__":
    unittest.main()
