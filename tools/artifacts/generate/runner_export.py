"""Asks a family's runner for what only the suite's C++ can make: seeded weights, seeded inputs, its own references."""

import subprocess
from typing import NamedTuple


class RunnerError(RuntimeError):
    """The runner failed; the message has its command line and last words."""


class Runner(NamedTuple):
    program: str
    registry: str  # binary assay.Registry

    def export_state(self, label, path):
        self._run(label, "--export-state=" + path)

    def export_inputs(self, label, path):
        self._run(label, "--export-inputs=" + path, "--export-referenced-rows")

    def export_reference(self, label, path):
        self._run(label, "--export-reference=" + path)

    def _run(self, label, *flags):
        command = [self.program, "--case=" + self.registry, "--case-name=" + label, *flags]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL)
        except OSError as error:
            raise RunnerError("cannot start the runner: %s" % error) from None
        if done.returncode:
            how = "signal %d" % -done.returncode if done.returncode < 0 else "exit code %d" % done.returncode
            words = "\n".join("    " + line for line in (done.stderr or done.stdout).splitlines()[-12:])
            raise RunnerError("the runner ended with %s\n%s\n    command: %s" % (how, words, " ".join(command)))
