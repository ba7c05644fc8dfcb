"""A plan over a bundle of scripts: the result of each thing, however it ends, and what is left of a run that is stopped."""

import contextlib
import errno
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from unittest import mock

from ci.gpu import machine, main, plan, programs, results
from tools.package import staging

_HERE = os.path.dirname(os.path.abspath(__file__))
_TORCH = "2.11.0+cu130"
_TEST = {"classname": "CudaDeviceGpuTest", "name": "A", "time": "0.5s", "result": "COMPLETED", "empty_kernel_ns": "2100"}
_FAILED_TEST = {**_TEST, "name": "B", "failures": [{"failure": "x.cc:1\nValue of: 3"}]}
_UNIT = ("#!/bin/sh\nfor word; do case $word in --gtest_output=json:*) printf %%s '{\"testsuites\": [{\"testsuite\": %s}]}' >\"${word#*json:}\" "
         ";; esac; done\nexit %d\n")
_PEER = """import sys
if sys.argv[1] == "table": print("mlp wall 1.0 us 1.1 us")
"""


def _unit(*tests):
    return _UNIT % (json.dumps(tests), 1 if any("failures" in t for t in tests) else 0)


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder, self.bundle = folder.name, os.path.join(folder.name, "bundle")
        self.site, self.out = os.path.join(folder.name, "site"), os.path.join(folder.name, "out")
        self.temporary = os.path.join(folder.name, "tmp")
        os.mkdir(self.temporary)
        self.write(os.path.join(self.site, "torch/version.py"), "__version__ = '%s'\n" % _TORCH)
        self.write("bin/cuda_device_gpu_test", _unit(_TEST))
        self.write("bin/torch_framework_gpu_test", _unit({**_TEST, "classname": "TorchFrameworkGpuTest"}))
        self.write("peer/gpu_peer.py", _PEER)
        with open(os.path.join(_HERE, "fake_runner.py"), encoding="utf-8") as f:
            self.write("bin/gpu_runner", f.read())
        self.write("built.json", json.dumps({"commit": "abc", "linked_with": "/nonexistent", "torch": _TORCH}))
        self.cases("passes_1", "passes_2", "fails_1", "skipped_1")
        patch = mock.patch.object(plan, "folder", lambda: os.path.join(folder.name, "plans"))
        patch.start()
        self.addCleanup(patch.stop)

    def write(self, path, text):
        path = os.path.join(self.bundle, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(path, 0o755)

    def cases(self, *names):
        self.names = names
        self.write("cases.tsv", "".join("//benchmarks/x:%s\t-\n" % name for name in names))
        self.write("verify.txt", "".join("//benchmarks/x:%s\n" % name for name in names))

    def plan(self, text, seconds=60, name="p"):
        self.write(os.path.join(self.folder, "plans", name + ".toml"), 'says = "a plan"\nseconds = %d\n%s' % (seconds, text))

    def step(self, do, seconds=20, **fields):
        fields = {"name": do, "do": do, "seconds": seconds, **fields}
        return "[[step]]\n" + "".join("%s = %s\n" % (key, json.dumps(value)) for key, value in fields.items())

    def run_plan(self, *words, gpu=("a fake GPU", ""), lost=False):
        """(exit code, everything that was said)."""
        staging.manifest(self.bundle)
        said = io.StringIO()
        with contextlib.ExitStack() as around:
            around.enter_context(contextlib.redirect_stdout(said))
            around.enter_context(contextlib.redirect_stderr(said))
            around.enter_context(mock.patch.object(machine, "held_context", contextlib.nullcontext))
            around.enter_context(mock.patch.object(machine, "gpu_is_lost", lambda: lost))
            # A run whose results could not be written keeps its logs.
            around.enter_context(mock.patch.object(tempfile, "tempdir", self.temporary))
            for number in (signal.SIGTERM, signal.SIGINT):
                around.callback(signal.signal, number, signal.getsignal(number))
            try:
                code = main.main(self.bundle, [*(words or ("p",)), "--out=" + self.out, "--site=" + self.site], gpu=lambda: gpu)
            except SystemExit as end:
                code = end.code
        return code, said.getvalue()

    def ends(self, code, *texts, words=(), **options):
        given, said = self.run_plan(*words, **options)
        self.assertEqual(given, code, said)
        for text in texts:
            self.assertIn(text, said)
        self.assertEqual(os.listdir(self.temporary), [])
        self.assertLessEqual(len(os.listdir(self.out)), 8)
        with open(os.path.join(self.out, "summary.json"), encoding="utf-8") as f:
            told = json.load(f)
        self.assertEqual(told["exit_code"] if code else 0, code)
        return {r["name"].rpartition(":")[2]: r["verdict"] for r in told["results"]}

    def test_each_case_has_its_own_verdict_in_however_many_processes(self):
        for count in (1, 2, 12):
            self.plan(self.step("verify", processes=count))
            self.assertEqual(self.ends(1, "logits max 2.0e-03 of 1e-04"), {
                "passes_1": "PASS", "passes_2": "PASS", "fails_1": "FAIL_ACCURACY", "skipped_1": "SKIPPED_DECLARED"})
            shutil.rmtree(self.out)

    def test_a_skipped_case_is_counted_apart(self):
        self.cases("passes_1", "skipped_1")
        self.plan(self.step("verify"))
        self.ends(0, "1 PASS, 1 SKIPPED_DECLARED")

    def test_a_case_that_ends_its_process_is_named_and_the_others_go_on(self):
        self.cases("passes_1", "crashes_1", "hangs_1", "lost_1", "silent_1", "passes_2")
        self.plan(self.step("verify", processes=1, case_seconds=1))
        with mock.patch.object(programs, "_GRACE_SECONDS", 0):
            self.assertEqual(self.ends(1, "signal 6 (Aborted)", "killed after 1 s", "the runner wrote no record of it"), {
                "passes_1": "PASS", "crashes_1": "CRASH", "hangs_1": "TIMEOUT", "lost_1": "DEVICE_LOST", "silent_1": "FAIL",
                "passes_2": "PASS"})

    def test_a_runner_that_cannot_start_is_the_machines_fault(self):
        self.cases("never_begins", "passes_1")
        self.plan(self.step("measure", cases=["never_begins", "passes_1"]))
        self.assertEqual(set(self.ends(2, "libcublas.so.13").values()), {"NO_LIBRARY"})

    def test_the_time_of_a_step_is_a_limit(self):
        self.cases("passes_1", "hangs_1", "passes_2")
        self.plan(self.step("verify", seconds=1, processes=1) + self.step("unit_tests", tests=["cuda_device_gpu_test"]))
        self.assertEqual(self.ends(2, "the time of its step was over"), {
            "passes_1": "PASS", "hangs_1": "NOT_RUN", "passes_2": "NOT_RUN", "CudaDeviceGpuTest.A": "PASS"})

    def test_after_the_gpu_is_lost_nothing_more_is_started(self):
        self.cases("lost_1", "passes_1")
        self.plan(self.step("verify", cases=["lost_1"]) + self.step("measure", cases=["passes_1"]))
        verdicts = self.ends(2, "the GPU was lost in the step verify", lost=True)
        self.assertEqual(verdicts, {"lost_1": "DEVICE_LOST", "passes_1": "NO_DEVICE"})

    def test_unit_tests(self):
        self.write("bin/cuda_device_gpu_test", _unit(_TEST, _FAILED_TEST, {**_TEST, "name": "C", "result": "SKIPPED"}))
        self.write("bin/torch_framework_gpu_test", "#!/bin/sh\nkill -SEGV $$\n")
        self.plan(self.step("unit_tests", tests=["cuda_device_gpu_test", "torch_framework_gpu_test"]))
        self.assertEqual(self.ends(1, "x.cc:1 Value of: 3", "empty_kernel_ns 2100", "Segmentation fault"), {
            "CudaDeviceGpuTest.A": "PASS", "CudaDeviceGpuTest.B": "FAIL", "CudaDeviceGpuTest.C": "NOT_RUN",
            "torch_framework_gpu_test": "CRASH"})

    def test_a_unit_test_that_ran_nothing_fails(self):
        self.write("bin/cuda_device_gpu_test", _unit())
        self.plan(self.step("unit_tests", tests=["cuda_device_gpu_test"]))
        self.ends(1, "it wrote no report")

    def test_rounds_and_peers_give_figures(self):
        rounds = self.step("rounds", cases=["passes_1"], changes=["", "--inject=10%"], flags=["--modes=wall"], rounds=2)
        self.plan(rounds + self.step("peers"))
        self.ends(0, "1.000 us, of 2 processes; the furthest 0.00 % apart", "1.100 times what it is without",
                  "mlp wall 1.0 us 1.1 us")
        with open(os.path.join(self.out, "records.jsonl"), encoding="utf-8") as f:
            self.assertEqual(len(f.readlines()), 4)

    def test_a_program_has_the_end_that_the_plan_wants(self):
        for number, (words, fields, code, text) in enumerate([
            (["sh", "-c", "exit 2"], {"exit_code": 2}, 0, "1 PASS"),
            (["sh", "-c", "exit 1"], {"exit_code": 2}, 1, "exit code 1, wanted exit code 2"),
            (["sh", "-c", "echo good"], {"says": "bad"}, 1, "does not say 'bad'"),
            (["no-such-profiler"], {}, 2, "no no-such-profiler on this machine"),
            (["{bin}/gpu_runner", "{case passes_1}", "--record={results}/r"], {"says": "runs passes"}, 0, "1 PASS"),
        ]):
            self.out = os.path.join(self.folder, "out%d" % number)
            self.plan(self.step("program", words=words, **fields))
            self.ends(code, text)

    def test_again_runs_what_failed_or_what_is_named(self):
        self.plan(self.step("verify"))
        self.ends(1)
        self.plan(self.step("again", case_seconds=5), name="again")
        shutil.rmtree(self.out)
        self.assertEqual(self.ends(1, words=["again"]), {"fails_1": "FAIL_ACCURACY"})
        shutil.rmtree(self.out)
        verdicts = self.ends(0, words=["again", "passes_2", "CudaDeviceGpuTest.A"])
        self.assertEqual(verdicts, {"passes_2": "PASS", "CudaDeviceGpuTest.A": "PASS"})
        shutil.rmtree(self.out)
        self.assertEqual(self.ends(2, "no names were given", words=["again"]), {"again": "NOT_RUN"})

    def test_without_a_gpu_or_torch_each_thing_says_so(self):
        self.plan(self.step("look") + self.step("verify") + self.step("unit_tests", tests=["cuda_device_gpu_test"]) +
                  self.step("measure", cases=["passes_1"]) + self.step("peers"), seconds=100)
        self.assertEqual(set(self.ends(2, "NO_DEVICE", gpu=("", "no driver here")).values()), {"NO_DEVICE"})
        shutil.rmtree(self.out)
        os.remove(os.path.join(self.site, "torch/version.py"))
        self.assertEqual(set(self.ends(2, "no torch in").values()), {"NO_LIBTORCH", "PASS"})

    def test_a_rehearsal_names_itself_and_runs_no_unit_test(self):
        self.plan(self.step("verify", cases=["passes_1"]) + self.step("unit_tests", tests=["cuda_device_gpu_test"]))
        verdicts = self.ends(2, "REHEARSAL on a simulated GPU", words=["p", "--device=simulated"], gpu=("", "no driver"))
        self.assertEqual(verdicts, {"passes_1": "PASS", "cuda_device_gpu_test": "NO_DEVICE"})

    def test_a_fault_of_a_step_costs_that_step_alone(self):
        self.plan(self.step("peers") + self.step("unit_tests", tests=["cuda_device_gpu_test"]))
        with mock.patch.object(machine, "said_by", side_effect=KeyError("x")):
            self.ends(1, "this program has a fault: KeyError('x')", "1 PASS")

    def test_a_full_disk_is_said_and_no_pass(self):
        self.cases("passes_1")
        self.plan(self.step("verify"))
        with mock.patch.object(results.Results, "_write", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            code, said = self.run_plan()
        self.assertEqual(code, 2)
        self.assertIn("the results are not all in %s: No space left on device" % self.out, said)

    def test_the_summary_shows_failures_first_in_sixty_lines(self):
        self.cases(*["fails_%d" % i for i in range(300)])
        self.plan(self.step("verify"))
        self.ends(1, "and 276 more: summary.json")
        with open(os.path.join(self.out, "summary.txt"), encoding="utf-8") as f:
            lines = f.readlines()
        self.assertLessEqual(len(lines), 60)
        self.assertLess(max(len(line) for line in lines), 172)
        self.assertIn("FAIL_ACCURACY", lines[6])

    def stopped(self, number, wait_for):
        """Starts a plan as a program, sends a signal once `wait_for()` holds, and returns its exit code."""
        staging.manifest(self.bundle)
        code = ("import sys; from unittest import mock; from ci.gpu import machine, main, plan, results\n"
                "import contextlib; machine.held_context = contextlib.nullcontext; results._SAVE_SECONDS = 0.1\n"
                "plan.folder = lambda: sys.argv[2]; sys.exit(main.main(sys.argv[1], sys.argv[3:], gpu=lambda: ('a GPU', '')))")
        words = [sys.executable, "-c", code, self.bundle, os.path.join(self.folder, "plans"), "p", "--out=" + self.out,
                 "--site=" + self.site]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", start_new_session=True,
                                   env=dict(os.environ, TMPDIR=self.temporary))
        self.addCleanup(process.stdout.close)
        until = time.monotonic() + 60
        while not wait_for() and time.monotonic() < until:
            time.sleep(0.02)
        process.send_signal(number)
        self.said = process.communicate(timeout=30)[0]
        with open(os.path.join(self.out, "summary.json"), encoding="utf-8") as f:
            self.told = {r["name"].rpartition(":")[2]: r["verdict"] for r in json.load(f)["results"]}
        return process.returncode

    def saved_pass(self):
        """Whether the result folder holds a passed case and its log."""
        with contextlib.suppress(OSError, tarfile.TarError), open(os.path.join(self.out, "summary.json"), encoding="utf-8") as f:
            return '"PASS"' in f.read() and bool(tarfile.open(os.path.join(self.out, "logs.tar.xz")).getnames())
        return False

    def test_sigterm_leaves_what_was_done(self):
        self.cases("passes_1", "hangs_1")
        self.plan(self.step("verify", processes=1) + self.step("measure", cases=["passes_1"]))
        self.assertEqual(self.stopped(signal.SIGTERM, self.saved_pass), 2)
        self.assertIn("stopped by SIGTERM", self.said)
        self.assertEqual(os.listdir(self.temporary), [])
        self.assertEqual(self.told, {"passes_1": "PASS", "hangs_1": "NOT_RUN", "the rest of it": "NOT_RUN", "measure": "NOT_RUN"})

    def test_sigkill_leaves_what_was_saved_last(self):
        self.cases("passes_1", "hangs_1")
        self.plan(self.step("verify", processes=1))
        self.assertEqual(self.stopped(signal.SIGKILL, self.saved_pass), -signal.SIGKILL)
        self.assertEqual(self.told, {"passes_1": "PASS", "hangs_1": "NOT_RUN"})
        self.assertLessEqual(len(os.listdir(self.out)), 8)

    def test_usage(self):
        self.plan(self.step("verify"))
        self.plan("", name="again")
        for words, text in [
            (["third"], "no plan third; there are: again, p"), (["p", "mlp"], "takes no names"), (["p", "--fast"], "unrecognized"),
            (["again", "nothing_1"], "no case nothing_1 in this bundle"), (["--device=simulated"], "which plan? again, p"),
        ]:
            code, said = self.run_plan(*words)
            self.assertEqual(code, 3, said)
            self.assertIn(text, said)
        self.site += "/none"
        self.assertIn("/none is no folder", self.run_plan()[1])
        self.site = self.site[:-len("/none")]
        self.write(os.path.join(self.out, "thesis"), "three years")
        self.assertIn("holds files already", self.run_plan()[1])

    def test_a_plan_that_cannot_be_followed(self):
        for text, said in [
            (self.step("dance"), "'dance' is no kind of step; one of look"),
            (self.step("verify", cases=["none_1"]), "no case none_1 in this bundle"),
            (self.step("verify", speed=3), "verify takes no speed; it takes name, do, seconds, cases"),
            (self.step("measure"), "measure needs cases"),
            (self.step("verify", processes="all"), "processes is no int"),
            (self.step("verify") + self.step("verify"), "two steps have the same name"),
            (self.step("verify", seconds=61), "its steps may take 61 s together, and it has 60"),
            ('[[step]]\nname = "a"\n', "step 1 has no do"),
            ("[[step", "plans/p.toml"),
        ]:
            self.plan(text)
            code, given = self.run_plan()
            self.assertEqual(code, 3, given)
            self.assertIn(said, given)


if __name__ == "__main__":
    unittest.main()
