"""Runs a case's program in a test and reads its record.

Not for: measuring.

Example:
    case = CaseCommand("benchmarks/mlp", "mlp_fp32_b1", folder)
    record = case.verify("--weights=model.safetensors")   # folder is the working folder
"""

import json
import os
import subprocess


class CaseCommand:
    def __init__(self, family, name, folder, in_registry=False):
        """in_registry: the case is read from //benchmarks:registry, so that a test's data need not name it."""
        if in_registry:
            case = ["--case=" + os.path.abspath("benchmarks/registry.pb"), "--case-name=//%s:%s" % (family, name)]
        else:
            case = ["--case=" + os.path.abspath("%s/%s.pb" % (family, name))]
        self._program = [os.path.abspath(family + "/runner"), *case]
        self._folder = folder

    def path(self, name):
        return os.path.join(self._folder, name)

    def run(self, *arguments):
        """CompletedProcess, with the text of both outputs."""
        environment = {k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"}
        return subprocess.run(
            [*self._program, *arguments],
            cwd=self._folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )

    def export_inputs(self, *more):
        """Writes the case's seeded inputs to inputs.safetensors; its path."""
        done = self.run("--export-inputs=inputs.safetensors", *more)
        if done.returncode:
            raise AssertionError("no inputs; exit code %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
        return self.path("inputs.safetensors")

    def verify(self, *arguments):
        """The record of a run of --action=verify, with the exit code as "exit_code" and the text as "text"."""
        record = self.path("record.jsonl")
        if os.path.exists(record):
            os.unlink(record)
        done = self.run("--action=verify", "--record=record.jsonl", *arguments)
        if not os.path.exists(record):
            raise AssertionError("no record; exit code %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
        with open(record) as lines:
            result = json.loads(lines.read())
        return dict(result, exit_code=done.returncode, text=done.stdout + done.stderr)
