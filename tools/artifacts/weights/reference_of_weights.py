"""Computes the outputs of a user's weights with the case's implementation in Python, in float64: the reference of --verify-with=python.

  tools/bazel run //benchmarks/gpt2:gpt2_fp32_b1_s128 -- --weights=FOLDER --verify-with=python

usage: reference_of_weights FOLDER --weights=PATH
  FOLDER           case.json and inputs.safetensors, which a runner has written; reference.safetensors is written there
  --weights=PATH   a .safetensors file, an index of several, or a folder with either, as the runner reads it

Exit codes: 0 written, 1 the weights or their config.json are not what the implementation in Python takes, 2 files, 3 the command line.
"""

import os
import sys

from artifacts.fetch.ending import SurroundingsError, UsageError, ended
from tools.artifacts.generate.reference_error import ReferenceError


def parse(arguments):
    """(folder, weights)."""
    folders = [word for word in arguments if not word.startswith("--")]
    weights = [word.partition("=")[2] for word in arguments if word.startswith("--weights=")]
    if len(folders) != 1 or len(weights) != 1 or not weights[0] or len(arguments) != 2:
        raise UsageError("%s: want FOLDER --weights=PATH; a case starts this: tools/bazel run CASE -- --weights=PATH "
                         "--verify-with=python" % " ".join(arguments))
    return folders[0], weights[0]


def run(arguments):
    if "--help" in arguments:
        print(__doc__)
        return 0
    folder, weights = parse(arguments)
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        raise UsageError("a case starts this: tools/bazel run CASE -- --weights=PATH --verify-with=python")
    from tools.artifacts.weights import outputs_of_weights  # imports torch, which takes seconds

    try:
        outputs_of_weights.write(folder, weights, workspace)
    except (ReferenceError, outputs_of_weights.LossOfPrecision) as error:
        print("reference_of_weights: %s" % error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(ended("reference_of_weights", lambda: run(sys.argv[1:]), surroundings=(SurroundingsError,)))
