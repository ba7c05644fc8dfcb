"""A case under load: LoadGen, which no test of //... fetches, right replies and wrong ones."""

import json
import os
import signal
import subprocess

from ci.check import BAZEL, ROOT, Check, program

_GENERATOR = "--//benchmarks/harness/runner/serving:load=//benchmarks/harness/runner/serving:loadgen"
_MLP = "benchmarks/mlp/mlp_fp32_b64"
_DECODER = "benchmarks/llama/gemma_2_tiny_fp64_b8_s16_gen8"
_ENCODER = "benchmarks/t5/t5_tiny_fp64_b8_s16_gen24"
_BACK_ENDS = "--//benchmarks/backends=//benchmarks/backends:every"


class Serving(Check):
    def test_tool(self):
        """serving: //tools:serve builds a case with LoadGen, and says what it lacks"""
        self.expect([*program("//tools:serve"), "--case=//benchmarks/mlp:mlp_fp32_b64", "--qps=50", "--duration=500ms"], "served    server", " right, ")
        self.expect([*program("//tools:serve"), "--case=//benchmarks/mlp:mlp_fp32_b64", "--qps=50", "--duration=500ms", "--instances=2"],
                    "instance 1 of 2", "instance 2 of 2", " right, ")
        self.expect(["sh", "tools/serve/serve.sh"], "which case?", code=3)
        self.expect(["sh", "tools/serve/serve.sh", "--case=//a:b", "--instances=0"], "a number from 1", code=3)
        self.expect(["sh", "tools/serve/serve.sh", "--case=//a:b", "--case=//a:c"], "one case at a time", code=3)

    def test_cases(self):
        """serving: LoadGen's scenarios, mistakes of workers, and what a hasty user types"""
        self.expect([BAZEL, "test", "--noshow_progress", "//benchmarks/harness/load:loadgen_test"])
        self.expect([BAZEL, "build", "--noshow_progress", _GENERATOR] + ["//%s:%s" % os.path.split(case) for case in (_MLP, _DECODER, _ENCODER)])
        self.scenarios()
        self.mistakes()
        self.bad_input()

    def test_back_ends(self):
        """serving: workers of each other back end, and a swapped reply of one"""
        one = _MLP.replace("b64", "b1")  # of one row: each format needs one file
        self.expect([BAZEL, "build", "--noshow_progress", _GENERATOR, _BACK_ENDS, "//%s:%s" % os.path.split(one)])
        two = ["--scenario=offline", "--workers=2", "--threads=1", "--duration=300ms"]
        for name in ("torchscript", "exported", "onnxruntime", "openvino"):
            self.run_case(one, "--backend=" + name, *two, texts=["2 workers of 1 thread", " right, "])
        self.run_case(one, "--backend=torchscript", "--max-batch=4", *two, "--mistake=swapped_replies", texts=["FAIL_ACCURACY"], code=1)

    def test_interrupt(self):
        """serving: Ctrl-C while requests are sent keeps what was served"""
        self.expect([BAZEL, "build", "--noshow_progress", _GENERATOR, "//%s:%s" % os.path.split(_MLP)])
        record = os.path.join(self.scratch, "part.jsonl")
        words = [os.path.join(ROOT, "bazel-bin", _MLP), "--scenario=server", "--qps=50,60", "--duration=4s", "--record=" + record]
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as served:
            self.addCleanup(served.kill)
            while not served.stdout.readline().startswith("generator"):
                self.assertIsNone(served.poll(), "it ended before the first rate did")
            with self.assertRaises(subprocess.TimeoutExpired):
                served.wait(2)
            served.send_signal(signal.SIGINT)
            said = served.stdout.read()
        self.assertEqual(served.returncode, 2, said)
        for text in ("served    server at 60", " right, ", "whole: interrupted", "INTERRUPTED: what was served until then is kept"):
            self.assertIn(text, said)
        (whole, part) = json.loads(self.read(record))["served"]
        self.assertGreater(int(part["requests"]), 0)
        self.assertLess(int(part["requests"]), int(whole["requests"]))

    def run_case(self, case, *words, texts=(), code=0):
        self.expect([os.path.join(ROOT, "bazel-bin", case), *words], *texts, code=code, BUILD_WORKSPACE_DIRECTORY=ROOT)

    def scenarios(self):
        record = os.path.join(self.scratch, "served.jsonl")
        for case in (_MLP, _DECODER, _ENCODER):
            for scenario in (["server", "--qps=50"], ["single_stream"], ["multi_stream"], ["offline"], ["server", "--concurrency=3"]):
                self.run_case(case, "--scenario=" + scenario[0], *scenario[1:], "--duration=500ms", "--record=" + record,
                              texts=["served    " + scenario[0], " right, "])
        records = [json.loads(line) for line in self.read(record).splitlines()]
        self.assertEqual(len(records), 15)
        for one in records:
            (served,) = one["served"]
            self.assertEqual(one["outcome"], "PASS")
            self.assertGreater(int(served["requests"]), 0)
            agrees = [check["status"] for check in served["checks"] if check["name"] == "generator_agrees"]
            self.assertEqual(len(agrees), 1 if served["generator"].startswith("LoadGen") else 0)

    def mistakes(self):
        for case, mistake in ((_MLP, "swapped_replies"), (_MLP, "dropped_reply"), (_DECODER, "swapped_replies"), (_DECODER, "old_cache"), (_ENCODER, "old_cache")):
            self.run_case(case, "--scenario=offline", "--duration=1s", "--mistake=" + mistake, texts=["FAIL_ACCURACY"], code=1)

    def bad_input(self):
        for words, text in ((["--scenario=server", "--qps=5", "--backend=onnx"], "links torchscript, aoti, exported, onnxruntime or openvino"),
                            (["--scenario=servr"], "one of single_stream, multi_stream, server, offline"),
                            (["--scenario=server"], "Give --qps=10"),
                            (["--qps=5"], "--scenario"),
                            (["--scenario=server", "--qps=5", "--duration=0"], "a time above 0"),
                            (["--scenario=server", "--qps=0.01", "--duration=10s"], "less than one query"),
                            (["--scenario=server", "--qps=5", "--latency-bound=50"], "a time with its unit"),
                            (["--scenario=server", "--qps=5", "--mistake=none_such"], "its workers know swapped_replies"),
                            (["--scenario=offline", "--mistake=old_cache"], "are of decoders"),
                            (["--scenario=server", "--qps=5", "--load-logs=/proc/none"], "cannot be written to")):
            self.run_case(_MLP, *words, texts=[text], code=3)
        self.run_case(_MLP, "--scenario=server", "--arrivals=/nowhere", texts=["--arrivals: /nowhere: cannot be opened"], code=2)
        self.run_case(_MLP, "--scenario=server", "--qps=50", "--duration=300ms", "--latency-bound=1ns", texts=["FAIL_LATENCY"], code=1)
