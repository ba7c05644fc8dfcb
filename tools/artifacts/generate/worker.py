"""The process that computes one job; started by jobs.py as  python -m tools.artifacts.generate.worker JOB.json

It writes one JSON line for each event to standard output: {"id": N, "role": "", "path": …, "provenance": …} when a
content's reference is made, with role "inputs", "weights" or "module" for what was asked for besides (one file may
serve several contents), {"id": N, "role": …, "error": …} for what could not be made, {"measured": {…}} for the quality
report. A separate process, so that a crash or the kernel's out-of-memory killer ends one job and is seen by its exit
code.
"""

import json
import os
import sys

from artifacts.format import reference_blob
from artifacts.format.lock_table import REFERENCE, WEIGHTS
from tools.artifacts.generate.events import export_inputs, exported, failed, finished
from tools.artifacts.generate.registry import OWN_FLOAT64
from tools.artifacts.generate.runner_export import Runner, RunnerError


def own_references(job, runner, emit):
    """The suite's own float64 run: the runner computes and writes the blob; here it is only checked."""
    for content in job["contents"]:
        emit(own_reference(content, runner))
        if WEIGHTS in job["roles"]:
            path = os.path.join(job["work"], "%d.weights.safetensors" % content["id"])
            emit(exported(content, WEIGHTS, path, runner.export_state))
        export_inputs(job, content, runner, emit)


def own_reference(content, runner):
    path = content["blob"]
    try:
        runner.export_reference(content["label"], path)
        with open(path, "rb") as f:
            outputs, metadata = reference_blob.decode(f.read())
    except (RunnerError, ValueError, OSError) as error:
        return failed(content, REFERENCE, error)
    if set(outputs) != set(content["outputs"]):
        return failed(content, REFERENCE, "outputs %s, expected %s" % (sorted(outputs), sorted(content["outputs"])))
    return finished(content, REFERENCE, path, metadata.get("provenance", "own C++, float64"))


def main(job_path):
    with open(job_path, encoding="utf-8") as f:
        job = json.load(f)
    # Other people's libraries print; their words must not mix with the events.
    events = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def emit(event):
        events.write(json.dumps(event) + "\n")
        events.flush()

    runner = Runner(job["runner"], job["registry"])
    if job["reference"] == OWN_FLOAT64:
        return own_references(job, runner, emit)
    from tools.artifacts.generate import compute  # imports torch, which takes seconds and is only here where needed

    if job["measure"]:
        from tools.artifacts.generate import quality

        return quality.measure(job, runner, emit)
    return compute.independent_references(job, runner, emit)


if __name__ == "__main__":
    main(sys.argv[1])
