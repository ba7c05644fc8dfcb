"""A worker's messages about its contents, and the files that it has the runner write: shared by worker.py and
compute.py.

    emit(finished(content, REFERENCE, path, "torchvision 0.26.0 resnet50"))

Not for reading events: jobs.py does. Needs no torch.
"""

import os

from artifacts.format import atomic_file, reference_blob, safetensors_file
from artifacts.format.lock_table import INPUTS
from tools.artifacts.generate.runner_export import RunnerError


def export_inputs(job, content, runner, emit):
    if INPUTS in job["roles"]:
        path = os.path.join(job["work"], "%d.inputs.safetensors" % content["id"])
        emit(exported(content, INPUTS, path, runner.export_inputs))


def exported(content, role, path, export):
    """The event of a file that the runner makes; its numbers must be finite like a reference's."""
    try:
        export(content["label"], path)
        safetensors_file.check_finite(path)
    except (RunnerError, ValueError, OSError) as error:
        return failed(content, role, error)
    return finished(content, role, path, seeded_provenance(content))


def seeded_provenance(content):
    return "this suite's generator (Philox), float32, seed %d" % content["seed"]


def finished(content, role, path, provenance):
    return {"id": content["id"], "role": role, "path": path, "provenance": provenance}


def failed(content, role, error):
    return {"id": content["id"], "role": role, "error": str(error)}


def write_blob(content, outputs, metadata):
    """A float64 and a float32 case share one blob, in float64; the limits of bf16 and fp16 are far above float32's rounding."""
    if content["rounding"] != "fp32":
        outputs = {name: reference_blob.narrowed(output) for name, output in outputs.items()}
    atomic_file.write(content["blob"], reference_blob.encode(outputs, metadata))
