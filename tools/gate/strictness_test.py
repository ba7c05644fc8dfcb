"""A statement of a record does not hide another one: limits, majorities, builds, checks, its own parts."""

import io
import json
import unittest
import unittest.mock

from tools.gate.gate_test import _TOML, _WAIVER, GateTest, _comparison, result
from tools.results import agreement
from tools.results import program as results
from tools.results import record as records
from tools.results.test_files import line, record


def output(name="probabilities", **fields):
    return {**record()["verdict"]["outputs"][0], "name": name, **fields}


def measured(step="forward", mode="wall", checks=(), **fields):
    """A measurement; `checks` are pairs of name and status."""
    listed = [{"name": name, "status": "CHECK_" + status, "detail": "why"} for name, status in checks]
    return {"mode": mode, "step": step, "flops_per_call": 589824, "checks": listed, **fields}


class Limits(GateTest):
    """A limit behind a wider one, and those of rules that have neither rms_limit nor max_limit."""

    def test_the_widest_limits_are_counters_of_their_own(self):
        self.results[0] = result(
            verdict__outputs=[output("a", rms_limit=1e-5, max_limit=1e-3), output("b", rms_limit=1e-4, max_limit=1e-4)]
        )
        self.gate(0, "--update", says=["max_limit 0.0001 -> 0.001", "rms_limit 1e-05 -> 0.0001"])

    def test_a_limit_behind_a_wider_one(self):
        before = [output("a", max_limit=1e-3), output("b", max_limit=1e-4)]
        self.results[0] = result(verdict__outputs=before)
        self.gate(0, "--update")
        for changed in (
            [output("a", max_limit=1e-3), output("b", max_limit=1e-3)],
            [output("a", max_limit=1e-4), output("b", max_limit=1e-3)],
            [output("a", max_limit=1e-3), output("b", max_limit=1e-4, rms_limit=2e-6)],
            [output("a", max_limit=1e-3, elements_compared="31"), output("b", max_limit=1e-4, elements_compared="33")],
        ):
            self.results[0] = result(verdict__outputs=changed)
            self.gate(1, says="a_fp32_b1 CPU: limits is ")
            self.assertEqual(self.kinds(), ["COUNTER"])

    def test_limits_of_every_rule(self):
        for rule, limits in (
            ("ALLCLOSE", {"atol": 1e-6, "rtol": 1e-5}),
            ("DYNAMO_SAME", {"atol": 1e-6, "multiplier": 2}),
            ("COSINE", {"cosine_min": 0.99}),
            ("MEAN_RELATIVE", {"mean_relative_limit": 1e-3}),
            ("IOU", {"iou_min": 0.9}),
            ("RELATIVE_TO_STD", {"gradient_factor": 10}),
        ):
            plain = output(rms_limit=0, max_limit=0)
            rows = {"verdict__outputs": [plain], "verdict__rule": rule}
            verify = {"rule": rule, "provenance": "a book", **limits}
            self.results[0] = result(**rows, benchmark_case__verify=verify)
            self.gate(0, "--update")
            self.results[0] = result(**rows, benchmark_case__verify={**verify, "provenance": "another book", "batch": "1"})
            self.gate(0)
            for name, value in limits.items():
                self.results[0] = result(**rows, benchmark_case__verify={**verify, name: value * 1.0001})
                self.gate(1, says="a_fp32_b1 CPU: limits is ")
            self.results[0] = result(**{**rows, "verdict__rule": "EXACT"}, benchmark_case__verify=verify)
            self.gate(1, says="a_fp32_b1 CPU: limits is ")

    def test_the_rule_and_the_factor_of_one_output(self):
        expected = [{"name": "probabilities", "dtype": "FP32"}]
        for more in ({"rule": "IOU"}, {"limit_factor": 2.5}, {"least_share": 0.1}):
            self.results[0] = result(workload__outputs=expected)
            self.gate(0, "--update")
            self.results[0] = result(workload__outputs=[{**expected[0], **more}])
            self.gate(1, says="a_fp32_b1 CPU: limits is ")

    def test_units_of_a_call(self):
        self.results[0] = result(measurements=[measured(units_per_call=8)])
        self.gate(0, "--update", says="forward.units absent -> 8")
        self.results[0] = result(measurements=[measured(units_per_call=4)])
        self.gate(1, says="a_fp32_b1 CPU: forward.units is 4, expected 8")


def waiver(text, most_flaky=1):
    """A file of expectations in which the case a_fp32_b8 has this waiver."""
    return "most_flaky = %d\n" % most_flaky + _TOML + _WAIVER + text + "\n"


class Majorities(GateTest):
    """Runs that a majority of their comparisons passed (--accuracy-runs)."""

    def passed(self, passed_runs, runs=3):
        self.results[1] = result("a_fp32_b8", verdict__runs=runs, verdict__passed_runs=passed_runs)

    def test_a_majority_is_flaky(self):
        self.passed(3)
        self.gate(0)
        self.passed(2)
        self.gate(
            1,
            says=[
                "a_fp32_b8 CPU: passed in 2 of 3 accuracy runs (results.jsonl:2)",
                "a majority makes no failure good: find the cause; until then a waiver with flaky = ['FAIL_ACCURACY']",
            ],
        )
        self.assertEqual(self.kinds(), ["FLAKY"])

    def test_one_among_several_runs_of_a_build(self):
        self.passed(2)
        self.results.append(result("a_fp32_b8", duration_s=7))
        self.gate(1, says="a_fp32_b8 CPU: passed in 2 of 3 accuracy runs (results.jsonl:2)")

    def test_a_waiver_of_a_flaky_case_covers_it(self):
        self.passed(2)
        for outcome, code in (("CRASH", 1), ("FAIL_ACCURACY", 0), ("NONDETERMINISTIC_BASELINE", 0), ("FAIL_NONFINITE", 0)):
            self.lay("e.toml", waiver("flaky = [%r]" % outcome))
            self.gate(code)
        self.assertIn("2 passed, 1 waived", self.out)

    def test_update_writes_no_row_of_it(self):
        before = self.read("e.tsv")
        self.passed(2)
        self.gate(1, "--update", says=["nothing was written", "a_fp32_b8 CPU: passed in 2 of 3 accuracy runs"])
        self.assertEqual(self.read("e.tsv"), before)
        self.lay("e.toml", waiver('flaky = ["FAIL_ACCURACY"]'))
        self.gate(0, "--update")


class OtherWork(GateTest):
    """Checks that say that the number is of other work than the verdict's, and whether the timed call was looked at."""

    _NOT_NOISE = (
        "inputs_matter",
        "inputs_unchanged",
        "outputs_unchanged",
        "possible",
        "timed_is_verified",
    )

    def test_each_check_that_says_other_work_is_a_failure(self):
        for name in self._NOT_NOISE:
            self.results[0] = result(measurements=[measured(checks=[("steady", "OK"), (name, "FLAGGED")])])
            self.gate(1, says="FAILED  a_fp32_b1 CPU: wall/forward: check %s FLAGGED: why (results.jsonl:1)" % name)
            for status in ("OK", "NOTED", "NOT_RUN"):
                self.results[0] = result(measurements=[measured(checks=[(name, status)])])
                self.gate(1 if name == "timed_is_verified" else 0)
                self.assertNotIn("FLAGGED", self.out)

    def test_noise_of_the_machine_is_none(self):
        for name in ("steady", "cpu_contention", "clock_held", "memory_steady", "not_memoised"):
            self.results[0] = result(measurements=[measured(checks=[(name, "FLAGGED")])])
            self.gate(0)

    def test_one_mode_among_several(self):
        flagged = measured(mode="throughput", checks=[("possible", "FLAGGED")])
        self.results[0] = result(measurements=[measured(checks=[("possible", "OK")]), flagged])
        self.gate(
            1,
            says=[
                "a_fp32_b1 CPU: throughput/forward: check possible FLAGGED",
                "    see it: tools/bazel run //a:a_fp32_b1 -- --device=cpu\n",
            ],
        )

    def test_a_waiver_names_the_check(self):
        self.results[1] = result("a_fp32_b8", measurements=[measured(checks=[("possible", "FLAGGED")])])
        self.lay("e.toml", waiver('flagged = ["possible"]'))
        self.assertIn("2 passed, 1 waived", self.gate(0, "--summary=s.md"))
        self.assertIn("| flagged: possible | ann |", self.read("s.md"))
        self.lay("e.toml", waiver('flagged = ["inputs_matter"]'))
        self.gate(1)
        self.assertEqual(self.kinds(), ["FAILED", "UNUSED"])
        self.results[1] = result("a_fp32_b8")
        self.lay("e.toml", waiver('flagged = ["possible"]'))
        self.gate(1)
        self.assertEqual(self.kinds(), ["UNUSED"])
        for text, says in (
            ('flagged = ["steady"]', "e.toml:15: waiver: 'steady' is no check that can be waived; one of inputs_matter, "),
            ('flagged = ["possible"]\noutcome = "CRASH"', "e.toml:15: waiver: one of `outcome`"),
            ('flagged = ["possible"]\nflaky = ["CRASH"]', "e.toml:15: waiver: one of `outcome`"),
        ):
            self.lay("e.toml", waiver(text))
            self.gate(3, says=says)

    def test_update_writes_no_row_of_it(self):
        before = self.read("e.tsv")
        self.results[1] = result("a_fp32_b8", measurements=[measured(checks=[("possible", "FLAGGED")])])
        self.gate(1, "--update", says=["nothing was written", "a_fp32_b8 CPU: wall/forward: check possible FLAGGED"])
        self.assertEqual(self.read("e.tsv"), before)
        self.lay("e.toml", waiver('flagged = ["possible"]'))
        self.gate(0, "--update")

    def test_whether_the_timed_call_was_verified_is_a_counter(self):
        timed = lambda *statuses: result(
            measurements=[
                measured(mode=mode, checks=[("timed_is_verified", status)] if status else [])
                for mode, status in zip(("wall", "throughput"), statuses)
            ]
        )
        self.results[0] = timed("OK", "OK")
        self.gate(0, "--update", says="forward.timed")
        for statuses, got in (
            (("NOT_RUN", "NOT_RUN"), "NOT_RUN"),
            (("OK", "NOT_RUN"), "OK|NOT_RUN"),
            (("", ""), "absent"),
            (("OK", ""), "OK|absent"),
        ):
            self.results[0] = timed(*statuses)
            self.gate(1, says="a_fp32_b1 CPU: forward.timed is %s, expected OK (results.jsonl:1)" % got)
        self.results[0] = timed("", "")
        self.gate(0, "--update", says="forward.timed OK -> absent")
        self.results[0] = result(measurements=[])
        self.gate(1, says="a_fp32_b1 CPU: forward.timed is not measured, expected absent")


class Builds(GateTest):
    """Which build is the newest one is told by the order of lines, not by clocks."""

    def of(self, build, started="10", outcome="PASS", case="a_fp32_b8", **fields):
        return result(
            case,
            outcome=outcome,
            started_utc="2026-11-22T%s:00:00+00:00" % started,
            launch={"fingerprint": build},
            **fields,
        )

    def build(self, *runs):
        """`runs` are of a_fp32_b8, in the order of their lines; the other cases are as before."""
        self.results = [result("a_fp32_b1"), result("a_bf16_b1"), *runs]

    def test_the_last_line_is_of_the_newest_build(self):
        self.build(self.of("old", "10", "CRASH"), self.of("new", "11"))
        self.gate(0)
        self.build(self.of("old", "10"), self.of("new", "11", "CRASH"))
        self.gate(1, says="a_fp32_b8 CPU: CRASH, expected PASS (results.jsonl:4)")
        self.assertEqual(self.kinds(), ["FAILED"])

    def test_a_clock_that_was_ahead_hides_no_failure(self):
        self.build(self.of("old", "19"), self.of("new", "11", "CRASH"))
        self.gate(
            1,
            says=[
                "a_fp32_b8 CPU: CRASH, expected PASS (results.jsonl:4)",
                "results.jsonl:4: a_fp32_b8 CPU started 2026-11-22T11:00:00, before another build's run above it "
                "(results.jsonl:3, 2026-11-22T19:00:00)",
                "run the suite into a new folder",
            ],
        )
        self.assertEqual(self.kinds(), ["FAILED", "NOT_WHOLE"])

    def test_a_start_that_goes_back_between_builds_is_the_surroundings(self):
        self.build(self.of("old", "19"), self.of("new", "11"))
        self.gate(2, says="NOT_WHOLE  results.jsonl:4: ")
        # The same build may well be started again by a clock that was set back: all its runs count.
        self.build(self.of("old", "19"), self.of("old", "11"))
        self.gate(0)
        # One finding says it of all lines.
        cases, builds = ("a_fp32_b8", "a_bf16_b1"), (("old", "19"), ("new", "11"))
        self.build(*(self.of(build, hour, case=case) for case in cases for build, hour in builds))
        self.gate(2, says="; so did 2 others\n")
        self.assertEqual(self.out.count("NOT_WHOLE  "), 1)
        self.results = [result("a_bf16_b1"), *(self.of(b, h, case=case) for case in ("a_fp32_b1", "a_fp32_b8") for b, h in builds)]
        self.gate(2, says="; so did 1 other\n")
        self.build(self.of("old", "19"), self.of("new", "11"))
        self.gate(2)
        self.assertNotIn("so did", self.out)

    def test_builds_that_start_in_one_second_have_the_order_of_their_lines(self):
        self.build(self.of("old", "19", "CRASH"), self.of("new", "19"))
        self.gate(0)

    def test_an_earlier_run_of_the_newest_build_counts(self):
        self.build(self.of("one", "10", "CRASH"), self.of("two", "11"), self.of("one", "12"))
        self.gate(1, says="a_fp32_b8 CPU: runs of one build ended differently: CRASH (results.jsonl:3), PASS (results.jsonl:5)")
        self.assertEqual(self.kinds(), ["FLAKY"])

    def test_files_have_no_order(self):
        self.results = [result("a_fp32_b1"), result("a_bf16_b1")]
        for name, outcome, hour in (("one.jsonl", "CRASH", "10"), ("two.jsonl", "PASS", "11")):
            self.write(name, self.of(name, hour, outcome))
        for files in (["one.jsonl", "two.jsonl"], ["two.jsonl", "one.jsonl"]):
            self.gate(1, files=["results.jsonl", *files], says="a_fp32_b8 CPU: CRASH, expected PASS (one.jsonl:1)")

    def test_results_of_two_commits(self):
        commit = self.results[0]["environment"]["git_commit"]
        other = "f" * 40
        self.results[0]["environment"]["git_commit"] = other
        self.gate(2, says=["the results are of 2 commits: ", "--commit=SHA"])
        self.assertEqual(self.kinds(), ["COMMITS"])
        self.gate(2, "--commit=" + commit, says="it is of commit " + other)
        self.assertEqual(self.kinds(), ["ELSEWHERE"])
        before = self.read("e.tsv")
        self.gate(2, "--update", says=["the results are of 2 commits", "nothing was written"])
        self.assertEqual(self.read("e.tsv"), before)
        self.gate(2, "--update", "--commit=" + commit)


class Figures(GateTest):
    def test_a_figure_that_is_0_is_left_out_of_a_record(self):
        zero = output(rms_error=0, max_error=0, cosine=0, worst_index=[], worst_got=0, rms_limit=0, max_limit=0)
        self.results[0] = result(verdict__outputs=[zero])
        self.gate(0, "--update", "--counters=outputs")
        left_out = {name: value for name, value in zero.items() if value}
        self.results[0] = result(verdict__outputs=[left_out])
        self.gate(0)

    def test_every_number_that_is_0_is_left_out_of_a_record(self):
        zeros = lambda names, value: dict.fromkeys(names.split(), value)
        step, forward = {"mode": "wall", "step": "forward"}, {"step": "forward"}
        whole = result(
            verdict__outputs=[{"name": "a", **zeros("rms_error max_error cosine worst_got rms_limit max_limit", 0.0), "elements_compared": "0"}],
            workload__outputs=[{"name": "a", "limit_factor": 0.0}],
            measurements=[{**step, **zeros("flops_per_call bytes_per_call units_per_call", 0.0), "operators_per_call": 0}],
            memory={"steps": [{**forward, **zeros("allocations allocated_bytes peak_bytes", "0")}], **zeros("parameter_bytes buffer_bytes", "0")},
            environment__git_dirty=False,
        )
        bare = result(
            verdict__outputs=[{"name": "a"}], workload__outputs=[{"name": "a"}], measurements=[step], memory={"steps": [forward]}
        )
        whole["verdict"].update(runs=0, passed_runs=0)
        for name in ("runs", "passed_runs"):
            bare["verdict"].pop(name, None)
        bare["environment"].pop("git_dirty", None)
        rows = []
        for self.results[0] in (whole, bare):
            self.gate(0, "--update", "--counters=outputs,forward.allocations,forward.allocated_bytes,forward.peak_bytes")
            rows.append(self.read("e.tsv"))
        self.assertEqual(*rows)
        self.assertNotRegex(rows[0].splitlines()[-2], r"compared|_limit|_bytes|flops|operators|units|allocations")

    def test_nothing_stands_for_a_figure_that_is_left_out(self):
        bare = {"mode": "wall", "step": "forward"}
        self.results[0] = result(verdict={}, memory={"steps": [{"step": "forward"}]}, measurements=[bare], configuration={})
        more = "outputs,tokens,forward.attention,forward.allocations,forward.allocated_bytes,forward.peak_bytes"
        self.gate(0, "--update", "--counters=" + more)
        row = next(line for line in self.read("e.tsv").splitlines() if line.startswith("a_fp32_b1"))
        self.assertEqual(row.split("\t")[-1], "forward.timed=absent")


class Outcomes(GateTest):
    """Each outcome by name: whose fault it is, and whether a pass of the same build makes it good."""

    _PRODUCT = (
        "CRASH",
        "FAIL_ACCURACY",
        "FAIL_DTYPE",
        "FAIL_LATENCY",
        "FAIL_NONFINITE",
        "FAIL_SHAPE",
        "NONDETERMINISTIC_BASELINE",
        "SKIPPED_DECLARED",
    )
    _SURROUNDINGS = (
        "ARTIFACT_UNAVAILABLE",
        "DEVICE_LOST",
        "FAIL_ARTIFACT",
        "INTERRUPTED",
        "NOT_VERIFIED",
        "NO_DEVICE",
        "OUT_OF_MEMORY",
        "RECORD_FAILED",
        "TIMEOUT",
    )

    def test_every_outcome_is_here(self):
        self.assertEqual({"PASS", *self._PRODUCT, *self._SURROUNDINGS}, set(records.OUTCOMES))

    def ended(self, outcome):
        return result("a_fp32_b8", outcome=outcome, launch={"fingerprint": "f"}, verdict={}, duration_s=5)

    def test_whose_fault_it_is(self):
        for outcomes, code in ((self._PRODUCT, 1), (self._SURROUNDINGS, 2)):
            for outcome in outcomes:
                self.results[1] = self.ended(outcome)
                self.gate(code, says="FAILED  a_fp32_b8 CPU: %s, expected PASS" % outcome)

    def test_a_pass_of_the_same_build_makes_good_what_the_surroundings_did(self):
        passed = result("a_fp32_b8", launch={"fingerprint": "f"})
        for outcomes, code in ((self._PRODUCT, 1), (self._SURROUNDINGS, 0)):
            for outcome in outcomes:
                if outcome == "SKIPPED_DECLARED":  # no failure
                    continue
                for runs in ([self.ended(outcome), passed], [passed, self.ended(outcome)]):
                    self.results[1:] = [result("a_bf16_b1"), *runs]
                    self.gate(code)
                    self.assertEqual(self.kinds(), ["FLAKY"] if code else [], outcome)


class Parts(GateTest):
    """A PASS is believed only of a record whose parts say the same, each once."""

    def test_parts_that_disagree(self):
        failed = output("b", outcome="FAIL_ACCURACY")
        for fields, says in (
            ({"verdict__outcome": "NOT_VERIFIED"}, "the outcome is PASS, and the verdict is NOT_VERIFIED"),
            ({"verdict__outputs": [output("a"), failed]}, "the outcome is PASS, and output 'b' is FAIL_ACCURACY"),
            ({"verdict__outputs": [output(rms_error=1e-3)]}, "has rms_error 0.001, limit 1e-05"),
            ({"served": [{"scenario": "server", "lost_replies": "2"}]}, "the outcome is PASS, and 2 lost replies of server"),
            ({"verdict__runs": 3, "verdict__passed_runs": 1}, "the outcome is PASS, and 1 of 3 accuracy runs passed"),
        ):
            self.results[0] = result(**fields)
            self.gate(1, says="results.jsonl:1: malformed: not a record: its parts disagree: ")
            self.assertIn(says, self.out)
            self.assertEqual(self.kinds(), ["MISSING", "NOT_WHOLE"])

    def test_a_name_that_stands_twice(self):
        crashed = line(result(outcome="CRASH"))
        self.results[0] = crashed.replace(b"}\n", b',"outcome":"PASS"}\n')
        self.gate(1, says="results.jsonl:1: malformed: not a record: the name 'outcome' stands twice in one object")
        self.assertEqual(self.kinds(), ["MISSING", "NOT_WHOLE"])

    def test_a_database_of_before_these_checks(self):
        self.results[0] = result(verdict__outcome="NOT_VERIFIED")
        self.write("results.jsonl", *self.results)
        words, environment = ["import", "results.jsonl"], {"BUILD_WORKING_DIRECTORY": self.folder}
        with unittest.mock.patch.object(agreement, "check"):
            self.assertEqual(results.main(words, environment, io.StringIO(), io.StringIO()), 0)
        self.gate(1, files=["results.sqlite"], says="results.sqlite, record 1: not a record: its parts disagree: ")
        self.assertEqual(self.kinds(), ["MISSING", "NOT_WHOLE"])


class Faster(GateTest):
    """A candidate is faster where the timed calls of both sides were verified."""

    def test_one_that_was_not_verified(self):
        for unverified, code, says in (
            ("", 0, ""),
            ("candidate in 3 of 20 (why)", 2, "a/wall is FASTER, and the timed call was not verified: candidate in 3 of 20 (why)"),
            (None, 2, "a/wall is FASTER, and the timed call was not verified: the comparison does not say so"),
        ):
            made = _comparison("FASTER")
            made["series"][0]["unverified"] = unverified
            if unverified is None:
                del made["series"][0]["unverified"]
            self.lay("c.json", json.dumps(made))
            self.gate(code, "--compared=c.json", says=says)
            made["series"][0]["verdict"] = "SAME"
            self.lay("c.json", json.dumps(made))
            self.gate(0, "--compared=c.json")


if __name__ == "__main__":
    unittest.main()
