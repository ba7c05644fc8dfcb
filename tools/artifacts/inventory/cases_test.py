"""A query means the cases that Bazel would test for it."""

import unittest

from tools.artifacts.generate.registry import Case
from tools.artifacts.inventory.cases import Cases, QueryError


def case(label, key):
    blank = {name: "" for name in Case._fields}
    return Case(**{**blank, "label": label, "key": key})


CASES = Cases(
    [
        case("//benchmarks/resnet:resnet18_fp32_b8", "resnet18_fp32_b2"),
        case("//benchmarks/resnet:resnet18_fp32_b64", "resnet18_fp32_b2"),
        case("//benchmarks/resnet:resnet50_fp32_b8", "resnet50_fp32_b2"),
        case("//benchmarks/resnet_like:x_fp32_b1", "x_fp32_b1"),
        case("@theirs//models/y:y_fp32_b1", "y_fp32_b1"),
    ]
)


class CasesTest(unittest.TestCase):
    def test_patterns_are_bazels(self):
        resnet = {"resnet18_fp32_b2", "resnet50_fp32_b2"}
        for query, want in {
            "//benchmarks/resnet/...": resnet,
            "//benchmarks/resnet:all": resnet,
            "//benchmarks/...": resnet | {"x_fp32_b1"},
            "//...": resnet | {"x_fp32_b1"},
            "@theirs//...": {"y_fp32_b1"},
            "//benchmarks/resnet:resnet50_fp32_b8": {"resnet50_fp32_b2"},
            "//benchmarks/resnet:resnet50_fp32_b8_accuracy_test": {"resnet50_fp32_b2"},
            "//benchmarks/... -//benchmarks/resnet/...": {"x_fp32_b1"},
            "//benchmarks/resnet:resnet18_fp32_b8 @theirs//models/y:all": {"resnet18_fp32_b2", "y_fp32_b1"},
        }.items():
            with self.subTest(query=query):
                self.assertEqual(want, set(CASES.keys(query)))

    def test_a_row_stays_as_long_as_one_case_of_the_query_reads_it(self):
        query = "//benchmarks/resnet:all -//benchmarks/resnet:resnet18_fp32_b8"
        self.assertEqual(["//benchmarks/resnet:resnet18_fp32_b64"], CASES.keys(query)["resnet18_fp32_b2"])

    def test_what_finds_nothing_is_an_error_with_the_mend(self):
        for query, words in {
            "//benchmarks/moon/...": "finds none of 5 cases.*//benchmarks:list",
            "resnet": "want //PACKAGE/...",
            "//benchmarks/resnet": "say //benchmarks/resnet:all",
            "//benchmarks/resnet:all -//moon:all": "//moon:all finds none",
        }.items():
            with self.subTest(query=query), self.assertRaisesRegex(QueryError, words):
                CASES.keys(query)


if __name__ == "__main__":
    unittest.main()
