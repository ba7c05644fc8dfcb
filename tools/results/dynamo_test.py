"""TorchDynamo's CSVs as people have them: with words in the place of numbers, joined by somebody, one without the other."""

import json
import unittest

from tools.results.formats import pytorch_hud, xla_jsonl
from tools.results.test_files import ProgramTest

ACCURACY = "inductor_torchbench_float32_inference_cuda_accuracy.csv"
PERFORMANCE = "inductor_torchbench_float32_inference_cuda_performance.csv"
HEAD = "dev,name,batch_size,speedup,abs_latency,compilation_latency,compression_ratio,eager_peak_mem,dynamo_peak_mem"
JOINED = "dev,name,batch_size,accuracy,speedup,abs_latency"
BARE = "dev,name,batch_size,accuracy"


class DynamoTest(ProgramTest):
    def imported(self, name, *lines, options=()):
        """[(model, outcome, error, median)] of a file."""
        self.write(name, "\n".join([*lines, ""]).encode())
        self.expect(0, "import", name, *options)
        found = self.query("select model, outcome, error, median_ns as ns from results order by id")
        return [(row["model"], row["outcome"], row["error"], row["ns"]) for row in found]

    def exported(self, form):
        self.expect(0, "export", "--format=" + form, "--output=again")
        return self.read("again").splitlines()

    def test_a_word_in_the_place_of_a_number_is_the_failure_of_that_model(self):
        rows = [
            "cuda,resnet18,16,1.4,6.0,14.2,1.0,0.5,0.5",
            "cuda,moco,32" + 6 * ",infra_error",
            "cuda,sam,1,timeout,0.0,0,0,0,0",
            "cuda,bert,0,OOM,0,0,0,0,0",
            "cuda,vgg,infra_error,0,0,0,0,0,0",
            "cuda,odd,1,1.0,fast,0,0,0,0",
            "cuda,good,1,1.0,3.0,infra_error,nan,inf,nan",
        ]
        want = [
            ("resnet18", "NOT_VERIFIED", None, 6e6),
            ("moco", "CRASH", "infra_error", None),
            ("sam", "TIMEOUT", "timeout", None),
            ("bert", "OUT_OF_MEMORY", "OOM", None),
            ("vgg", "CRASH", "infra_error", None),
            ("odd", "CRASH", "abs_latency is 'fast'", None),
            ("good", "NOT_VERIFIED", None, 3e6),
        ]
        self.assertEqual(self.imported(PERFORMANCE, HEAD, *rows), want)
        self.assertEqual(self.exported("dynamo_csv"), [HEAD, *rows])

    def test_a_worker_that_fails_behind_a_pass_is_no_pass(self):
        found = self.imported(ACCURACY, BARE, "cuda,a,32,pass", "cuda,a,32,worker_fail", "cuda,b,1,perhaps", "cuda,c,1,OOM")
        self.assertEqual([row[1:3] for row in found[:2]], [("PASS", None), ("CRASH", "worker_fail")])
        self.assertEqual([row[1:3] for row in found[2:]], [("CRASH", "accuracy is 'perhaps'"), ("OUT_OF_MEMORY", None)])

    def test_unknown_words_in_other_files_are_failures_too(self):
        row = {"model": {"model_name": "a"}, "experiment": {"test": "eval"}, "metrics": {"per_iter_time": [1.0]}}
        made = xla_jsonl.record([(1, {**row, "verification_code": "PERHAPS"})], {}, "")
        self.assertEqual((made["outcome"], made["error"]), ("CRASH", "verification_code 'PERHAPS' is none of pytorch/xla's"))
        entry = {"benchmark": {"name": "TorchInductor"}, "model": {"name": "a"}}
        for name, about in (("accuracy", {"extra_info": {"benchmark_values": ["bad"]}}), ("abs_latency", {"benchmark_values": ["bad"]})):
            made = pytorch_hud.record([(1, {**entry, "metric": {"name": name, **about}})], {}, "")
            self.assertEqual((made["outcome"], made["error"]), ("CRASH", "%s is 'bad'" % name))

    def test_a_joined_file_has_verdicts_and_times(self):
        rows = [
            "cuda,net_a,8,pass,1.5,4.0",
            "cuda,net_b,8,fail_accuracy,2.0,5.0",
            "cuda,skipped,8,pass_due_to_skip,0.0,0.0",
            "cuda,crashed,8,pass,0.0,0.0",
            "cuda,wrong,8,fail_accuracy,0.0,0.0",
            "cuda,only_verified,8,pass,,",
            "cuda,only_timed,8,,1.0,6.0",
        ]
        want = [
            ("net_a", "PASS", None, 4e6),
            ("net_b", "FAIL_ACCURACY", None, 5e6),
            ("skipped", "SKIPPED_DECLARED", None, None),
            ("crashed", "CRASH", "speedup and latency 0: the model did not run", None),
            ("wrong", "FAIL_ACCURACY", None, None),
            ("only_verified", "PASS", None, None),
            ("only_timed", "NOT_VERIFIED", None, 6e6),
        ]
        self.assertEqual(self.imported(PERFORMANCE, JOINED, *rows), want)
        self.assertIn("dynamo_csv, 7 new records", self.expect(0, "import", PERFORMANCE, "--database=other"))
        verdicts = self.exported("dynamo_accuracy_csv")
        self.assertEqual(verdicts[1:3], ["cuda,net_a,8,pass", "cuda,net_b,8,fail_accuracy"])
        self.expect(0, "import", PERFORMANCE, "--from=dynamo_accuracy_csv", "--database=third")
        self.assertIn("4000000", self.expect(0, "query", "select median_ns from results", "--database=third", "--format=csv"))

    def test_a_verdict_is_no_second_run_in_a_file_of_times(self):
        self.imported(ACCURACY, BARE, "cuda,net_a,8,pass", "cuda,net_c,8,fail_accuracy", "cuda,gone,8,fail_to_run", "cuda,other,8,OOM")
        times = [HEAD, "cuda,net_a,8,1.5,4.0,10.0,1.0,1.0,1.0", "cuda,net_c,8,9.0,1.0,10.0,1.0,1.0,1.0", "cuda,gone,8,0,0,0,0,0,0"]
        self.imported(PERFORMANCE, *times)
        self.assertEqual(self.exported("dynamo_csv"), [*times, "cuda,other,0,0.0,0.0,,,,"])
        want = [BARE, "cuda,net_a,8,pass", "cuda,net_c,8,fail_accuracy", "cuda,gone,8,fail_to_run", "cuda,other,8,OOM"]
        self.assertEqual(self.exported("dynamo_accuracy_csv"), want)

    def test_a_failed_comparison_without_a_time_is_no_model_that_did_not_run(self):
        self.imported(ACCURACY, BARE, "cuda,net_c,8,fail_accuracy", "cuda,crashed,8,fail_to_run")
        self.assertEqual(self.exported("dynamo_csv")[1:], ["cuda,crashed,0,0.0,0.0,,,,"])
        self.assertIn("runs that were not timed (left out)", self.err)

    def test_the_first_line_of_a_joined_file_is_known_at_once(self):
        self.write("x.csv", (JOINED + "\ncuda,a,8,pass,1.5,4.0\n").encode())
        self.assertIn("x.csv: dynamo_csv", self.expect(0, "import", "x.csv"))
        rows = json.loads(self.expect(0, "query", "select outcome, median_ns from results", "--format=json"))
        self.assertEqual(rows, [{"outcome": "PASS", "median_ns": 4e6}])


if __name__ == "__main__":
    unittest.main()
