"""Commands as a user types them, good and bad, on a case of the mlp's."""

import glob
import hashlib
import json
import os
import signal
import subprocess
import time

from ci.check import BAZEL, ROOT, Check, program

_CASE = "//benchmarks/mlp:mlp_fp32_b1"


def _briefly(arguments):
    """With a short budget where none is given: a flag twice is refused."""
    return arguments if any(a.startswith("--budget=") for a in arguments) else ("--budget=0.05", *arguments)


def _run(*arguments):
    return program(_CASE, *_briefly(arguments))


def _list(*arguments):
    return program("//benchmarks:list", *arguments)


def _train(*arguments):
    return program("//benchmarks/mlp:mlp_fp32_b8_train", *_briefly(arguments))


def _compare(*arguments):
    return program("//tools:compare", *arguments)


def _check_machine(*arguments):
    return [BAZEL, "run", "--noshow_progress", "//tools:check_machine", "--", *arguments]


def _no_json(word):
    raise ValueError("not JSON: " + word)


class _Command(Check):
    def setUp(self):
        super().setUp()
        self.record = os.path.join(self.scratch, "r.jsonl")

    def build(self, *targets):
        self.expect([BAZEL, "build", "--noshow_progress", *targets])

    def built_case(self):
        """The path of the case's program, which Bazel has just built."""
        self.build(_CASE)
        return os.path.join(ROOT, "bazel-bin/benchmarks/mlp/mlp_fp32_b1")

    def records(self):
        return [json.loads(line) for line in self.read(self.record).splitlines()]

    def assert_strict_report(self, text):
        """Google Benchmark's JSON, without NaN and the like, and with times."""
        runs = json.loads(text, parse_constant=_no_json)["benchmarks"]
        self.assertTrue(runs)
        for run in runs:
            self.assertTrue(run["real_time"] > 0 and run["cpu_time"] >= 0 and run["iterations"] >= 1, run)


class Run(_Command):
    def test_first_screen(self):
        """run: device, verdict with error and limits, table"""
        self.expect(_run(), "verdict   PASS     probabilities max", "mlp_fp32_b1/wall", "mlp_fp32_b1   eager, eval · cpu")

    def test_json(self):
        """run: --benchmark_format=json is strict JSON"""
        self.assert_strict_report(self.expect(_run("--benchmark_format=json")).stdout)

    def test_out_file(self):
        """run: --benchmark_out writes where the user stands"""
        self.expect([self.built_case(), "--budget=0.05", "--benchmark_out=here.json"], cwd=self.scratch)
        self.assert_strict_report(self.read(os.path.join(self.scratch, "here.json")))

    def test_list_and_filter(self):
        """run: --benchmark_list_tests, --benchmark_filter"""
        listed = self.expect(_run("--modes=wall", "--benchmark_list_tests")).stdout
        self.assertEqual(listed.strip(), "mlp_fp32_b1/wall")
        listed = self.expect(_run("--modes=wall,throughput", "--benchmark_list_tests", "--benchmark_filter=through")).stdout
        self.assertEqual(listed.strip(), "mlp_fp32_b1/throughput")

    def test_repetitions(self):
        """run: repetitions give true aggregates"""
        report = self.expect(_run("--benchmark_repetitions=3", "--benchmark_format=json")).stdout
        self.assert_strict_report(report)
        self.assertIn('"aggregate_name": "median"', report)

    def test_record(self):
        """run: a record for each run, with every sample"""
        for _ in range(2):
            self.expect(_run("--budget=1", "--record=" + self.record))
        records = self.records()
        self.assertEqual([r["outcome"] for r in records], ["PASS", "PASS"])
        for record in records:
            self.assertGreater(len(record["measurements"][0]["samples_ns"]), 5)

    def test_ways_to_start(self):
        """run: the case works executed directly, and through a link"""
        case = self.built_case()
        self.expect([case, "--action=verify"])
        link = os.path.join(self.scratch, "link")
        os.symlink(case, link)
        self.expect([link, "--action=verify"])

    def test_three_modes(self):
        """run: three modes with medians, intervals and every check"""
        self.expect(_run("--modes=wall,cold,hot", "--budget=2", "--threads=1", "--record=" + self.record))
        measured = {m["mode"]: m for m in self.records()[0]["measurements"]}
        self.assertEqual(set(measured), {"wall", "cold", "hot"})
        for m in measured.values():
            self.assertTrue(m["ci_low_ns"] <= m["median_ns"] <= m["ci_high_ns"] and len(m["checks"]) >= 20, m)
        self.assertGreater(measured["cold"]["median_ns"], measured["hot"]["median_ns"])

    def test_training(self):
        """run: a training case is verified, and times forward, backward, optimizer and the whole step"""
        self.expect(_train("--modes=wall", "--record=" + self.record), "sgd.step3.parameters")
        record = self.records()[0]
        self.assertEqual(record["outcome"], "PASS")
        self.assertEqual({m["step"] for m in record["measurements"]}, {"forward", "backward", "optimizer", "train_step"})

    def test_optimizers(self):
        """run: another optimizer, a step in parts and a scaled one are held to the same reference"""
        self.expect(_train("--action=verify", "--optimizer=adamw"), "adamw.step3.update_norms")
        self.expect(_train("--action=verify", "--optimizer=adam", "--accumulation=4"), "4 parts a step, train")
        self.expect(_train("--action=verify", "--autocast=fp16"), "autocast fp16, grad scaler, train")

    def test_mistakes(self):
        """run: a step that is got wrong on purpose fails, and says where"""
        for flags, where in [
            (["--mistake=missing_gradient"], "step1.gradient_norms"),
            (["--mistake=stale_gradient"], "sgd.step3.gradients"),
            (["--mistake=bias_correction", "--optimizer=adamw"], "adamw.step1.update_norms"),
            (["--mistake=scaled_gradient", "--grad-scaler"], "step1.gradients"),
        ]:
            self.expect(_train("--action=verify", *flags), 'output "%s" ' % where, code=1)

    def test_executions(self):
        """run: another execution, and another batch, on the same reference"""
        self.expect(_run("--memory-format=channels_last"), "eager, channels_last, eval")
        self.expect(_run("--autocast=bf16", "--record=" + self.record), "eager, autocast bf16, eval")
        self.expect(_run("--batch=17", "--record=" + self.record), "eager, eval, batch 17")
        recorded = self.read(self.record)
        self.assertIn('"autocast":"BF16"', recorded)
        self.assertIn('"batch":"17"', recorded)

    def test_operator(self):
        """run: an operator by its schema"""
        self.expect(program("//benchmarks/operators:addmm_fp32_m64_k128_n96", "--budget=0.05"), "verdict   PASS")

    def interrupt(self, case, seconds):
        """Starts a long measurement, interrupts it after so many seconds of it, and returns its record."""
        record = os.path.join(self.scratch, "after_%d.jsonl" % seconds)
        words = [case, "--budget=60", "--modes=wall", "--record=" + record]
        with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
            self.addCleanup(process.kill)
            for line in process.stdout:
                if line.startswith("machine "):  # the last line before the measurement
                    break
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(), 2)
        recorded = self.read(record)
        self.assertIn('"outcome":"INTERRUPTED"', recorded)
        return recorded

    def test_interrupt(self):
        """Ctrl-C keeps what was measured"""
        case = self.built_case()
        for seconds in (1, 5, 20):  # nothing shows when the first sample is taken; a busy machine takes longer
            if "samples_ns" in self.interrupt(case, seconds):
                return
        self.fail("a record without samples")


class Compare(_Command):
    def test_itself(self):
        """compare: a case with itself, by fresh processes in turns, says how sure it is"""
        flags = ["--aa", "--pairs=4", "--extra-rounds=0", "--budget=0.05", "--flagged=keep", "--format=json", "--seed=1"]
        # Four pairs on a busy machine may all differ in one direction by chance; not three times.
        for _ in range(3):
            series, = json.loads(self.expect(_compare("--baseline=" + _CASE, *flags)).stdout)["series"]
            self.assertEqual(len(series["pairs"]), 4)
            low, high = series["estimate"]["interval"]
            if series["verdict"] in ("SAME", "INCONCLUSIVE") and low < 1 < high:
                return
        self.fail(series)

    def test_several_ways(self):
        """run_suite --compare: three ways to call a case, in turns, each against the first"""
        path = os.path.join(self.scratch, "ways.json")
        flags = "--pairs=2 --extra-rounds=0 --flagged=keep --json=" + path
        self.expect(program("//tools:run_suite", "--only=mlp_fp32_b1", "--compare", "--budget=0.05", "--backend=eager", "--backend=torchscript",
                            "--torchscript-freeze=false", "--torchscript-freeze=true", "--compare-flags=" + flags), "geometric mean of 1 ")
        ways = json.loads(self.read(path), parse_constant=_no_json)["ways"]
        self.assertEqual([(way["cases"], way["passed"], way["compared"]) for way in ways], [(1, 1, 1)] * 2)
        self.assertTrue(all(way["speedup"] > 0 and way["memory_compression"] > 0 for way in ways), ways)

    def test_no_baseline(self):
        """compare, bad input: a baseline that is not there"""
        self.expect(_compare("--baseline=/no/such/runner", "--candidate=" + _CASE),
                    "there is no '/no/such/runner'; a side is", code=3)

    def test_no_label(self):
        """compare, bad input: a label that is none"""
        self.expect(_compare("--baseline=//benchmarks/mlp:mlp_fp32_b65", "--candidate=" + _CASE), "did you mean", code=2)

    def test_dtypes(self):
        """compare: two cases by their names differ in dtype, and not in what is measured of them"""
        few = ["--pairs=2", "--extra-rounds=0", "--budget=0.05", "--flagged=keep"]
        self.expect(_compare("--baseline=mlp_fp32_b1", "--candidate=mlp_bf16_b1", *few), "mlp_bf16_b1: dtype: FP32 against BF16")
        self.expect(_compare("--baseline=mlp_fp32_b8", "--candidate=mlp_fp32_b8_train", *few), "modes: wall/forward against", code=3)
        self.expect(_compare("--baseline=mlp_fp32_b65", "--candidate=mlp_bf16_b1"), "the nearest cases are mlp_fp32_b64", code=3)

    def test_flag_of_the_case(self):
        """compare, bad input: a flag that the case does not have"""
        self.expect(_compare("--baseline=%s --budgit=3" % _CASE, "--aa"), "unknown flag --budgit", code=3)

    def test_revision(self):
        """compare, bad input: no such revision"""
        self.expect(_compare("--baseline=git:nonsense", "--candidate=.", "--cases=."), "is no commit", code=3)

    def test_no_device(self):
        """compare: a device that is not there fails the gate by exit code 2"""
        self.expect(_compare("--baseline=%s --device=cuda" % _CASE, "--aa", "--gate"), "NO_DEVICE", code=2)


class BadInput(_Command):
    def test_flag(self):
        """bad input: an unknown flag"""
        self.expect(_run("--bugdet=3"), "unknown flag --bugdet; did you mean --budget?", code=3)

    def test_flag_of_google_benchmark(self):
        """bad input: an unknown flag of Google Benchmark"""
        self.expect(_run("--benchmark_fliter=x"), "unknown flag --benchmark_fliter", code=3)

    def test_stray_word(self):
        """bad input: a stray word"""
        self.expect(_run("resnet50"), "is no flag", code=3)

    def test_device(self):
        """bad input: a device that is none"""
        self.expect(_run("--device=tpu"), "--device=tpu: one of cpu, cuda", code=3)

    def test_no_time(self):
        """bad input: no time"""
        self.expect(_run("--budget=0"), "more than 0", code=3)

    def test_filter(self):
        """bad input: a malformed filter"""
        self.expect(_run("--benchmark_filter=("), "is no regular expression", code=3)

    def test_mode_of_another_device(self):
        """bad input: a mode that this device cannot do"""
        self.expect(_run("--modes=graph"), "use wall, throughput, cold or hot", code=3)

    def test_mode_of_another_suite(self):
        """bad input: another suite's mode that is none"""
        self.expect(_run("--exec-mode=sequential"), "discrete, continuous", code=3)

    def test_mode(self):
        """bad input: a mode that is none"""
        self.expect(_run("--modes=warp"), "wall", code=3)

    def test_steps(self):
        """bad input: a step that is none, one that the program has not, and one that the CPU does not have"""
        self.expect(_run("--steps=sideways"), "forward, backward", code=3)
        self.expect(_run("--steps=backward"), "training cases", code=3)
        self.expect(_run("--steps=h2d"), "on the CPU nothing is copied", code=3)

    def test_share(self):
        """bad input: a share without a percent sign"""
        self.expect(_run("--inject=3"), "a share like 3%", code=3)

    def test_timeout(self):
        """bad input: a run that is not done in time is TIMEOUT, with what was measured"""
        flags = ["--modes=wall", "--budget=0.05", "--exec-mode=discrete", "--iterations=1000000000", "--timeout=3"]
        self.expect([self.built_case(), *flags, "--record=" + self.record],
                    "TIMEOUT: not done within 3s (--timeout), in mlp_fp32_b1/discrete", code=2)
        recorded = self.read(self.record)
        self.assertIn('"outcome":"TIMEOUT"', recorded)
        self.assertIn("samples_ns", recorded)

    def test_flags_of_training(self):
        """bad input: flags of training that a case cannot have"""
        self.expect(_train("--optimizer=lion"), "one of sgd, adam, adamw", code=3)
        self.expect(_train("--accumulation=3"), "batch 8 cannot be cut into so many", code=3)
        self.expect(_train("--clip-norm=1"), "add --verify=off", code=3)
        self.expect(_train("--mistake=typo"), "missing_gradient, stale_gradient", code=3)
        self.expect(_train("--no-grad"), "a training step needs gradients", code=3)
        self.expect(_run("--optimizer=sgd"), "belongs to cases named ..._train", code=3)
        self.expect(_run("--mistake=stale_gradient"), "this case's program knows scaled_0, scaled_2, scaled_4", code=3)
        self.expect(program("//benchmarks/mlp:mlp_fp64_b8_train", "--autocast=bf16"), "autocast takes fp32 cases", code=3)

    def test_batch_of_training(self):
        """bad input: another batch for a training case"""
        self.expect(_train("--batch=3"), "a training step depends on every row", code=3)
        self.expect(_train("--batch=3", "--verify=off", "--modes=wall", "--steps=forward"), "NOT_VERIFIED")

    def test_executions(self):
        """bad input: executions and batches that cannot be"""
        self.expect(_run("--batch=0"), "--batch=0: a whole number from 1 to", code=3)
        self.expect(_run("--batch=2", "--batch=3"), "--batch=3: it was given before, as 2", code=3)
        self.expect(_run("--lowering=int4"), "--lowering=int4: one of none, merged_branches, int8_dynamic, int8_weights, int4_weights, fp8_dynamic, mxfp8_dynamic, nvfp4_dynamic, int8_static", code=3)
        self.expect(_run("--lowering=merged_branches"), "the model has nothing that merged_branches changes", code=3)
        self.expect(_run("--memory-format=nhwc"), "one of contiguous, channels_last", code=3)
        self.expect(_run("--autocast=fp8"), "one of bf16, fp16, off", code=3)
        self.expect(program("//benchmarks/mlp:mlp_bf16_b1", "--autocast=bf16"), "autocast takes fp32 cases", code=3)

    def test_batch_too_large(self):
        """bad input: a batch too large for memory is OUT_OF_MEMORY"""
        self.expect(program("//benchmarks/resnet:resnet18_fp32_b1", "--batch=1000000"), "give a smaller --batch", code=2)

    def test_cuda_in_a_cpu_build(self):
        """bad input: cuda in a CPU build is NO_DEVICE"""
        self.expect(_run("--device=cuda"), "NO_DEVICE", code=2)

    def test_record_in_no_folder(self):
        """bad input: a record in no folder"""
        path = os.path.join(self.scratch, "no/r.jsonl")
        self.expect(_run("--record=" + path), path, code=2)

    def test_full_disk(self):
        """bad input: a full disk leaves the record file as it was"""
        self.expect(_run("--record=/dev/full"), "/dev/full", code=2)

    def test_no_toolkit(self):
        """bad input: --config=cuda without a toolkit"""
        self.expect([BAZEL, "build", "--config=cuda", "//benchmarks/harness/sampling/cuda:libassay_cuda.so"],
                    "no CUDA toolkit: /nonsense/bin/nvcc is not there", code=1, CUDA_PATH="/nonsense")


class Artifact(_Command):
    def setUp(self):
        super().setUp()
        self.case = self.built_case()
        self.reference, = glob.glob(self.case + ".runfiles/*/artifacts/blobs/*.safetensors")
        self.damaged = os.path.join(self.scratch, "blob")

    def damage(self, change):
        """Writes the reference's bytes after `change`; returns both digests."""
        with open(self.reference, "rb") as f:
            data = f.read()
        with open(self.damaged, "wb") as f:
            f.write(change(data))
        return [hashlib.sha256(d).hexdigest() for d in (data, change(data))]

    def verify(self, path, *texts):
        self.expect([self.case, "--action=verify", "--reference=" + path], *texts, code=2)

    def test_flipped(self):
        """artifact: one flipped byte is FAIL_ARTIFACT with both digests"""
        digests = self.damage(lambda data: data[:300] + b"\xff" + data[301:])
        self.assertNotEqual(*digests)
        self.verify(self.damaged, "FAIL_ARTIFACT", *digests)

    def test_truncated(self):
        """artifact: a truncated blob"""
        self.damage(lambda data: data[:100])
        self.verify(self.damaged, "FAIL_ARTIFACT")

    def test_missing(self):
        """artifact: a missing blob"""
        self.verify(os.path.join(self.scratch, "none"), os.path.join(self.scratch, "none"))


class Tools(_Command):
    def test_check_machine(self):
        """check_machine: says good, bad or unknown, and gates"""
        self.expect(_check_machine(), "governor")
        self.expect(_check_machine("--nonsense"), "unknown", code=3)

    def test_list_flag(self):
        """list, bad input: an unknown flag"""
        self.expect(_list("--fliter=x"), "unknown flag --fliter; did you mean --filter? --help lists", code=3)

    def test_list(self):
        """list: every case, with its tags"""
        listed = self.expect([BAZEL, "run", "--noshow_progress", "//benchmarks:list", "--", "--filter=resnet18_bf16"]).stdout
        self.assertRegex(listed, r"resnet18_bf16_b8 .*bf16.* 8 .*dtype=bf16")

    def test_query(self):
        """query: tags find the bf16 cases"""
        query = 'attr(tags, "dtype=bf16", kind(case_binary, //benchmarks/...))'
        found = self.expect([BAZEL, "query", "--noshow_progress", query]).stdout.splitlines()
        self.assertGreaterEqual(len(found), 100)
