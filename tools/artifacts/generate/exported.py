"""Puts a case's model, as a file that another runtime runs, into the store.

    failures = add(case, "aoti", store, root)

The case's own program makes the files, one for each shape of its calls, by //tools:export_model, and judges what they compute by
the case's reference: only a run that passes leaves rows. A file that the lock has already is fetched and judged again.
"""

import glob
import importlib.metadata
import os
import subprocess
import tempfile
from typing import NamedTuple

_BACKENDS = {"aoti": "aoti", "onnx": "onnxruntime", "pt2": "exported"}
# A run leaves each file that it has called in this folder, named by what the file depends on (benchmarks/backends/module_file.h).
_LEFT_IN = "ASSAY_MODULES_TO"


class _Rows(NamedTuple):
    """What Store.add_extra() reads of a content."""

    keys: tuple
    package: str


def add(case, role, store, root):
    """Failures, as messages."""
    with tempfile.TemporaryDirectory(prefix="assay_modules_") as left:
        error = _run(case, _BACKENDS[role], root, left)
        if error:
            return ["%s.%s: %s" % (case.key, role, error)]
        failures = []
        for path in sorted(glob.glob(os.path.join(left, "*"))):
            made_of = os.path.basename(path).partition(".")[0]
            rows = _Rows(("%s.%s" % (case.key, made_of),), case.package)
            failures += store.add_extra(rows, role, path, _provenance(case, role))
        return failures


def _run(case, backend, root, left):
    command = [os.path.join(root, "tools", "bazel"), "run", "--noshow_progress", "--ui_event_filters=-info"]
    command += ["--//benchmarks/backends=//benchmarks/backends:" + backend, case.label, "--"]
    command += ["--backend=" + backend, "--action=verify"]
    done = subprocess.run(command, cwd=root, env={**os.environ, _LEFT_IN: left}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace", check=False)
    if not done.returncode:
        return "" if os.listdir(left) else "the run passed and left no file"
    words = "\n".join("    " + line for line in (done.stdout + done.stderr).strip().splitlines()[-12:])
    return "the run ended with exit code %d:\n%s\n    command: %s" % (done.returncode, words, " ".join(command))


def _provenance(case, role):
    with_torch = "torch %s" % importlib.metadata.version("torch").partition("+")[0]
    return "this suite's C++, traced, %s by //tools:export_model, %s, %s; PASS by %s" % (role, case.dtype.lower(), with_torch, case.key)
