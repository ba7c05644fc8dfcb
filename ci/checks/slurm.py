"""A suite's run on a cluster: a real Slurm of two nodes on loopback, of Debian's packages, without systemd."""

import contextlib
import glob
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

from ci.check import ROOT, Check, program

_PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch"]
_CONFIGURATION = """
ClusterName=assay
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1,sched_min_interval=0
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SwitchType=switch/none
ReturnToService=0
SlurmdTimeout=4
KillWait=2
MinJobAge=3600
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1 RealMemory=1000
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1 RealMemory=1000
PartitionName=bench Nodes=n1,n2 Default=YES State=UP MaxTime=60
"""


def _missing():
    return [name for name in _PROGRAMS if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]


@unittest.skipIf(_missing(), "no Slurm here: apt-get install munge slurmctld slurmd slurm-client")
@unittest.skipIf(os.getuid(), "Slurm's daemons start as root")
@unittest.skipUnless(os.path.ismount("/sys/fs/cgroup"), "/sys/fs/cgroup is not mounted here, and slurmd does not start without it")
class Slurm(Check):
    def setUp(self):
        super().setUp()
        os.environ["PATH"] += ":/usr/sbin:/sbin"
        self.folder = os.path.join(self.scratch, "slurm")
        for name in ["munge", "state", "n1", "n2"]:
            os.makedirs(os.path.join(self.folder, name))
        self.addCleanup(self.end_steps, self.steps())
        self.start_munge()
        sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
        ports = [s.getsockname()[1] for s in sockets]
        for s in sockets:
            s.close()
        text = _CONFIGURATION.format(host=socket.gethostname().split(".")[0], folder=self.folder, ports=ports)
        os.environ["SLURM_CONF"] = self.write(os.path.join(self.folder, "slurm.conf"), text)
        self.write(os.path.join(self.folder, "cgroup.conf"), "CgroupPlugin=autodetect\n")
        self.controller = self.daemon(["slurmctld", "-D", "-c"])
        self.nodes = {name: self.daemon(["slurmd", "-D", "-N", name]) for name in ["n1", "n2"]}
        self.wait_for(lambda: self.slurm("sinfo", "-h", "-t", "idle", "-o", "%D").strip() == "2", "both nodes are idle")

    def start_munge(self):
        """munged asks for a key, and for folders that are its own."""
        folder = os.path.join(self.folder, "munge")
        key = os.path.join(folder, "key")
        with open(key, "wb") as f:
            f.write(os.urandom(1024))
        os.chmod(key, 0o400)
        # Its socket is refused below folders that others may write to, such as /tmp.
        self.daemon(["munged", "-F", "--force", "--key-file=" + key, "--socket=" + os.path.join(folder, "socket"),
                     "--pid-file=" + os.path.join(folder, "pid"), "--log-file=" + os.path.join(folder, "log"),
                     "--seed-file=" + os.path.join(folder, "seed")])
        self.wait_for(lambda: os.path.exists(os.path.join(folder, "socket")), "munged listens")

    def daemon(self, words):
        with open(os.path.join(self.folder, "daemons.log"), "a", encoding="utf-8") as log:
            process = subprocess.Popen(words, stdout=log, stderr=log, start_new_session=True)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def steps(self):
        """Processes that watch a task of Slurm's. One that a daemon's end leaves behind waits for the controller for ever."""
        found = set()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError):  # it has ended
                if self.read_bytes("/proc/%s/cmdline" % pid).startswith(b"slurmstepd:"):
                    found.add(int(pid))
        return found

    def end_steps(self, others):
        for pid in self.steps() - others:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def slurm(self, *words):
        return subprocess.run(words, capture_output=True, encoding="utf-8", check=False).stdout

    def wait_for(self, is_true, what, seconds=60):
        until = time.monotonic() + seconds
        while not is_true():
            self.assertLess(time.monotonic(), until, "never: %s\n%s" % (what, self.read(os.path.join(self.folder, "daemons.log"))))
            time.sleep(0.1)

    def kill_node(self, name):
        """Ends a node with all it runs, as a machine that loses power does: first those that could still tell of it."""
        self.nodes[name].kill()
        mark, tasks = ("SLURMD_NODENAME=" + name).encode(), []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if mark in self.read_bytes("/proc/%s/environ" % pid).split(b"\0"):
                    tasks.append((self.read_bytes("/proc/%s/stat" % pid).rpartition(b")")[2].split()[1], pid))
            except OSError:
                pass  # it has ended
        watching = {parent for parent, _ in tasks if b"slurmstepd" in self.read_bytes("/proc/%d/cmdline" % int(parent))}
        self.assertTrue(watching, "nothing of Slurm's watches a task on " + name)
        for pid in [*watching, *(pid for _, pid in tasks)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)

    def read_bytes(self, path):
        with open(path, "rb") as f:
            return f.read()

    def begun_on_n2(self, out):
        task = self.slurm("squeue", "-h", "-w", "n2", "-t", "R", "-o", "%K").strip()
        return task and glob.glob(os.path.join(glob.escape(out), "cluster/*/started/%s.1" % task))

    def records(self, out):
        with open(os.path.join(out, "results.jsonl"), encoding="utf-8") as f:
            return [record for record in map(json.loads, f) if "launch" in record]

    def test_comparison(self):
        """slurm: a comparison of two cases, the pairs of each on one node, while the controller restarts"""
        out, json_path = os.path.join(self.scratch, "out"), os.path.join(self.scratch, "table.json")
        words = program("//tools:run_suite", "--only=mlp_fp32_b1", "--only=mlp_fp32_b8", "--threads=1", "--threads=2", "--compare",
                        "--compare-flags=--pairs=4 --extra-rounds=0 --budget=0.1 --flagged=keep --json=" + json_path,
                        "--out=" + out, "--launcher=slurm", "--slurm=--partition=bench")
        with open(os.path.join(self.scratch, "printed"), "w+", encoding="utf-8") as printed:
            suite = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed)
            self.addCleanup(self.end, suite)
            self.wait_for(lambda: len(glob.glob(os.path.join(glob.escape(out), "cluster/*/started/?.1"))) == 2, "both have begun", 300)
            self.end(self.controller)
            self.wait_for(lambda: "asking again until it answers" in self.read(printed.name), "the controller is missed")
            self.daemon(["slurmctld", "-D"])
            code = suite.wait(300)
            printed.seek(0)
            said = printed.read()
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"(?m)^mlp_fp32_b8/wall .* 4$")
        table = json.loads(self.read(json_path))
        self.assertEqual({c["machine"]["node"] for c in table["cases"]}, {"n1", "n2"}, said)
        self.assertEqual([len(s["pairs"]) for s in table["series"]], [4, 4], said)

    def test_node_that_dies(self):
        """slurm: 20 configurations on two nodes, of which one dies, are the set of a local run, each once"""
        out = os.path.join(self.scratch, "out")
        killed = os.path.join(self.scratch, "killed")  # for what a task leaves that is killed
        os.mkdir(killed)
        plan = ["-k", "^mlp_", "--exclude=mlp_fp32_b3", "--preset=quick", "--budget=0.4", "--no-lease", "--out=" + out]
        words = program("//tools:run_suite", *plan, "--launcher=slurm", "--slurm=--partition=bench")
        with open(os.path.join(self.scratch, "printed"), "w+", encoding="utf-8") as printed:
            suite = subprocess.Popen(words, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=printed, stderr=printed,
                                     env=dict(os.environ, TMPDIR=killed))
            self.addCleanup(self.end, suite)
            results = os.path.join(out, "results.jsonl")
            self.wait_for(lambda: os.path.exists(results) and '"node":"n2"' in self.read(results), "a first result of n2", 300)
            self.wait_for(lambda: self.begun_on_n2(out), "a task has begun on n2")
            self.kill_node("n2")
            # Slurm finds that out by itself, but in half a minute or more.
            self.slurm("scontrol", "update", "nodename=n2", "state=down", "reason=power")
            code = suite.wait(300)
            printed.seek(0)
            said = printed.read()
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"again     mlp_\S+ .*: attempt 2 on n1; attempt 1 on n2 left no result: that node is down", said)
        records = self.records(out)
        self.assertEqual(len(records), len({r["launch"]["task"] for r in records}), said)
        self.assertEqual(len(records), len({r["launch"]["fingerprint"] for r in records}))
        self.assertEqual({r["environment"]["node"] for r in records}, {"n1", "n2"})
        self.assertEqual({r["launch"]["attempt"] for r in records}, {1, 2})
        # No library but the system's comes from a folder that only this machine has.
        runner = glob.glob(os.path.join(glob.escape(out), "staged/programs/*-mlp_fp32_b1/*/*/benchmarks/mlp/runner"))[0]
        found = re.findall(r"lib(?:torch|c10|gomp|cu)\S* => (\S+)", self.slurm("ldd", runner))
        self.assertGreaterEqual(len(found), 5, found)
        self.assertEqual([path for path in found if not path.startswith(os.path.join(out, "staged"))], [])
        # A local run of the same plan has nothing left to do, so the fingerprints are its own.
        done = self.expect(program("//tools:run_suite", *plan), "going on  %d of %d were done" % (len(records), len(records)))
        self.assertNotIn("[ 1/", done.stdout)
