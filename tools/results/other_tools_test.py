"""Files of tools that are no suites of PyTorch models: llama-bench, hyperfine, TorchBench's userbenchmarks, nvbench."""

import json
import unittest

from tools.results.test_files import ProgramTest


class OtherToolsTest(ProgramTest):
    def imported(self, name, form, columns, count):
        """Rows of the view results."""
        self.copy(name)
        self.assertIn("%s: %s, %d new records, 0 known, 0 footers, 0 refused" % (name, form, count), self.expect(0, "import", name))
        for other in ("assay", "csv", "xla_jsonl"):
            self.expect(0, "export", "--format=" + other, "--output=out")
            self.assertNotIn("left out: ", self.err)
        return [tuple(row.values()) for row in self.query("select %s from results order by id, measurement" % columns)]

    def test_llama_bench(self):
        rows = self.imported("llama_bench.json", "llama_bench", "case_name, step, median_ns, samples, units_per_call, unit, outcome", 4)
        model = "Qwen2.5-7B-Instruct-Q4_K_M"
        want = [
            (model + "/pp512", "prefill", 71745200.0, 3, 512.0, "token", "NOT_VERIFIED"),
            (model + "/tg128", "generate", 1075300000.0, 3, 128.0, "token", "NOT_VERIFIED"),
            (model + "/tg128/d4096/ctk=q8_0/fa=True", "generate", 1085300000.0, 3, 128.0, "token", "NOT_VERIFIED"),
            ("tiny-F16/pp64+tg16/ngl=0", "generate", 8e8, 1, 80.0, "token", "NOT_VERIFIED"),
        ]
        self.assertEqual(rows, want)
        rows = self.query("select device, gpu_name, cpu_model, threads, dtype, git_commit, started_utc from runs order by id")
        values = [tuple(row.values()) for row in rows]
        cpu, begun = "AMD Ryzen 7 7800X3D 8-Core Processor", "2025-04-24T1"
        self.assertEqual(values[0], ("CUDA", "NVIDIA GeForce RTX 4080", cpu, 8, None, "8cf427ff", begun + "1:58:50Z"))
        self.assertEqual(values[3], ("CPU", None, cpu, 8, "FP16", "8cf427ff", begun + "2:00:00Z"))

        found = json.loads(self.expect(0, "query", "tokens", "--format=json"))
        want = [("pp512", 7136), ("tg128", 119), ("tg128 d4096 ctk=q8_0 fa=True", 118), ("pp64+tg16 ngl=0", 100)]
        self.assertEqual([(row["test"], round(row["tokens_per_s"])) for row in found], want)

    def test_lines_of_llama_bench(self):
        self.assertEqual(len(self.imported("llama_bench.jsonl", "llama_bench", "case_name", 2)), 2)

    def test_llama_bench_of_2023_and_of_other_backends(self):
        row = {"model_type": "llama 7B mostly Q4_0", "n_prompt": 0, "n_gen": 4, "avg_ns": 5e8, "cpu_info": "x", "gpu_info": "G"}
        for more, want in (
            ({"cuda": True}, ("CUDA", "G", 5e8)),
            ({"vulkan": True}, ("vulkan", "G", 5e8)),
            ({"backends": "BLAS", "samples_ns": [1.0, 3.0]}, ("CPU", None, 2.0)),
            ({"backends": "Metal,BLAS", "avg_ns": 0}, ("metal", "G", None)),
        ):
            self.write("x.jsonl", json.dumps({**row, **more}).encode() + b"\n")
            self.expect(0, "import", "x.jsonl", "--database=%s" % len(str(more)))
            sql = "select device, gpu_name, median_ns from results"
            found = json.loads(self.expect(0, "query", sql, "--format=json", "--database=%s" % len(str(more))))
            self.assertEqual(tuple(found[0].values()), want)

    def test_hyperfine(self):
        rows = self.imported("hyperfine.json", "hyperfine", "case_name, median_ns, samples, cpu_ns, peak_host_bytes, outcome, error", 4)
        self.assertEqual(rows[0], ("sleep 0.1", 101100000.0, 3, 2000000.0, 1712128, "NOT_VERIFIED", None))
        self.assertEqual(rows[1][:3], ("build [threads=4]", 2.5e9, 0))
        self.assertEqual(rows[2][:3], ("build [threads=1]", 4.5e9, 1))
        self.assertEqual(rows[3][-2:], ("CRASH", "exit code 1 in 2 of 2 runs"))

    def test_torchbench(self):
        columns = "case_name, step, median_ns, outcome, error, dtype, batch, backend, peak_device_bytes"
        rows = {row[0]: row[1:] for row in self.imported("torchbench_metrics.json", "torchbench_json", columns, 6)}
        train = "llama/train/cuda/b8/--precision/fp16/--inductor"
        self.assertEqual(rows["llama/eval/cuda"], ("forward", 4.101454 * 1e6, "NOT_VERIFIED", None, None, None, "eager", 31 * 2**27))
        self.assertEqual(rows[train], ("train_step", 9.5e6, "PASS", None, "FP16", 8, "inductor", None))
        self.assertEqual(rows["sam/eval/cuda"][2], "OUT_OF_MEMORY")
        self.assertEqual(rows["dlrm/train/cuda"][2:4], ("SKIPPED_DECLARED", "not_implemented"))
        self.assertEqual(rows["moco/eval/cuda/b4"][2:4], ("FAIL_ACCURACY", "accuracy is 'fail_accuracy'"))
        self.assertEqual(rows["lost/eval/cuda/b4"][2:4], ("CRASH", "no latency"))
        (machine,) = self.query("select distinct gpu_name, torch_version, substr(git_commit, 1, 4) as git from runs")
        self.assertEqual(machine, {"gpu_name": "NVIDIA L40S", "torch_version": "2.3.1", "git": "2d9a"})

    def test_torchbench_on_a_cpu(self):
        columns = "case_name, median_ns, device, started_utc, peak_host_bytes"
        rows = self.imported("metrics-20230420004336.json", "torchbench_json", columns, 2)
        self.assertEqual(rows[0], ("alexnet/eval/cpu", 58309660.750000006, "CPU", "2023-04-20T00:43:36Z", 2**29))

    def test_nvbench(self):
        columns = "case_name, mode, median_ns, minimum_ns, units_per_call, outcome, error, device, gpu_name"
        rows = self.imported("nvbench.json", "nvbench", columns, 4)
        gpu = ("CUDA", "NVIDIA H200")
        self.assertEqual(rows[0], ("copy/T=I32/Elements=1048576", "cold", 2000.0, 1500.0, 1048576.0, "NOT_VERIFIED", None, *gpu))
        self.assertEqual(rows[1][:3], ("copy/T=I32/Elements=1048576", "hot", 1750.0))
        self.assertEqual(rows[2][:3], ("copy/T=I32/Elements=2097152", "cold", 4250.0))
        self.assertEqual(rows[3][5:], ("SKIPPED_DECLARED", "Too large for this device.", *gpu))
        self.assertEqual((rows[4][1:3], rows[4][7:]), (("wall", 1e6), ("CPU", None)))

    def test_metrics_of_other_kinds_are_no_empty_success(self):
        self.write("x.json", b'{"name": "x", "environ": {}, "metrics": {"instruction_count": 12}}')
        self.expect(1, "import", "x.json")
        self.assertIn("no metric is a latency, memory or accuracy of a model; the first is 'instruction_count'", self.err)

    def test_what_a_powershell_wrote(self):
        self.copy("llama_bench.json", "hyperfine.json")
        for name in ("llama_bench.json", "hyperfine.json"):
            self.write("x.json", self.read(name).encode("utf-16"))
            self.assertIn("4 new records", self.expect(0, "import", "x.json", "--database=" + name + ".sqlite"))
        self.write("x.json", '{"schema_version": 2, "outcome": "PASS"}\n'.encode("utf-16"))
        self.expect(2, "import", "x.json")
        self.assertIn("UTF-16; write it as UTF-8: iconv", self.err)

    def test_csv_of_what_is_read_as_json_is_refused_with_its_mend(self):
        llama = "build_commit,build_number,cpu_info,n_prompt,n_gen,n_depth,test_time,avg_ns,stddev_ns,avg_ts,stddev_ts"
        nvbench = "Benchmark,Device,Device Name,Elements,Skipped,Samples,CPU Time (sec),Noise,GPU Time (sec)"
        google = "name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message"
        for form, head, row, want in (
            ("llama_bench", llama, '"8cf427ff","5163","a, b","512","0","0","2025","1","2","3","4"', "llama-bench, of which the JSON is read; write that: llama-bench -o json"),
            ("nvbench", nvbench, "copy,0,H200,1,No,3,1e-3,1.5%,1e-4", "nvbench, of which the JSON is read; write that: --json FILE"),
            ("hyperfine", "command,mean,stddev,median,user,system,min,max", "sleep 1,1,0,1,0,0,1,1", "hyperfine, of which the JSON is read; write that: --export-json FILE"),
            ("google_benchmark", google, '"BM_a",10,5.2,5.1,ns,,,,,', "Google Benchmark, of which the JSON is read; write that: --benchmark_format=json"),
        ):
            for text in ("%s\n%s\n" % (head, row), "\ufeff%s\r\n%s\r\n" % (head, row)):
                self.write("x.csv", text.encode())
                for words in ([], ["--from=" + form]):
                    self.expect(2, "import", "x.csv", *words)
                    self.assertIn("x.csv: CSV of " + want, self.err)

    def test_odd_entries_cost_no_other(self):
        for name, form, path in (
            ("llama_bench.json", "llama_bench", ()),
            ("hyperfine.json", "hyperfine", ("results",)),
            ("nvbench.json", "nvbench", ("benchmarks", 0, "states")),
        ):
            with self.subTest(name):
                self.copy(name)
                whole = rows = json.loads(self.read(name))
                for key in path:
                    rows = rows[key]
                rows[1:1] = [{}, None, 7, {**rows[0], **dict.fromkeys(rows[0], [[]])}, {**rows[0], "avg_ns": "x", "mean": "x", "axis_values": 7}]
                self.write("odd.json", json.dumps(whole).encode())
                self.expect(1, "import", "odd.json", "--from=" + form, "--database=" + form)
                self.assertIn("5 new records, 0 known, 0 footers, 4 refused", self.out)


if __name__ == "__main__":
    unittest.main()
