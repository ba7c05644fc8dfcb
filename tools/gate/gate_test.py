"""The gate is green on a clean run and red on each thing that may go wrong, with its own words, fix and exit code."""

import io
import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree
from unittest import mock

from tools.gate import expectations, judging, outputs, program, runs
from tools.results import program as results
from tools.results import record as records
from tools.results.test_files import ProgramTest, line, record, served_records

_CASES = ("a_fp32_b1", "a_fp32_b8", "a_bf16_b1")
_TOML = """
[scope]
cases = ["a_.*"]
devices = ["CPU"]

[environment.CPU]
torch_version = "2.11.0"

[environment.CUDA]
gpu_name = "H100"
gpu_driver = "580.1"
torch_version = "2.11.0"
"""
_WAIVER = """
[[waiver]]
case = "a_fp32_b8"
owner = "ann"
reason = "rounds twice"
link = "https://example.org/1"
expires = 2026-02-01
"""


def result(case="a_fp32_b1", **fields):
    return record(benchmark_case__name=case, benchmark_case__label="//a:" + case, **fields)


class GateTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.registry(*_CASES)
        self.lay("e.toml", _TOML)
        self.results = [result(case) for case in _CASES]
        self.gate(0, "--update")

    def lay(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def edit(self, name, old, new):
        before = self.read(name)
        self.assertIn(old, before)
        self.lay(name, before.replace(old, new))

    def registry(self, *names):
        cases = [{"benchmark_case": {"name": name, "label": "//a:" + name, "tags": name.split("_")}} for name in names]
        self.lay("registry.json", json.dumps({"cases": cases}))

    def run_gate(self, *words):
        """Over the file as it is."""
        words = ["--expected=e.toml", "--registry=registry.json", "--today=2026-01-31", *words]
        out, err = io.StringIO(), io.StringIO()
        code = program.main(words, {"BUILD_WORKING_DIRECTORY": self.folder}, out, err)
        return code, out.getvalue(), err.getvalue()

    def gate(self, want, *words, says=(), files=("results.jsonl",)):
        """Over self.results; the test fails unless it ends with this exit code and says these texts."""
        self.write("results.jsonl", *self.results)
        code, self.out, self.err = self.run_gate(*files, *words)
        said = self.out + self.err
        self.assertEqual(code, want, said)
        for text in (says,) if isinstance(says, str) else says:
            self.assertIn(text, said)
        return self.out

    def kinds(self):
        """The kinds of the findings, each once."""
        return sorted(set(re.findall(r"^([A-Z_]+)  ", self.out, re.M)))


class UnderLoad(GateTest):
    """A latency bound is a rule: the flags of a scope name scenario, rate and bound."""

    _FLAGS = "--duration=2s --latency-bound=20ms --qps=100 --scenario=server"

    def setUp(self):
        super().setUp()
        self.registry("mlp_fp32_b64")
        self.edit("e.toml", 'cases = ["a_.*"]', 'cases = ["mlp_.*"]\nflags = ["%s"]' % self._FLAGS)
        self.served = served_records()[0]
        self.results = [self.served]
        self.gate(0, "--update")

    def test_a_kept_bound_is_green_and_a_missed_one_red(self):
        self.assertEqual(self.gate(0), "gate: green: 1 passed\n")
        self.served.update(outcome="FAIL_LATENCY", error="97.2 % of the queries within 20 ms, 99 % must be")
        self.gate(1, says="FAILED  mlp_fp32_b64 CPU %s: FAIL_LATENCY, expected PASS (results.jsonl:1): 97.2 %% of the" % self._FLAGS)
        self.write("results.jsonl", *self.results)
        results.main(["import", "results.jsonl"], {"BUILD_WORKING_DIRECTORY": self.folder}, io.StringIO(), io.StringIO())
        self.gate(1, files=["results.sqlite"], says="FAIL_LATENCY, expected PASS")

    def test_another_rate_or_bound_is_another_row(self):
        for flag, other in (("--qps=100", "--qps=50"), ("--latency-bound=20ms", "--latency-bound=2s")):
            self.results = [{**self.served, "flags": [other if word == flag else word for word in self.served["flags"]]}]
            self.gate(1)
            self.assertEqual(self.kinds(), ["MISSING", "UNEXPECTED"])


class Rules(GateTest):
    def test_a_clean_run_is_green(self):
        self.assertEqual(self.gate(0), "gate: green: 3 passed\n")

    def test_a_case_without_a_result(self):
        del self.results[1]
        self.gate(2, says=["a_fp32_b8 CPU: no result", "//tools:run_suite -- --only=a_fp32_b8 --device=cpu --out=."])
        self.assertEqual(self.kinds(), ["MISSING"])

    def test_a_case_that_left_the_registry(self):
        self.registry(*_CASES[1:])
        self.gate(1, says=["a_fp32_b1 CPU: the registry has no such case; the nearest is a_fp32_b8", "--update"])
        self.assertEqual(self.kinds(), ["VANISHED"])

    def test_the_nearest_case_is_looked_up_for_the_first_20(self):
        names = ["a_case_%02d" % i for i in range(22)]
        self.registry(*_CASES, *names)
        self.results += [result(name) for name in names]
        self.gate(0, "--update")
        self.registry(*_CASES, "a_case_99")
        self.gate(1)
        self.assertEqual(self.out.count("the registry has no such case"), 22)
        self.assertEqual(self.out.count("; the nearest is a_case_99"), 20)

    def test_a_case_that_left_the_expectations(self):
        self.lay("e.tsv", "".join(row for row in self.read("e.tsv").splitlines(True) if "a_fp32_b8" not in row))
        self.gate(
            1,
            says=[
                "a_fp32_b8 CPU: the scope chooses it, and no row",
                "tools/bazel run //tools:gate -- --update --expected=e.toml results.jsonl",
            ],
        )
        self.assertEqual(self.kinds(), ["UNEXPECTED"])

    def test_a_case_that_is_new_in_the_registry(self):
        self.registry(*_CASES, "a_new")
        self.gate(
            1,
            says=[
                "a_new CPU: the scope chooses it, and no row says what is expected; it has no result yet",
                "run it: tools/bazel run //tools:run_suite -- --only=a_new --device=cpu --out=.; then tools/bazel run //tools:gate",
            ],
        )

    def test_a_result_of_a_case_that_nobody_chose(self):
        self.results.append(result("b_fp32_b1"))
        self.gate(1, says=["b_fp32_b1 CPU: a result that no row expects", "widen [scope]"])

    def test_a_failure(self):
        for outcome, code in (
            ("FAIL_ACCURACY", 1),
            ("CRASH", 1),
            ("SKIPPED_DECLARED", 1),
            ("TIMEOUT", 2),
            ("NO_DEVICE", 2),
            ("NOT_VERIFIED", 2),
        ):
            self.results[0] = result(outcome=outcome, verdict__message="worst [3]")
            self.gate(
                code,
                says="a_fp32_b1 CPU: %s, expected PASS (results.jsonl:1): worst [3]\n    see it: tools/bazel run //a:a_fp32_b1 -- --device=cpu"
                % outcome,
            )
            self.assertEqual(self.kinds(), ["FAILED"])

    def test_a_failure_outweighs_the_surroundings(self):
        self.results[:2] = [result(outcome="CRASH")]
        self.gate(1)
        self.assertEqual(self.kinds(), ["FAILED", "MISSING"])

    def test_an_unexpected_pass(self):
        self.edit("e.tsv", "a_fp32_b8\tCPU\t-\tPASS", "a_fp32_b8\tCPU\t-\tFAIL_ACCURACY")
        self.lay("e.toml", _TOML + _WAIVER + 'outcome = "FAIL_ACCURACY"\n')
        self.gate(
            1,
            says=[
                "expected FAIL_ACCURACY, and it passes",
                "take its waiver out of e.toml:14, and tools/bazel run //tools:gate -- --update",
            ],
        )
        self.assertEqual(self.kinds(), ["BETTER"])

    def test_no_results_at_all(self):
        self.results = []
        self.gate(
            2,
            "--junit=j.xml",
            says=["no result at all", "results.jsonl: holds no record", "3 MISSING, 1 NOTHING, 1 NOT_WHOLE"],
        )
        tests = ElementTree.parse(self.path("j.xml")).getroot()
        self.assertEqual((tests.get("tests"), tests.get("errors"), tests.get("skipped")), ("5", "5", "0"))
        self.gate(2, files=["nowhere.jsonl"], says="nowhere.jsonl: No such file")
        self.results = [{"schema_version": 2, "suite_run": {"id": "x", "planned": "0", "complete": True}}]
        self.gate(2, says="no result at all")

    def test_a_torn_last_line(self):
        self.results.append(line(result("a_fp32_b1", duration_s=7))[:-20])
        self.gate(2, says=["results.jsonl:4: torn line", "run the suite again"])
        self.assertEqual(self.kinds(), ["NOT_WHOLE"])

    def test_lines_that_are_wrong(self):
        for wrong in (
            b'{"schema_version": 2, "outcome": "PASS", "duration_s": NaN}\n',
            line(result(measurements=[{"median_ns": -1}])),
            b"{}\n",
        ):
            self.results[3:] = [wrong]
            self.gate(1, says="results.jsonl:4: ")
            self.assertEqual(self.kinds(), ["NOT_WHOLE"])
        self.results[3:] = [line(result(schema_version=9))]
        self.gate(2, says=["schema version 9", "run the suite of this version into a new folder"])

    def test_a_run_that_was_cut_off(self):
        self.results = [result(case, launch={"suite_run": "one", "fingerprint": case}) for case in _CASES]
        self.gate(2, says="the suite's run one has no footer")
        # The run that went on with it makes it good.
        self.results.append(
            {"schema_version": 2, "suite_run": {"id": "two", "planned": "3", "done_before": "3", "complete": True}}
        )
        self.gate(0)

    def test_another_suites_file(self):
        self.copy("google_benchmark.json")
        self.gate(2, files=["google_benchmark.json"], says="google_benchmark; want this suite's records")

    def test_a_folder_of_a_suite(self):
        os.mkdir(self.path("out"))
        self.write("out/results.jsonl", *self.results)
        self.gate(0, files=["out"])

    def test_a_database(self):
        self.write("results.jsonl", *self.results)
        for samples, code, says in (("yes", 0, "3 passed"), ("no", 2, "records without their flags")):
            results.main(
                ["import", "results.jsonl", "--samples=" + samples, "--database=%s.sqlite" % samples],
                {"BUILD_WORKING_DIRECTORY": self.folder},
                io.StringIO(),
                io.StringIO(),
            )
            self.gate(code, files=[samples + ".sqlite"], says=says)

    def test_exact_counters(self):
        for counter in (
            "parameter_bytes=1183872",
            "compared=32",
            "max_limit=0.0001",
            "forward.flops=589824",
            "reference=290af58f04fd58a1",
        ):
            self.assertIn(counter, self.read("e.tsv"))
        # A limit that was loosened, a model that lost a parameter, a comparison of fewer elements.
        output = dict(record()["verdict"]["outputs"][0])
        for fields, says in (
            ({"memory__parameter_bytes": "1183868"}, "parameter_bytes is 1183868, expected 1183872"),
            ({"verdict__outputs": [{**output, "max_limit": 0.5}]}, "max_limit is 0.5, expected 0.0001"),
            ({"verdict__outputs": [{**output, "elements_compared": "1"}]}, "compared is 1, expected 32"),
            ({"measurements": []}, "forward.flops is absent, expected 589824"),
            (
                {
                    "measurements": [
                        {"mode": m, "step": "forward", "flops_per_call": f} for m, f in (("wall", 589824), ("hot", 2))
                    ]
                },
                "forward.flops is 589824.0|2.0, expected 589824",
            ),
        ):
            self.results[0] = result(**fields)
            self.gate(1, says=["a_fp32_b1 CPU: " + says, "if that is right: tools/bazel run //tools:gate -- --update"])
            self.assertEqual(self.kinds(), ["COUNTER"])

    def test_one_operator_more_in_a_call(self):
        with_operators = lambda number: result(measurements=[{"mode": "wall", "step": "forward", "operators_per_call": number}])
        self.results[0] = with_operators(7)
        self.gate(0, "--update", says="forward.operators absent -> 7")
        self.results[0] = with_operators(8)
        self.gate(1, says="a_fp32_b1 CPU: forward.operators is 8, expected 7")

    def test_a_counter_that_was_asked_for(self):
        self.gate(
            0, "--update", "--counters=forward.allocations", says="~ a_fp32_b1 CPU: forward.allocations absent -> 4"
        )
        self.gate(0, "--update")  # which keeps it
        self.results[0] = result(memory__steps=[{"step": "forward", "allocations": "5"}])
        self.gate(1, says="forward.allocations is 5, expected 4")
        self.results[0] = result()
        self.gate(0, "--update", "--counters=outputs")
        output = dict(record()["verdict"]["outputs"][0])
        output["rms_error"] *= 1 + 1e-15
        self.results[1] = result("a_fp32_b8", verdict__outputs=[output])
        self.gate(1, says="a_fp32_b8 CPU: outputs is ")
        for name in ("forward.median_ns", "flops", "forward.compared"):
            self.gate(3, "--update", "--counters=" + name, says="--counters=%s: there are" % name)

    def test_two_suites_with_one_name(self):
        self.results[0] = result(configuration={"digest": "a" * 64})
        self.gate(0, "--update")
        self.results.append(result(configuration={"digest": "b" * 64}, duration_s=5))
        self.gate(
            1, says="a_fp32_b1 CPU: configuration is bbbbbbbbbbbbbbbb, expected aaaaaaaaaaaaaaaa (results.jsonl:4)"
        )

    def test_flags_that_can_change_a_number_make_another_key(self):
        self.results[0]["flags"] = ["--device=cpu", "--modes=wall", "--record", "x.jsonl"]
        self.gate(0)
        self.results[0]["flags"] = ["--memory-format", "channels_last"]
        self.gate(1, says="a_fp32_b1 CPU --memory-format=channels_last: a result that no row expects")
        self.assertEqual(self.kinds(), ["MISSING", "UNEXPECTED"])
        self.edit("e.toml", 'devices = ["CPU"]', 'devices = ["CPU"]\nflags = ["--memory-format=channels_last"]')
        self.gate(1, "--format=csv", says="VANISHED,1,a_bf16_b1,CPU,,")


class Elsewhere(GateTest):
    """A result of another GPU, driver, LibTorch or commit does not count, be it ever so green."""

    def setUp(self):
        super().setUp()
        self.edit("e.toml", '["CPU"]', '["CUDA"]')
        self.here = {"device": "CUDA", "environment__gpu_name": "H100", "environment__gpu_driver": "580.1"}
        self.results = [result(case, **self.here) for case in _CASES]
        self.gate(0, "--update")

    def test_another_device(self):
        for name, other in (
            ("gpu_name", "H200"),
            ("gpu_driver", "580.2"),
            ("torch_version", "2.10.0"),
            ("gpu_name", ""),
        ):
            before = self.results[0]["environment"][name]
            self.results[0]["environment"][name] = other
            says = "a_fp32_b1 CUDA: results.jsonl:1 does not count: %s is %s, not %s" % (name, other or "none", before)
            self.gate(2, says=[says, "run it on that machine; if this one is right, write %s = " % name])
            self.assertEqual(self.kinds(), ["ELSEWHERE"])
            self.results[0]["environment"][name] = before

    def test_no_device_is_called_so(self):
        self.results[0] = result(_CASES[0], device="CUDA", outcome="NO_DEVICE", error="no GPU")
        self.gate(2, says="a_fp32_b1 CUDA: NO_DEVICE, expected PASS (results.jsonl:1): ")
        self.assertEqual(self.kinds(), ["FAILED"])

    def test_a_failure_on_one_of_two_machines(self):
        self.results.insert(0, result(_CASES[0], outcome="CRASH", **{**self.here, "environment__kernel": "other"}))
        self.gate(1, says="a_fp32_b1 CUDA: CRASH, expected PASS (results.jsonl:1)")
        self.assertEqual(self.kinds(), ["FAILED"])

    def test_one_of_several_drivers(self):
        self.edit("e.toml", '"580.1"', '["580.1", "580.2"]')
        self.results[0]["environment"]["gpu_driver"] = "580.2"
        self.gate(0)

    def test_another_commit(self):
        commit = self.results[0]["environment"]["git_commit"]
        self.gate(0, "--commit=" + commit)
        self.gate(0, "--commit=" + commit[:8])
        self.results[0]["environment"]["git_dirty"] = True
        self.gate(2, "--commit=" + commit, says="it is of commit %s+, not %s" % (commit, commit))
        self.gate(2, "--commit=" + 40 * "0", says="it is of commit " + commit)
        self.gate(2, says="the results are of 2 commits: %s, %s+" % (commit, commit))

    def test_a_file_that_does_not_say_which_device(self):
        self.edit("e.toml", 'gpu_driver = "580.1"\n', "")
        self.gate(3, says="e.toml: [environment.CUDA] does not say gpu_driver")


class Waivers(GateTest):
    def waive(self, text, **changes):
        waiver = _WAIVER + text
        for name, value in changes.items():
            waiver = re.sub("(?m)^%s = .*\n" % name, "%s = %s\n" % (name, value) if value else "", waiver)
        self.lay("e.toml", "most_flaky = 1\n" + _TOML + waiver)

    def test_a_known_failure(self):
        self.results[1] = result("a_fp32_b8", outcome="FAIL_ACCURACY")
        self.gate(
            1,
            "--update",
            says=["nothing was written", "a_fp32_b8 CPU: FAIL_ACCURACY (results.jsonl:2); write a waiver"],
        )
        self.waive('outcome = "FAIL_ACCURACY"\n')
        self.gate(0, "--update", says="~ a_fp32_b8 CPU: PASS -> FAIL_ACCURACY")
        self.assertIn("2 passed, 1 waived", self.gate(0))
        self.results[1] = result("a_fp32_b8", outcome="CRASH")
        self.gate(1, says="CRASH, expected FAIL_ACCURACY")
        self.results[1] = result("a_fp32_b8", outcome="FAIL_ACCURACY")
        self.lay("e.toml", _TOML)
        self.gate(1, says="expected to be FAIL_ACCURACY, which no waiver explains")
        self.assertEqual(self.kinds(), ["NOT_WAIVED"])

    def test_a_waiver_alone_is_enough_for_a_known_failure(self):
        """As docs/gate.md writes it, without --update."""
        self.results[1] = result("a_fp32_b8", outcome="FAIL_ACCURACY")
        self.waive('outcome = "FAIL_ACCURACY"\n')
        self.assertIn("2 passed, 1 waived", self.gate(0))
        self.results[1] = result("a_fp32_b8", outcome="CRASH")
        self.gate(1, says="a_fp32_b8 CPU: CRASH, expected FAIL_ACCURACY, as its waiver has it in e.toml:15 (results.jsonl:2)")
        self.assertEqual(self.kinds(), ["FAILED"])
        self.results[1] = result("a_fp32_b8")
        self.gate(1, says=["e.toml:15: waiver of a_fp32_b8, owner ann: no result needed it", "take it out"])
        self.assertEqual(self.kinds(), ["UNUSED"])

    def test_a_flaky_case(self):
        self.results[1] = result("a_fp32_b8", outcome="CRASH")
        self.gate(1)
        self.waive('flaky = ["CRASH"]\n')
        self.assertIn("2 passed, 1 waived", self.gate(0))
        self.results[1] = result("a_fp32_b8")
        self.gate(0)  # a flaky case that passes is as expected
        self.results[1] = result("a_fp32_b8", outcome="FAIL_ACCURACY")
        self.gate(1)
        self.results[1] = result("a_fp32_b8")
        for said in ("most_flaky = 0", ""):
            self.waive('flaky = ["CRASH"]\n')
            self.edit("e.toml", "most_flaky = 1", said)
            self.gate(1, says="1 cases are waived as flaky, most_flaky is 0")
        self.assertEqual(self.kinds(), ["TOO_MANY_FLAKY"])

    def test_a_waiver_of_a_case_without_a_result_is_not_judged(self):
        self.waive('flaky = ["CRASH"]\n')
        del self.results[1]
        self.gate(2, says="a_fp32_b8 CPU: no result")
        self.assertEqual(self.kinds(), ["MISSING"])

    def test_update_keeps_the_row_of_a_flaky_case(self):
        before = self.read("e.tsv")
        self.waive('flaky = ["CRASH"]\n')
        self.results[1] = result("a_fp32_b8", outcome="CRASH")
        self.gate(0, "--update", says="e.tsv: 3 rows, 0 changes\n")
        self.assertEqual(self.read("e.tsv"), before)
        row = re.search("^a_fp32_b8\t.*\n", before, re.M)[0]
        self.assertRegex(row, "\tPASS\t.*=")
        self.lay("e.tsv", before.replace(row, ""))
        self.gate(0, "--update", says="+ a_fp32_b8 CPU PASS")
        self.assertIn("a_fp32_b8\tCPU\t-\tPASS\t\n", self.read("e.tsv"))

    def test_runs_of_one_build_that_differ(self):
        """A failure is not made good by a second try, but by another build, and what the machine did by a second try."""
        build = {"launch": {"fingerprint": "f1"}}
        self.results.append(result("a_fp32_b8", **build))
        self.results[1] = result("a_fp32_b8", outcome="CRASH", started_utc="2026-11-22T20:00:00+00:00", **build)
        self.gate(
            1,
            says="a_fp32_b8 CPU: runs of one build ended differently: CRASH (results.jsonl:2), PASS (results.jsonl:4)",
        )
        self.assertEqual(self.kinds(), ["FLAKY"])
        self.results[3] = result("a_fp32_b8", launch={"fingerprint": "f2"})
        self.gate(0)
        self.results[1] = result("a_fp32_b8", outcome="TIMEOUT", started_utc="2026-11-22T20:00:00+00:00", **build)
        self.results[3] = result("a_fp32_b8", **build)
        self.gate(0)

    def test_expired(self):
        self.results[1] = result("a_fp32_b8", outcome="CRASH")
        self.waive('flaky = ["CRASH"]\n', expires="2026-01-31")
        self.gate(0)
        self.waive('flaky = ["CRASH"]\n', expires="2026-01-30")
        self.gate(1, says=["e.toml:15: waiver of a_fp32_b8, owner ann: expired on 2026-01-30", "https://example.org/1"])
        self.assertEqual(self.kinds(), ["EXPIRED"])
        self.waive('flaky = ["CRASH"]\n', expires="2026-05-01")
        self.gate(0)
        self.waive('flaky = ["CRASH"]\n', expires="2026-05-02")
        self.gate(1, says="more than 90 days ahead")

    def test_unused(self):
        self.waive('outcome = "CRASH"\n')
        self.gate(1, says=["e.toml:15: waiver of a_fp32_b8, owner ann: no result needed it", "take it out"])
        self.assertEqual(self.kinds(), ["UNUSED"])
        self.waive('flaky = ["CRASH"]\n', case='"gone.*"')
        self.gate(1)
        self.assertEqual(self.kinds(), ["UNUSED"])

    def test_overlapping(self):
        self.waive('flaky = ["CRASH"]\n' + _WAIVER.replace("a_fp32_b8", "a_.*_b8") + 'flaky = ["CRASH"]\n')
        self.gate(1, says="waived in lines 15 and 23 of e.toml")

    def test_malformed(self):
        flaky = 'flaky = ["CRASH"]\n'
        for changes, says in (
            ({"owner": ""}, "e.toml:15: Object missing required field `owner`"),
            ({"owner": '" "'}, "e.toml:15: "),
            ({"link": '"see mail"'}, "e.toml:15: "),
            ({"expires": "2026-02-30"}, "a date is a day of the calendar"),
            ({"expires": '"soon"'}, "e.toml:15: "),
            ({"case": '"a_("'}, "e.toml:15: waiver: 'a_(' is no regular expression"),
            ({"device": ""}, ""),
        ):
            self.waive(flaky, **changes)
            self.gate(3 if says else 0, says=says)
        for text, says in (
            ("", "one of `outcome`, of a known failure, `flaky`"),
            (flaky + 'outcome = "CRASH"\n', "one of `outcome`"),
            (
                'outcome = "FAIL_ACURACY"\n',
                "'FAIL_ACURACY' is no outcome that can be waived; one of ARTIFACT_UNAVAILABLE, CRASH",
            ),
            ('flaky = ["PASS"]\n', "'PASS' is no outcome that can be waived"),
            (flaky + "until = 3\n", "unknown field `until`"),
        ):
            self.waive(text)
            self.gate(3, says=says)


class Files(GateTest):
    def test_tables_that_are_wrong(self):
        good = self.read("e.tsv")
        rows = good.splitlines(True)
        for text, says in (
            (good + rows[-1], "e.tsv:6: a_fp32_b8 CPU is in line 5, too; remove one"),
            (good + "a\tCPU\tPASS\n", "e.tsv:6: 3 cells between tabs"),
            (good + "a\tTPU\t-\tPASS\t\n", "e.tsv:6: 'a' on 'TPU'"),
            (good + "a\tCPU\t-\tPASSED\t\n", "e.tsv:6: outcome 'PASSED'; one of"),
            (good + "a\tCPU\t-\tPASS\tflops\n", "e.tsv:6: counter 'flops'; want NAME=VALUE"),
            (good + "a\tCPU\t-\tPASS\tflops=\n", "e.tsv:6: counter 'flops='; want NAME=VALUE"),
            (good + "a\tCPU\t-\tPASS\t=5\n", "e.tsv:6: counter '=5'; want NAME=VALUE"),
            (good + "a\tCPU\t-\tPASS\ta=5 a=6\n", "e.tsv:6: counter 'a=6'; want NAME=VALUE, each name once"),
            (good + "a\tCPU\t-\tPASS\twall.median_ns=5\n", "is a time; times are gated by tools:compare"),
            ("<<<<<<< ours\n" + good, "e.tsv:1: the first line is not case device flags"),
        ):
            self.lay("e.tsv", text)
            self.gate(3, says=says)

    def test_flags_are_one_text_however_they_are_written(self):
        for words, want in (
            ("--b=2 --a=1", "--a=1 --b=2"),
            ("-a 1 --b 2", "--a=1 --b=2"),
            ("--max_b=2 a", "--max-b=2=a"),
            ("a --b", "--a --b"),
            ("", ""),
        ):
            self.assertEqual(expectations.flags_text(words.split()), want)

    def test_scopes_that_are_wrong(self):
        for old, new, says in (
            ('"a_.*"', '"zzz"', "e.toml: [scope] cases: zzz matches no case of the registry"),
            ("[scope]", "[scope]\nexclude = ['a_.*']", "e.toml: [scope] chooses no case of the registry"),
            ('"a_.*"', '"a_.*", "a_fp23_b1"', "[scope] cases: a_fp23_b1 matches no case of the registry; the nearest name is a_fp32_b1"),
            ("[scope]", "[scope]\ntags = ['larger']", "e.toml: [scope] tags: larger matches no case of the registry"),
            ('["a_.*"]', "[]", "e.toml: Expected `array` of length >= 1"),
            ('"CPU"', '"TPU"', "e.toml: Invalid enum value 'TPU'"),
            ("[environment.CPU]", "[environment.GPU]", "[environment.GPU]: no device; one of CPU, CUDA"),
            ("torch_version", "libtorch", "[environment.CPU]: unknown libtorch; there are gpu_name"),
            ("[scope]", "[scope", "e.toml: not TOML"),
            ("[scope]", "[scope]\nsteps = 1", "e.toml: Object contains unknown field `steps`"),
            ("[scope]", "most_flakey = 1\n[scope]", "e.toml: Object contains unknown field `most_flakey`"),
            ("[scope]", "waiver = [{case = 'a'}]\n[scope]", "e.toml:0: Object missing required field `owner`"),
        ):
            self.lay("e.toml", _TOML.replace(old, new, 1))
            self.gate(3, says=says)
        for text in ("x = " + 9999 * "[", "\ufeff" + _TOML, _TOML + _TOML, ""):
            self.lay("e.toml", text)
            self.gate(3, says="e.toml: ")
        os.unlink(self.path("e.toml"))
        self.gate(2, says="e.toml: No such file")

    def test_words_that_are_wrong(self):
        self.assertEqual(self.run_gate()[0], 3)
        self.assertEqual(self.run_gate("results.jsonl", "--today=tomorrow")[0], 3)
        self.assertEqual(self.run_gate("results.jsonl", "--summ=s.md")[0], 3)  # no abbreviation
        out = io.StringIO()
        code = program.main(["results.jsonl"], {"BUILD_WORKING_DIRECTORY": self.folder}, out, out)
        self.assertEqual((code, "the following arguments are required: --expected" in out.getvalue()), (3, True))
        self.assertEqual(self.run_gate("results.jsonl", "--expected=e.tsv")[0], 3)
        # A variable that is not set makes these.
        for words in (
            ["--commit="],
            ["--commit=HEAD"],
            ["--summary="],
            ["--junit="],
            ["--compared="],
            [""],
            ["--counters=outputs"],
        ):
            self.assertEqual(self.run_gate("results.jsonl", *words)[0], 3, words)
        code, _, err = self.run_gate("results.jsonl", "--registry=nowhere.json")
        self.assertEqual((code, "nowhere.json: No such file" in err), (2, True))
        for text in ("", "[1]", '{"cases": [{"benchmark_case": {}}]}', 99999 * "["):
            self.lay("registry.json", text)
            code, _, err = self.run_gate("results.jsonl")
            self.assertEqual((code, "registry.json: no registry" in err), (2, True), err[:200])

    def test_a_plan_for_the_suite(self):
        self.edit("e.toml", 'devices = ["CPU"]', 'devices = ["CPU"]\nflags = ["", "--threads=1"]\nexclude = [".*_b8"]')
        code, out, _ = self.run_gate("--plan")
        want = "--device=cpu --only=a_bf16_b1 --only=a_fp32_b1\n--device=cpu --threads=1 --only=a_bf16_b1 --only=a_fp32_b1\n"
        self.assertEqual((code, out), (0, want))
        self.assertEqual(self.run_gate("--plan", "results.jsonl")[0], 3)

    def test_tags_of_a_scope(self):
        for fields, names in (
            ('tags = ["bf16", "b8"]', "a_bf16_b1 a_fp32_b8"),
            ('exclude_tags = ["b8"]', "a_bf16_b1 a_fp32_b1"),
        ):
            self.lay("e.toml", _TOML.replace('cases = ["a_.*"]', 'cases = ["a_.*"]\n' + fields))
            self.assertEqual(self.run_gate("--plan")[1].split()[1:], ["--only=" + name for name in names.split()])

    def test_update_writes_what_it_reads(self):
        before = self.read("e.tsv")
        self.gate(0, "--update")
        self.assertEqual(self.read("e.tsv"), before)
        self.registry(*_CASES, "a_new")  # which has no result yet
        self.gate(1, "--update", says=["a_new CPU: the scope chooses it, and no row", "e.tsv: 3 rows, 0 changes\n"])
        self.registry(*_CASES[1:], "a_new")
        self.results = [result("a_new")]
        self.gate(2, "--update", says=["- a_fp32_b1 CPU PASS", "+ a_new CPU PASS", "a_bf16_b1 CPU: no result", "e.tsv: 3 rows, 2 changes\n"])
        self.assertEqual(re.findall("^a_[^\t]*", self.read("e.tsv"), re.M), ["a_bf16_b1", "a_fp32_b8", "a_new"])

    def test_a_case_without_a_row_says_how_it_ended(self):
        self.registry(*_CASES, "a_new")
        self.gate(1, says="a_new CPU: the scope chooses it, and no row says what is expected; it has no result yet")
        self.results.append(result("a_new", outcome="CRASH"))
        self.gate(1, says="a_new CPU: the scope chooses it, and no row says what is expected; it ended as CRASH (results.jsonl:4)")
        self.results[3]["environment"]["torch_version"] = "0"
        self.gate(1, says="a_new CPU: the scope chooses it, and no row says what is expected; it ended as CRASH (results.jsonl:4)")

    def test_update_of_files_that_are_not_whole_writes_nothing(self):
        before = self.read("e.tsv")
        self.results.append(b'{"schema_version"')
        self.gate(2, "--update", says="nothing was written")
        self.assertEqual(self.read("e.tsv"), before)


def _comparison(verdict="SAME", **fields):
    series = [
        {
            "case": "a",
            "mode": "wall",
            "verdict": verdict,
            "reason": "",
            "unverified": "",
            "estimate": {"ratio": 1.03, "interval": [1.02, None]},
        }
    ]
    return {
        "schema_version": 1,
        "same_sides": False,
        "recorded_runs": False,
        "injected": "",
        "interrupted": False,
        "lost": [],
        "cases": [{"name": "a", "lost": [], "failure": None}],
        "series": series,
        **fields,
    }


class Comparisons(GateTest):
    def test_decisions(self):
        failed = [{"name": "a", "failure": {"side": "candidate", "outcome": "CRASH", "message": "x"}}]
        for made, code, says in (
            (_comparison(), 0, ""),
            (_comparison("FASTER"), 0, ""),
            (_comparison("SLOWER"), 1, "c.json: a/wall: the candidate is slower, ratio 1.0300"),
            (_comparison("INCONCLUSIVE"), 2, "a/wall is INCONCLUSIVE: the interval of its ratio, +2.00 % .. open, is too wide to decide"),
            (_comparison("INCONCLUSIVE"), 2, "measure again with the command that wrote c.json"),
            (_comparison("INCONCLUSIVE", command="tools/bazel run x -- --aa"), 2, "more --pairs: tools/bazel run x -- --aa\n"),
            (_comparison(series=[]), 2, "nothing was compared"),
            (_comparison(same_sides=True), 2, "compares the baseline with itself"),
            (_comparison(recorded_runs=True), 2, "runs that are over"),
            (_comparison(injected="3%"), 2, "a delay was injected"),
            (_comparison(lost=["line 7"]), 2, "the candidate lost something: line 7"),
            (_comparison(cases=failed), 1, "a, candidate: CRASH x"),
            (_comparison(schema_version=2), 2, "schema version 2"),
            ([], 2, "no result of //tools:compare"),
            ({}, 2, "no result of //tools:compare"),
        ):
            self.lay("c.json", json.dumps(made))
            self.gate(code, "--compared=c.json", says=says)

    def test_a_comment_for_a_pull_request(self):
        self.lay("c.json", json.dumps(_comparison("SLOWER")))
        self.gate(1, "--compared=c.json", "--comment=m.md", "--page=https://e.org/run/1")
        text = self.read("m.md")
        self.assertTrue(text.startswith("<!-- assay -->\n## Assay: red\n"), text)
        self.assertIn("| a | wall | +3.00 % | +2.00 % .. open |  |", text)
        self.assertIn("[page](<https://e.org/run/1>)", text)
        self.assertNotIn("### Wrong", text)  # the one finding is the row that is slower

        # Times of a shared machine are shown and not judged, and a file that is none costs no more than a line.
        self.gate(0, "--shown=c.json", "--comment=m.md")
        self.assertIn("## Assay: green\n", self.read("m.md"))
        self.assertIn("### Slower: 1\n", self.read("m.md"))
        self.assertIn("The times of c.json are not judged", self.read("m.md"))
        self.gate(0, "--shown=nowhere.json", "--comment=m.md")
        self.assertIn("nowhere.json: no result of //tools:compare", self.read("m.md"))
        self.results = self.results[1:]
        self.gate(2, "--comment=m.md")
        self.assertIn("| MISSING | a\\_fp32\\_b1 CPU: no result".replace("\\_", "&#95;"), self.read("m.md"))
        for words in (["--page=x"], ["--shown=c.json"], ["--comment="]):
            self.assertEqual(self.run_gate("results.jsonl", *words)[0], 3, words)

    def test_a_waiver_lets_a_case_be_slower(self):
        self.lay("c.json", json.dumps(_comparison("SLOWER")))
        self.gate(
            1,
            "--compared=c.json",
            says="if it is to be slower: a [[waiver]] in e.toml with case = 'a', slower = ['wall'], device = 'CPU', owner,",
        )
        waiver = _WAIVER.replace("a_fp32_b8", "a") + 'slower = ["wall"]\ndevice = "CPU"\n'
        self.lay("e.toml", _TOML + waiver)
        self.gate(0, "--compared=c.json", "--summary=s.md")
        self.assertIn("| a | slower: wall | ann |", self.read("s.md"))
        self.gate(0)  # without a comparison nobody knows whether it is needed
        for words in (('"CPU"', '"CUDA"'), ('"wall"', '"cold"'), ('case = "a"', 'case = "b"')):
            self.lay("e.toml", _TOML + waiver.replace(*words))
            self.gate(1, "--compared=c.json")
            self.assertEqual(self.kinds(), ["SLOWER"])
        self.lay("e.toml", _TOML + waiver)
        self.lay("c.json", json.dumps(_comparison()))
        self.gate(1, "--compared=c.json", says="e.toml:14: waiver of a, owner ann: no comparison found it slower")
        self.assertEqual(self.kinds(), ["UNUSED"])

    def test_a_waiver_of_a_time_is_none_of_an_outcome(self):
        self.results[1] = result("a_fp32_b8", outcome="CRASH")
        self.lay("e.toml", _TOML + _WAIVER + 'slower = ["wall"]\n' + _WAIVER + 'outcome = "CRASH"\n')
        self.gate(0)


class Outputs(GateTest):
    def setUp(self):
        super().setUp()
        self.hostile = "<script>alert(1)</script>|`\"'\x1b[2J\n::error::\u202e https://me:secret@host/ " + "x" * 10000
        self.results[0] = result(outcome="CRASH", error=self.hostile, verdict={})
        self.results += [result(self.hostile, duration_s=9)]

    def test_summary(self):
        self.lay("s.md", "before\n")
        self.gate(1, "--summary=s.md", "--junit=j.xml")
        text = self.read("s.md")
        self.assertTrue(text.startswith("before\n## Gate: red\n"))
        self.assertNotIn("<script>", text)
        for harmful in ("\x1b", "\u202e", "secret"):
            self.assertFalse(harmful in text + self.out + self.read("j.xml"), repr(harmful))
        for row in re.findall(r"^\|.*", text, re.M):
            self.assertEqual(row.count("|"), 4, row[:200])
        tests = ElementTree.parse(self.path("j.xml")).getroot()
        self.assertEqual((tests.get("tests"), tests.get("failures"), tests.get("errors")), ("4", "2", "0"))
        self.assertEqual([t.get("name") for t in tests.iter("testcase") if len(t) == 0], ["a_bf16_b1", "a_fp32_b8"])
        self.gate(2, "--junit=/nowhere/j.xml")

    def test_annotations(self):
        self.gate(1, "--annotations=github", "--format=json")
        found = json.loads(self.out)
        self.assertEqual([f["kind"] for f in found], ["UNEXPECTED", "FAILED"])
        lines = self.err.splitlines()
        self.assertEqual(len(lines), 2, lines)
        self.assertTrue(all(line.startswith("::error file=e.tsv,") for line in lines))
        judgement = judging.Judgement()
        for i in range(30):
            judgement.add("MISSING", "case %d" % i, "run it")
        lines = list(outputs.github(judgement))
        self.assertEqual(
            (len(lines), lines[-1].split("::")[-1]), (10, "and 21 more findings, in the step's output and summary")
        )


class Help(unittest.TestCase):
    def said(self, word):
        with mock.patch("sys.stdout", io.StringIO()) as out, self.assertRaises(SystemExit):
            program.parse([word])
        return out.getvalue()

    def test_short_help_fits_on_a_screen_and_names_flags_that_exist(self):
        short, whole = self.said("--help"), self.said("--help=all")
        self.assertLessEqual(len(short.splitlines()), 25)
        self.assertLessEqual(max(map(len, short.splitlines())), 125)
        flags = re.findall(r"^  (--[a-z-]+)", short, re.M)
        self.assertGreater(len(flags), 7)
        for flag in flags:
            self.assertIn(flag, whole)
        self.assertIn("--counters", whole)
        self.assertNotIn("--counters", short)


class Tables(unittest.TestCase):
    def test_each_finding_and_counter_is_in_the_document(self):
        with open("docs/gate.md", encoding="utf-8") as f:
            text = f.read()
        listed = {
            name: row
            for row in re.findall(r"^\| `[A-Z_].*", text, re.M)
            for name in re.findall("`([A-Z_]+)`", row.split("|")[1])
        }
        self.assertEqual(set(listed), set(judging.KINDS))
        for kind, (code, _) in judging.KINDS.items():
            self.assertEqual(listed[kind].split("|")[2].strip()[0], str(code), kind)
        counters = set(re.findall(r"`(?:STEP\.)?(\w+)`", " ".join(re.findall(r"^\| `[a-zS].*", text, re.M))))
        self.assertLessEqual({*runs.OF_RUN, *runs.OF_STEP}, counters)

    def test_outcomes_of_the_surroundings_are_those_of_exit_code_2(self):
        with open("docs/data/outcomes.md", encoding="utf-8") as f:
            rows = re.findall(r"^\| ([A-Z_, ]+) \| ([012]) \|", f.read(), re.M)
        codes = {outcome: code for outcomes, code in rows for outcome in outcomes.split(", ")}
        self.assertEqual(set(codes), records.OUTCOMES)
        self.assertEqual({o for o, code in codes.items() if code == "2"}, judging.SURROUNDING_OUTCOMES)
        self.assertLessEqual(set(expectations.GOOD), {o for o, code in codes.items() if code == "0"})


if __name__ == "__main__":
    unittest.main()
