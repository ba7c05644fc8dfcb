"""Other suites' lists of expected accuracies, in their two forms, against what was run."""

import io
import json
import unittest

from tools.gate import program
from tools.results.test_files import ProgramTest, record

_BETWEEN = "\n\n\n\n"  # as the lists are stored


class ListsTest(ProgramTest):
    def lay(self, name, *lines):
        self.write(name, _BETWEEN.join(lines).encode() + b"\n")

    def gate(self, code, name, *words):
        out, err = io.StringIO(), io.StringIO()
        words = ["--expected=" + name, *words, "results.sqlite"]
        self.assertEqual(
            program.main(words, {"BUILD_WORKING_DIRECTORY": self.folder}, out, err),
            code,
            out.getvalue() + err.getvalue(),
        )
        self.said = out.getvalue() + err.getvalue()
        return out.getvalue()

    def findings(self, code, name, *words):
        found = json.loads(self.gate(code, name, "--format=json", *words))
        return [(f["kind"], f["case"], f["flags"], f["line"]) for f in found]

    def setUp(self):
        super().setUp()
        self.lay(
            "inductor_huggingface_amp_bf16_training_cuda_accuracy.csv",
            "dev,name,batch_size,accuracy",
            "cuda,Albert,1,pass",
            "cuda,Bart,1,eager_2nd_run_OOM",
            "cuda,XLNet,1,fail_accuracy",
            "cuda,Deberta,1,pass",
        )
        self.lay(
            "inductor_huggingface_float32_inference_cuda_accuracy.csv",
            "dev,name,batch_size,accuracy",
            "cuda,Albert,1,fail_to_run",
        )
        # A run that was timed only says nothing of its outputs.
        self.lay(
            "inductor_huggingface_amp_bf16_training_cuda_performance.csv",
            "dev,name,batch_size,speedup,abs_latency",
            "cuda,Albert,1,1.5,2.5",
        )
        names = (
            "amp_bf16_training_cuda_accuracy float32_inference_cuda_accuracy amp_bf16_training_cuda_performance".split()
        )
        self.expect(0, "import", *("inductor_huggingface_%s.csv" % name for name in names))

    def test_pytorchs_list(self):
        self.lay(
            "inductor_huggingface_training.csv",
            "name,accuracy,graph_breaks",
            "Albert,pass,7",
            "Bart,OOM,4",
            "XLNet,pass,7",
            "Deberta,eager_fail_to_run,0",
            "M2M100,infra_error,0",
        )
        findings = self.findings(1, "inductor_huggingface_training.csv")
        which = "accuracy %s/amp_bf16/training/cuda/inductor"
        self.assertEqual(
            findings,
            [
                ("FAILED", "XLNet", which % "XLNet", 13),
                ("BETTER", "Deberta", which % "Deberta", 17),
                ("MISSING", "M2M100", "accuracy", 21),
            ],
        )
        self.gate(1, "inductor_huggingface_training.csv")
        self.assertIn(": fail_accuracy, expected pass (run of ", self.said)
        self.assertIn("1 passed, 1 known, 1 FAILED, 1 BETTER, 1 MISSING", self.said)
        self.gate(2, "inductor_huggingface_training.csv", "--where=model NOT IN ('XLNet', 'Deberta')")
        self.gate(3, "inductor_huggingface_training.csv", "--where=modl <> 'XLNet'")
        self.gate(2, "inductor_huggingface_training.csv", "--where=model = 'none'")
        self.assertIn("NOTHING  no verified run of that mode\n    import results first: ", self.said)

    def test_intels_list(self):
        self.lay("training.csv", "name,float32,bfloat16,amp_bf16", "Albert,pass,pass_due_to_skip,pass", "Bart,,,OOM")
        self.assertEqual(
            self.findings(2, "training.csv"),
            [("MISSING", "Albert", "float32", 5), ("MISSING", "Albert", "bfloat16", 5)],
        )
        self.lay("inference.csv", "name,float32", "Albert,fail_to_run")
        self.assertEqual(self.gate(0, "inference.csv"), "gate: green: 1 known\n")

    def test_the_last_run_counts_and_this_suites_own(self):
        passed, failed = (
            record(started_utc="2026-11-22T00:00:00Z"),
            record(outcome="FAIL_SHAPE", started_utc="2026-11-23T00:00:00Z"),
        )
        self.write("runs.jsonl", failed, passed)
        self.expect(0, "import", "runs.jsonl")
        self.lay("list.csv", "name,accuracy", "mlp,pass")
        self.assertEqual(self.findings(1, "list.csv"), [("FAILED", "mlp", "accuracy mlp_fp32_b1", 5)])

    def test_a_clock_that_was_ahead_hides_no_failure(self):
        """The last line of one file counts, however early its start. A line of another file does not."""
        passed, failed = (
            record(started_utc="2026-11-24T00:00:00Z"),
            record(outcome="FAIL_SHAPE", started_utc="2026-11-23T00:00:00Z"),
        )
        self.lay("list.csv", "name,accuracy", "mlp,pass")
        self.write("old.jsonl", {**failed, "duration_s": 7})
        self.expect(0, "import", "old.jsonl")
        self.write("runs.jsonl", passed)
        self.expect(0, "import", "runs.jsonl")
        self.assertEqual(self.findings(0, "list.csv"), [])
        self.write("runs.jsonl", passed, failed)
        self.expect(0, "import", "runs.jsonl")
        self.assertEqual(self.findings(1, "list.csv"), [("FAILED", "mlp", "accuracy mlp_fp32_b1", 5)])

    def test_a_check_that_says_other_work(self):
        self.lay("list.csv", "name,accuracy", "mlp,pass")
        steady, possible = ({"name": name, "status": "CHECK_FLAGGED"} for name in ("steady", "possible"))
        measurement = {"mode": "wall", "step": "forward", "median_ns": 5, "checks": [steady]}
        self.write("runs.jsonl", record(measurements=[measurement]))
        self.expect(0, "import", "runs.jsonl")
        self.assertEqual(self.findings(0, "list.csv"), [])
        two = [measurement, {**measurement, "checks": [steady, possible]}]
        self.write("more.jsonl", record(started_utc="2026-12-01T00:00:00Z", measurements=two))
        self.expect(0, "import", "more.jsonl")
        self.assertEqual(self.findings(1, "list.csv"), [("FAILED", "mlp", "accuracy mlp_fp32_b1", 5)])
        self.gate(1, "list.csv")
        self.assertIn("mlp CPU accuracy mlp_fp32_b1: check possible FLAGGED (run of 2026-12-01", self.said)

    def test_wrong_lists(self):
        self.lay("list.csv", "name,accuracy", "Albert,perhaps", "Bart", 'Bart,"OOM', "Bart,OOM")
        self.gate(1, "list.csv")
        self.assertIn("1 known", self.said)
        for place in (
            "list.csv:5: malformed: accuracy 'perhaps'",
            "list.csv:9: malformed: 1 cells",
            "list.csv:13: malformed: not CSV",
        ):
            self.assertIn(place, self.said)
        for lines in ((), ("a,b", "c,d"), ("name,speed", "a,b"), ("[" * 5000,)):
            self.lay("list.csv", *lines)
            self.gate(2, "list.csv")
            self.assertIn("list.csv: not a list of expected accuracies", self.said)
        self.lay("list.csv", "name,accuracy")
        self.gate(2, "list.csv")
        self.assertIn("list.csv: an empty list", self.said)
        self.gate(2, "nowhere.csv")
        self.assertIn("nowhere.csv: No such file", self.said)
        for words in (["--update"], ["--commit=0123456"], ["other.sqlite"]):
            self.gate(3, "list.csv", *words)


if __name__ == "__main__":
    unittest.main()
