"""expected: lists of expected accuracies, in their two forms, against what was run."""

import json
import unittest

from tools.results.test_files import ProgramTest, record

_BETWEEN = "\n\n\n\n"  # as the lists are stored


class ExpectedTest(ProgramTest):
    def lay(self, name, *lines):
        self.write(name, _BETWEEN.join(lines).encode() + b"\n")

    def expect_states(self, code, name, *words):
        rows = json.loads(self.expect(code, "expected", name, "--format=json", *words))
        return [(row["name"], row["dtype"], row["expected"], row["got"], row["state"]) for row in rows]

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
            "inductor_huggingface_float32_inference_cuda_accuracy.csv", "dev,name,batch_size,accuracy", "cuda,Albert,1,fail_to_run"
        )
        # A run that was timed only says nothing of its outputs.
        self.lay(
            "inductor_huggingface_amp_bf16_training_cuda_performance.csv",
            "dev,name,batch_size,speedup,abs_latency",
            "cuda,Albert,1,1.5,2.5",
        )
        names = "amp_bf16_training_cuda_accuracy float32_inference_cuda_accuracy amp_bf16_training_cuda_performance".split()
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
        states = self.expect_states(1, "inductor_huggingface_training.csv")
        self.assertEqual(
            states,
            [
                ("Albert", "accuracy", "pass", "pass", "as expected"),
                ("Bart", "accuracy", "OOM", "OOM", "as expected"),
                ("XLNet", "accuracy", "pass", "fail_accuracy", "worse"),
                ("Deberta", "accuracy", "eager_fail_to_run", "pass", "better"),
                ("M2M100", "accuracy", "infra_error", None, "not run"),
            ],
        )
        self.assertIn("2 as expected, 1 worse, 1 better, 1 not run", self.err)
        self.expect(2, "expected", "inductor_huggingface_training.csv", "--where=model <> 'XLNet'")
        self.expect(3, "expected", "inductor_huggingface_training.csv", "--where=modl <> 'XLNet'")

    def test_intels_list(self):
        self.lay("training.csv", "name,float32,bfloat16,amp_bf16", "Albert,pass,pass_due_to_skip,pass", "Bart,,,OOM")
        self.assertEqual(
            self.expect_states(2, "training.csv"),
            [
                ("Albert", "float32", "pass", None, "not run"),
                ("Albert", "bfloat16", "pass_due_to_skip", None, "not run"),
                ("Albert", "amp_bf16", "pass", "pass", "as expected"),
                ("Bart", "amp_bf16", "OOM", "OOM", "as expected"),
            ],
        )
        self.lay("inference.csv", "name,float32", "Albert,fail_to_run")
        self.assertEqual(self.expect_states(0, "inference.csv")[0][-1], "as expected")

    def test_the_last_run_counts_and_this_suites_own(self):
        passed, failed = record(started_utc="2026-11-22T00:00:00Z"), record(outcome="FAIL_SHAPE", started_utc="2026-11-23T00:00:00Z")
        self.write("runs.jsonl", failed, passed)
        self.expect(0, "import", "runs.jsonl")
        self.lay("list.csv", "name,accuracy", "mlp,pass")
        self.assertEqual(self.expect_states(1, "list.csv"), [("mlp", "accuracy", "pass", "fail_accuracy", "worse")])

    def test_wrong_lists(self):
        self.lay("list.csv", "name,accuracy", "Albert,perhaps", "Bart", 'Bart,"OOM', "Bart,OOM")
        self.expect(1, "expected", "list.csv")
        self.assertIn("Bart  accuracy  OOM       OOM  as expected", self.out)
        for place in ("list.csv:5: malformed: accuracy 'perhaps'", "list.csv:9: malformed: 1 cells", "list.csv:13: malformed: not CSV"):
            self.assertIn(place, self.err)
        for lines in ((), ("a,b", "c,d"), ("name,speed", "a,b"), ("[" * 5000,)):
            self.lay("list.csv", *lines)
            self.expect(2, "expected", "list.csv")
            self.assertIn("list.csv: not a list of expected accuracies", self.err)
        self.lay("list.csv", "name,accuracy")
        self.expect(2, "expected", "list.csv")
        self.expect(2, "expected", "nowhere.csv")
        self.assertIn("nowhere.csv: No such file", self.err)
        self.expect(3, "expected")


if __name__ == "__main__":
    unittest.main()
