"""The process that computes one job; started by jobs.py as  python -m tools.artifacts.worker JOB.json

It writes one JSON line for each event to standard output: {"id": N, "seconds": s, "provenance": …} when a content's
blob is in its place, {"id": N, "error": …} when it could not be made, {"measured": {…}} for the quality report. A
separate process, so that a crash or the kernel's out-of-memory killer ends one job and is seen by its exit code.
"""

import json
import os
import sys
import time

from tools.artifacts.format import reference_blob, safetensors_file
from tools.artifacts.registry import OWN_FLOAT64
from tools.artifacts.runner_export import Runner, RunnerError


def own_references(job, runner, emit):
    """The suite's own float64 run: the runner computes and writes the blob; here it is only checked."""
    for content in job["contents"]:
        start = time.monotonic()
        path = content["blob"]
        try:
            runner.export_reference(content["label"], path)
            with open(path, "rb") as f:
                outputs, metadata = reference_blob.decode(f.read())
        except (RunnerError, ValueError, OSError) as error:
            emit({"id": content["id"], "error": str(error)})
            continue
        if set(outputs) != set(job["outputs"]):
            emit({"id": content["id"], "error": "outputs %s, expected %s" % (sorted(outputs), sorted(job["outputs"]))})
            continue
        emit(finished(content, start, metadata.get("provenance", "own C++, float64")))


def finished(content, start, provenance):
    return {"id": content["id"], "seconds": time.monotonic() - start, "provenance": provenance}


def write_blob(content, outputs, metadata):
    safetensors_file.write_bytes(content["blob"], reference_blob.encode(outputs, metadata))


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
    from tools.artifacts import compute  # imports torch, which takes seconds and is only here where needed

    if job["measure"]:
        from tools.artifacts import quality

        return quality.measure(job, runner, emit)
    return compute.independent_references(job, runner, emit)


if __name__ == "__main__":
    main(sys.argv[1])
