"""//tools:results reads what this suite's own programs write: records, Google Benchmark's JSON, PARAM's lines. //tools:gate
holds a suite's results against ci/expected, and //tools:history has their series."""

import json
import os

from ci.check import ROOT, Check, program

_CASE = "//benchmarks/mlp:mlp_fp32_b1"


class Results(Check):
    def results(self, *arguments):
        return program("//tools:results", *arguments, "--database=" + os.path.join(self.scratch, "results.sqlite"))

    def path(self, name):
        return os.path.join(self.scratch, name)

    def test_own_files(self):
        """results: records, Google Benchmark's JSON and PARAM's lines of this tree's programs come in and can be asked for"""
        self.expect(program(_CASE, "--budget=0.05", "--record=" + self.path("runs.jsonl"), "--benchmark_out=" + self.path("table.json"),
                            "--benchmark_out_format=json"))
        self.expect(program("//benchmarks/operators:param", "-c", "simple_add.json", "-i", "3", "-w", "1", "-a", "-o", self.path("operators")))
        self.expect(self.results("import", self.path("runs.jsonl"), self.path("table.json"), self.path("operators.json")),
                    "runs.jsonl: assay, 1 new records", "table.json: google_benchmark, 2 new records", "operators.json: param, 1 new records")
        asked = self.expect(self.results("query", "select distinct case_name, mode from results order by 1, 2", "--format=json"))
        rows = [(row["case_name"], row["mode"]) for row in json.loads(asked.stdout)]
        for row in (("mlp_fp32_b1", "throughput"), ("mlp_fp32_b1", "wall"), ("torch.add/simple_add.json/0|0|0/256x256,256x256", "wall")):
            self.assertIn(row, rows)

    def test_exit_codes(self):
        """results: wrong words, a missing file and a torn line end with their own exit codes"""
        self.expect(self.results("query", "select from runs"), code=2)  # no database
        self.write(self.path("torn.jsonl"), '{"schema_version": 2, "outcome": "PASS", "duration_s": 1}\n{"schema_ver')
        self.expect(self.results("import", self.path("torn.jsonl")), "torn.jsonl:2: torn line", "1 new records", code=2)
        self.expect(self.results("query", "select from runs"), 'near "from"', "line 1, column 8", code=3)
        self.expect(self.results("import", self.path("nowhere.jsonl")), "no such file", code=2)
        self.expect(program("//tools:results", "exports"), code=3)


class Gate(Check):
    def test_quick_suite(self):
        """gate, history: the quick cases are as ci/expected/quick.tsv says, one without its result is not, and each has a series"""
        expected = os.path.join("ci", "expected", "quick.toml")
        rows = self.read(os.path.join(ROOT, "ci", "expected", "quick.tsv")).splitlines()[2:]
        folder = os.path.join(self.scratch, "quick")
        self.expect(["ci/gate_suite.sh", expected, folder], "gate: green: %d passed" % len(rows))
        lines = self.read(os.path.join(folder, "results.jsonl")).splitlines(True)
        one_less = self.write(os.path.join(self.scratch, "one_less.jsonl"), "".join(lines[1:]))
        case = json.loads(lines[0])["benchmark_case"]["name"]
        self.expect(program("//tools:gate", "--expected=" + expected, one_less), "MISSING  %s CPU: no result" % case, code=2)
        history = program("//tools:history", "--database=" + os.path.join(self.scratch, "results.sqlite"))
        self.expect([*history, "add", folder], "%d new records" % len(rows))
        shown = json.loads(self.expect([*history, "show", "--format=json"]).stdout)
        self.assertEqual({row.split("\t")[0] for row in rows}, {series["case_name"] for series in shown})
