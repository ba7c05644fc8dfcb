"""Remote execution, by BuildGrid and workers on loopback: tests and compilations run on workers, of which one is killed, see
neither this tree nor Bazel's folders, and have a GPU only where a worker says so; a broken worker turns no test green."""

import glob
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import unittest

from ci.check import BAZEL, ROOT, Check

_POSTGRES = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1:]
# Each run has to build these anew; and tests of our own: with //benchmarks/mlp/... and //defs/..., which CI has built, the check
# takes a minute in place of ten. Of LibTorch the linker and the test have the libraries; its 9,300 headers would take
# BuildGrid half a minute more.
_PROBE = """
load("@rules_cc//cc:defs.bzl", "cc_test")
load("@rules_shell//shell:sh_test.bzl", "sh_test")
load("//defs/build:cuda.bzl", "ON_GPU", "TEST_ON_GPU")
load(":case.bzl", "case_test")

cc_test(name = "compiled_test", srcs = ["compiled_test.cc"], deps = ["//defs/case:philox", "//tools/deps:libtorch_libraries"])
[sh_test(name = "slow_%d_test" % i, srcs = ["slow_test.sh"], args = ["%d" % i]) for i in [1, 2]]
sh_test(name = "red_test", srcs = ["red_test.sh"], tags = ["manual"])
sh_test(name = "gpu_test", srcs = ["gpu_test.sh"], exec_properties = TEST_ON_GPU, tags = ["manual"])
case_test(name = "gpu_case_test", exec_properties = ON_GPU, tags = ["manual"])
"""
_CASE = """
def _case_test_impl(ctx):
    ctx.actions.write(ctx.outputs.executable, "#!/bin/sh\\nexit 0\\n", is_executable = True)

# As those of //defs:case_rules.bzl.
case_test = rule(implementation = _case_test_impl, test = True)
"""
_COMPILED = """
#include "defs/case/philox.h"
volatile long now = %d;
int main() { return now == 0; }
"""
_FILES = {
    "BUILD.bazel": _PROBE,
    "case.bzl": _CASE,
    "gpu_test.sh": "#!/bin/sh\nexit 0\n",
    "red_test.sh": "#!/bin/sh\nexit 1\n",
    "slow_test.sh": "#!/bin/sh\nsleep 6\n",
}


def _lacking():
    """Why the service cannot be started here, or nothing."""
    if not _POSTGRES:
        return "no PostgreSQL here: apt-get install postgresql"
    if os.getuid() or subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode:
        return "only root may keep this tree from what a worker runs (unshare --mount)"
    if not os.path.exists("/usr/bin/python3.11"):
        return "no CPython 3.11 here, which BuildGrid's pinned packages are for"
    return ""


@unittest.skipIf(_lacking(), _lacking())
class RemoteExecution(Check):
    def setUp(self):
        super().setUp()
        # PostgreSQL does not run as root, and its user has to reach its folder.
        for folder in [os.path.dirname(self.scratch), self.scratch]:
            os.chmod(folder, 0o711)
        self.expect([BAZEL, "build", "@buildgrid_python//:python"])
        self.python = os.path.join(ROOT, "bazel-bin/external/buildgrid_python/python")
        self.hidden = [self.expect([BAZEL, "info", "output_base"]).stdout.strip(), ROOT]
        database = os.path.join(self.scratch, "postgres")
        os.mkdir(database)
        shutil.chown(database, "postgres")
        as_user = ["runuser", "-u", "postgres", "--"]
        self.expect([*as_user, _POSTGRES[0] + "/initdb", "-D", database + "/data", "-A", "trust", "--no-sync"], cwd=database)
        self.start("postgres", *as_user, _POSTGRES[0] + "/postgres", "-D", database + "/data", "-k", database,
                   "-c", "listen_addresses=", "-c", "fsync=off")
        self.wait(lambda: os.path.exists(os.path.join(database, ".s.PGSQL.5432")))
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.address = "127.0.0.1:%d" % port
        text = self.read(os.path.join(ROOT, "ci/remote_execution/server.yml")).replace("FOLDER", self.scratch).replace("PORT", str(port))
        server = self.write(os.path.join(self.scratch, "server.yml"), text)
        bgd = [self.python, "-c", "from buildgrid.server.app import cli; cli()"]
        self.server = self.start("server", *bgd, "server", "start", server)
        self.expect([*bgd, "migrate", "apply", "postgresql+psycopg2://postgres@/postgres?host=" + database])
        self.wait(lambda: not socket.socket().connect_ex(("127.0.0.1", port)))

        probe = os.path.join(ROOT, "remote_probe")
        self.package(probe, "")
        for name, text in dict(_FILES, **{"compiled_test.cc": _COMPILED % time.time_ns()}).items():
            os.chmod(self.write(os.path.join(probe, name), text), 0o755)

    def start(self, name, *words):
        """A process that ends with the check; its output goes to a file."""
        with open(os.path.join(self.scratch, name + ".out"), "w", encoding="utf-8") as out:
            process = subprocess.Popen(words, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                       env=dict(os.environ, TMPDIR=self.scratch))
        self.addCleanup(self.end, process, signal.SIGTERM)
        return process

    def end(self, process, number=signal.SIGKILL):
        process.send_signal(number)
        process.wait()

    def wait(self, condition, seconds=30):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "waited %d s in vain" % seconds)
            time.sleep(0.1)

    def worker(self, name, *flags):
        folder = os.path.join(self.scratch, name)
        os.mkdir(folder)
        hidden = ["--hide=" + path for path in self.hidden]
        return self.start(name, self.python, os.path.join(ROOT, "ci/remote_execution/worker.py"), "--server=" + self.address,
                          "--folder=" + folder, *hidden, *flags)

    def log(self, name, kind):
        path = os.path.join(self.scratch, name, "log.jsonl")
        lines = [json.loads(line) for line in self.read(path).splitlines()] if os.path.exists(path) else []
        return [line[kind] for line in lines if kind in line]

    def outputs(self, name, kind):
        """The first output of each action that a worker started or ended."""
        return [what["output"][0] for what in self.log(name, kind)]

    def bazel_test(self, *words, gpu="", texts=(), code=0):
        words = [BAZEL, "test", "--noshow_progress", *words]
        return self.expect(words, *texts, code=code, ASSAY_REMOTE_EXECUTOR="grpc://" + self.address, ASSAY_REMOTE_GPU=gpu)

    def workers_are_two_of_which_one_is_killed(self):
        """Returns the other one."""
        first, second = self.worker("first"), self.worker("second")

        def running(name):
            """The slow tests that a worker began and did not end."""
            return [path for path in self.outputs(name, "started") if "/slow_" in path and path not in self.outputs(name, "ended")]

        words = [BAZEL, "test", "--noshow_progress", "--nocache_test_results", "//remote_probe/...", "//benchmarks/mlp/...", "//defs/..."]
        path = os.path.join(self.scratch, "bazel.out")
        with open(path, "w", encoding="utf-8") as out:
            bazel = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                     env=dict(os.environ, ASSAY_REMOTE_EXECUTOR="grpc://" + self.address))
        self.addCleanup(self.end, bazel)
        self.wait(lambda: bazel.poll() is not None or (running("first") and running("second")), 120)
        begun = running("first")
        self.end(first)
        self.assertEqual(bazel.wait(300), 0, self.read(path))
        ended = self.outputs("first", "ended") + self.outputs("second", "ended")
        for text in ["/mlp/cases_test/", "/defs/case/unity_test/", "/compiled_test.pic.", "bin/remote_probe/compiled_test", "/compiled_test/test."]:
            self.assertTrue([output for output in ended if text in output], text)
        self.assertLessEqual(set(begun), set(self.outputs("second", "ended")))
        self.assertNotIn(" local", self.read(path).replace("fails local", ""))
        # LibTorch comes once, for the linker and for two tests.
        self.assertEqual(self.log("second", "fetched").count("libtorch_cpu.so"), 1)
        return second

    def test_workers(self):
        """remote execution: two workers build and test, one is killed, a GPU is where a worker says so, no fault turns green"""
        second = self.workers_are_two_of_which_one_is_killed()
        for name in ["older", "newer"]:
            # The second worker is idle and has no GPU; what passed with the older driver has not passed with the newer.
            gpu = "GPU, %s driver of %d" % (name, time.time_ns())  # so that Bazel knows no result of it
            worker = self.worker(name, "--property=gpu=" + gpu)
            self.bazel_test("//remote_probe:gpu_test", "//remote_probe:gpu_case_test", gpu=gpu, texts=["Executed 2 out of 2 tests: 2 tests pass"])
            self.assertEqual([what["platform"] for what in self.log(name, "ended")], [{"gpu": gpu}] * 4)  # two tests, and their XML
            self.end(worker)
        self.bazel_test("//remote_probe:red_test", texts=["1 fails remotely"], code=3)
        self.end(second)
        broken = "--nocache_test_results", "//remote_probe:compiled_test"
        self.worker("broken", "--lose=libtorch_cpu.so")
        self.bazel_test(*broken, texts=["libtorch_cpu.so: cannot open shared object file"], code=3)
        self.end(self.server)
        # By this machine; ten retries would take half a minute.
        self.bazel_test("--remote_retries=1", *broken, texts=["Failed to query remote execution capabilities", "1 test passes"])
