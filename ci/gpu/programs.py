"""Starts programs with a limit, and lists of cases in a process that may die."""

import contextlib
import os
import signal
import subprocess
import time

_POLL_SECONDS = 0.05
_GRACE_SECONDS = 10
_START_SECONDS = 120  # LibTorch's libraries, from a disk that has not read them yet


def kill(process):
    """Ends a process and all that it started."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def start(words, log, environment, folder):
    """Starts a program in a session of its own. What it says is added to the file `log`."""
    with open(log, "ab") as f:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=f, stderr=subprocess.STDOUT, cwd=folder, env=environment,
                                start_new_session=True)


def run(words, log, environment, folder, deadline, tick):
    """(exit code, None where it was killed at the deadline; seconds)."""
    begun = time.monotonic()
    process = start(words, log, environment, folder)
    try:
        while process.poll() is None and time.monotonic() < deadline:
            tick()
            time.sleep(_POLL_SECONDS)
        return process.poll(), time.monotonic() - begun
    finally:
        kill(process)


class Series:
    """A list of command lines that runner processes do one after another; a line at which one dies is named, the next goes on.

    The runner's --series and its journal are described in benchmarks/harness/processes/series.h. A line that takes longer than
    `line_seconds` ends its process.
    """

    def __init__(self, runner, lines, files, log, environment, folder, line_seconds):
        self._words = [runner, "--series=" + files, "--series-timeout=%g" % line_seconds]
        self._files, self._log, self._environment, self._folder = files, log, environment, folder
        self._count, self._line_seconds = len(lines), line_seconds
        self._process, self._problem = None, ""
        self._seen, self._seen_at = None, time.monotonic()
        self.lost = {}  # line -> why its process ended
        with open(files, "wb") as f:
            f.write(b"".join(b"".join(word.encode() + b"\0" for word in line) + b"\0" for line in lines))
        self._start(0)

    def _start(self, first):
        self._process = None
        if first >= self._count:
            return
        with open(self._files + ".journal", "wb"):
            pass
        self._seen, self._seen_at = None, time.monotonic()
        self._process = start([*self._words, "--series-first=%d" % first], self._log, self._environment, self._folder)

    def goes_on(self):
        """Whether there is more to wait for; starts a new process where one has ended early."""
        if self._process is None or self._problem:
            return False
        code = self._process.poll()
        state, number = self._entry()
        if code is None and not self._is_stuck(state, number):
            return True
        if state == "F":
            self._process = None
            return False
        if state == "B":
            timed_out = code in (None, -signal.SIGALRM)
            self.lost[number] = ("TIMEOUT", "killed after %g s" % self._line_seconds) if timed_out else ("CRASH", how(code))
        if state == " ":
            self._problem = "the runner ended before its first case, %s" % how(code)
            return False
        self._start(number + 1)
        return self._process is not None

    @property
    def problem(self):
        """Why the runner could not begin, or ""."""
        return self._problem

    def stop(self):
        """Ends it. The line that ran is lost, unless `lost` has it."""
        if self._process is not None:
            kill(self._process)
            self._process = None

    def _is_stuck(self, state, number):
        """Whether the runner's own alarm did not end a line that takes too long: a driver may hold a process. Ends it then."""
        if (state, number) != self._seen:
            self._seen, self._seen_at = (state, number), time.monotonic()
        limit = _START_SECONDS if state == " " else self._line_seconds + _GRACE_SECONDS
        if time.monotonic() - self._seen_at <= limit:
            return False
        kill(self._process)
        return True

    def _entry(self):
        with open(self._files + ".journal", "rb") as f:
            line = f.readline().decode(errors="replace")
        if line[:1] not in "BEF" or not line[1:].strip().isdigit():
            return " ", 0
        return line[0], int(line[1:])


def how(code):
    """How a process ended, in words."""
    if code is None:
        return "killed at the end of its time"
    if code >= 0:
        return "exit code %d" % code
    return "signal %d (%s)" % (-code, signal.strsignal(-code))
