"""SIGKILL in the middle of each step: the lock reads, each of its rows has its blob, and the next run ends as if
nothing had been. The workers are replaced by files made before; storing and writing are the program's own.
"""

import hashlib
import os
import shutil
import signal
import sys
import tempfile
import unittest
from unittest import mock

from tools.artifacts.generate import jobs
from tools.artifacts.generate.test_cases import entry
from tools.artifacts.generate.test_program import ProgramTest

_STEPS = ("os.replace", "os.fsync", "os.unlink", "shutil.copyfileobj")
# Four blobs put (copy, fsync, rename, fsync), two locks written (fsync, rename, fsync), one file removed.
_AT_LEAST = 4 * 4 + 2 * 3 + 1


class _MadeBefore:
    """In the place of jobs.Workers: events of files in a folder."""

    folder = ""

    def __init__(self, all_jobs, places, parallel, measure=False, roles=()):
        self._work, self._roles = places.work, ("",) + tuple(roles)

    def events(self):
        for role in self._roles:
            path = os.path.join(self._work, role or "reference")
            shutil.copyfile(os.path.join(self.folder, role or "reference"), path)
            yield 0, {"id": 0, "role": role, "path": path, "provenance": "made before"}
        yield 0, {"ended": ""}

    def close(self):
        pass


class _Killer:
    """Ends the process at the n-th call of one of _STEPS; a copy is cut off in the middle."""

    def __init__(self, n):
        self._left = n

    def wrap(self, name, function):
        def step(*arguments, **named):
            self._left -= 1
            if self._left < 0:
                if name.endswith("copyfileobj"):
                    arguments[1].write(arguments[0].read(5))
                    arguments[1].flush()
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **named)

        return step


class KillTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.bucket = os.path.join(self.root, "bucket")
        self.made = os.path.join(self.root, "made")
        self.make([1.0, 2.0, 4.0])

    def make(self, values):
        """Has the real workers make a reference and inputs, for _MadeBefore."""
        self.cases({"toy_fp32_b2": {"values": values, "inputs": values}}, entry())
        shutil.rmtree(self.made, ignore_errors=True)
        os.mkdir(self.made)
        runner = os.path.join(self.root, "benchmarks", "toy", "runner")
        for flag, name in (("--export-reference=", "reference"), ("--export-inputs=", "inputs")):
            registry = os.path.join(self.root, "benchmarks", "registry.pb")
            path = os.path.join(self.made, name)
            command = [runner, "--case=" + registry, "--case-name=//benchmarks/toy:toy_fp32_b2", flag + path]
            self.assertEqual(0, os.spawnv(os.P_WAIT, runner, command))

    def run_made(self, *flags):
        with mock.patch.object(jobs, "Workers", _MadeBefore), mock.patch.object(_MadeBefore, "folder", self.made):
            return self.run_program("--with=inputs", "--out=" + self.bucket, *flags)

    def run_and_kill(self, n, *flags):
        """True if the run was killed at its n-th step, False if it ended before."""
        process = os.fork()
        if process == 0:
            tempfile.tempdir = self.root
            killer = _Killer(n)
            for name in _STEPS:
                module, _, function = name.partition(".")
                setattr(sys.modules[module], function, killer.wrap(name, getattr(sys.modules[module], function)))
            os._exit(self.run_made(*flags)[0])
        status = os.waitpid(process, 0)[1]
        if os.WIFEXITED(status):
            self.assertEqual(0, os.WEXITSTATUS(status))
        return os.WIFSIGNALED(status)

    def assert_consistent(self):
        lock = os.path.join(self.out, "lock.bzl")
        rows = self.lock().values() if os.path.exists(lock) else []
        for row in rows:
            folder = "blobs" if row.store == "embedded" else "staged"
            self.assertTrue(os.path.exists(os.path.join(self.out, folder, row.object_name)))
        for folder in (os.path.join(self.out, "blobs"), os.path.join(self.out, "staged"), self.bucket):
            for name, data in self.snapshot(folder).items():
                if ".tmp." not in name:
                    self.assertEqual(name.split(".")[0], hashlib.sha256(data).hexdigest())

    def kill_at_every_step(self, restore, *flags):
        """Kills run after run at a later step, from the state that `restore` makes; returns the number of steps."""
        restore()
        self.assertEqual(0, self.run_made(*flags)[0])
        whole = self.snapshot(), self.snapshot(self.bucket)
        for n in range(200):
            restore()
            if not self.run_and_kill(n, *flags):
                return n
            with self.subTest(step=n):
                self.assert_consistent()
                self.assertEqual(0, self.run_made(*flags)[0])
                self.assertEqual(whole, (self.snapshot(), self.snapshot(self.bucket)))
        self.fail("no run ended by itself")

    def test_rows_16_and_17_a_first_run_killed_at_any_step(self):
        def nothing():
            shutil.rmtree(self.out, ignore_errors=True)
            shutil.rmtree(self.bucket, ignore_errors=True)

        self.assertGreaterEqual(self.kill_at_every_step(nothing), _AT_LEAST)

    def test_a_run_that_replaces_a_row_killed_at_any_step(self):
        self.run_made()
        before = os.path.join(self.root, "before")
        shutil.copytree(self.out, os.path.join(before, "out"))
        shutil.copytree(self.bucket, os.path.join(before, "bucket"))
        self.make([1.0, 2.0, 5.0])

        def previous():
            for folder, name in ((self.out, "out"), (self.bucket, "bucket")):
                shutil.rmtree(folder)
                shutil.copytree(os.path.join(before, name), folder)

        steps = self.kill_at_every_step(previous, "--accept-drift=a better model")
        self.assertGreaterEqual(steps, _AT_LEAST)


if __name__ == "__main__":
    unittest.main()
