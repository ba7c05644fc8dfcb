"""Files of Google Benchmark that people have: of old libraries, with counters that are no numbers, with repetitions that fail."""

import json
import unittest

from tools.results.test_files import ProgramTest


def run(name, time=70.0, iterations=10000, **more):
    return {"name": name, "iterations": iterations, "real_time": time, "cpu_time": time, "time_unit": "us", **more}


class GoogleBenchmarkTest(ProgramTest):
    def imported(self, *rows, code=0):
        """{case: (outcome, median, number of samples)} of a file with these rows."""
        text = json.dumps({"context": {"date": "2018-03-02 10:11:12", "num_cpus": 4}, "benchmarks": list(rows)}, indent=1)
        self.write("x.json", text.encode())
        self.expect(code, "import", "x.json", "--database=x.sqlite")
        self.assertIn("x.json: google_benchmark", self.out)
        self.said = self.err
        sql = "select case_name, outcome, error, median_ns, samples from results order by id"
        found = json.loads(self.expect(0, "query", sql, "--format=json", "--database=x.sqlite"))
        return {row["case_name"]: (row["outcome"], row["median_ns"], row["samples"]) for row in found}

    def again(self):
        self.expect(0, "export", "--format=google_benchmark", "--output=again", "--database=x.sqlite")
        return json.loads(self.read("again"))["benchmarks"]

    def test_aggregates_of_a_library_without_run_type_are_no_cases(self):
        rows = [run("gemm/64", 70.0), run("gemm/64", 72.0), run("gemm/64", 74.0), run("gemm/64_mean", 72.0), run("gemm/64_median", 72.0)]
        rows += [run("gemm/64_stddev", 2.0, 0), {"name": "gemm_BigO", "cpu_coefficient": 672, "real_coefficient": 672, "big_o": "N"}]
        rows += [{"name": "gemm_RMS", "rms": 0.02}, run("copy", 1.5)]
        self.assertEqual(self.imported(*rows), {"gemm/64": ("NOT_VERIFIED", 72000.0, 3), "copy": ("NOT_VERIFIED", 1500.0, 1)})
        self.assertEqual(self.again(), rows)

    def test_aggregates_alone_of_such_a_library(self):
        rows = [run("a_mean", 5.0), run("a_median", 4.0), run("a_stddev", 1.0, 0), run("b_mean", 7.0), run("b_stddev", 1.0, 0)]
        self.assertEqual(self.imported(*rows), {"a": ("NOT_VERIFIED", 4000.0, 1), "b": ("NOT_VERIFIED", 7000.0, 1)})

    def test_two_benchmarks_that_are_called_like_aggregates_alone(self):
        self.assertEqual(len(self.imported(run("norm_mean", 5.0, 100), run("norm_stddev", 7.0, 90))), 2)

    def test_a_benchmark_that_is_called_like_an_aggregate_is_one(self):
        rows = [run("reduce", 5.0, 100), run("reduce_mean", 7.0, 90), run("sort_median", 3.0, 80)]
        rows += [run("norm_mean", 8.0, 9), run("norm_mean", 8.0, 9), run("norm_mean_mean", 8.0, 9), run("norm_mean_stddev", 0.0, 0)]
        found = {name: figures[1:] for name, figures in self.imported(*rows).items()}
        self.assertEqual(found, {"reduce": (5e3, 1), "reduce_mean": (7e3, 1), "sort_median": (3e3, 1), "norm_mean": (8e3, 2)})

    def test_a_counter_that_is_no_number_leaves_the_times(self):
        nan, infinity = float("nan"), float("inf")
        rows = [run("a", 5.0, hit_rate=nan, GFLOPs=35.0), run("b", 6.0, hit_rate=infinity, other=-infinity, label="NaN")]
        self.assertEqual(self.imported(*rows), {"a": ("NOT_VERIFIED", 5e3, 1), "b": ("NOT_VERIFIED", 6e3, 1)})
        self.assertEqual(json.dumps(self.again()), json.dumps(rows))
        self.assertEqual(self.imported(run("c", cpu_time=nan))["c"], ("NOT_VERIFIED", 7e4, 1))

    def test_a_time_that_is_no_number_is_refused(self):
        self.imported(run("a", float("nan")), run("b"), code=1)
        self.assertIn("x.json:1: bad number: real_time is NaN", self.said)

    def test_a_repetition_that_was_skipped_is_no_sample(self):
        skipped = {"run_name": "sort/8", "skipped": True, "skip_message": "no data"}
        rows = [run("sort/8", 0.0, 0, **skipped), run("sort/8", 800.0), run("sort/8", 820.0), run("sort/9", 0.0, 0, **skipped)]
        rows[1]["run_name"] = rows[2]["run_name"] = "sort/8"
        rows[3]["run_name"] = "sort/9"
        found = self.imported(*rows)
        self.assertEqual(found, {"sort/8": ("NOT_VERIFIED", 810e3, 2), "sort/9": ("SKIPPED_DECLARED", None, None)})

    def test_a_repetition_that_failed_is_no_sample_and_no_success(self):
        rows = [run("sort", 0.0, 0, error_occurred=True, error_message="out of range"), run("sort", 800.0)]
        self.assertEqual(self.imported(*rows), {"sort": ("CRASH", 800e3, 1)})


if __name__ == "__main__":
    unittest.main()
