"""Runs ONNX's own conformance models by //tools:run_model and holds their outputs to ONNX's.

    tools/bazel run --//benchmarks/backends=//benchmarks/backends:onnxruntime //tools/run_model:onnx_conformance
    ... -- --count=200 --seed=7        others, drawn by another seed
    ... -- --only='^test_conv'         those by name

The models and their outputs are those of onnx.backend.test.case.node, of the package onnx that //tools:export_model fetches. Each
is written as model.onnx, inputs.safetensors and reference.safetensors, and run once. A line each: agrees; refused, with the
reason (run_model ended with 3: a type or kind of value that LibTorch does not have); or wrong. Exit codes: 0 all that could be
run agree, 1 one is wrong, 2 none could be run, 3 usage.
"""

import argparse
import glob
import os
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

_RUN_MODEL = "tools/run_model/run_model"
_AGREES, _REFUSED, _WRONG = "agrees", "refused", "wrong"
_LIMIT_S = 120


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="tools/bazel run //tools/run_model:onnx_conformance --",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=40, help="how many models to draw (default: 40)")
    parser.add_argument("--seed", type=int, default=1, help="draws others (default: 1)")
    parser.add_argument("--only", default="", help="a regular expression: all models whose names have it")
    parser.add_argument("--keep", default="", help="an empty folder for the files; otherwise they are removed")
    try:
        return parser.parse_args(arguments)
    except SystemExit as end:
        raise SystemExit(3 if end.code else 0) from end


def drawn(cases, flags):
    """The cases that --only or the seed chooses, by name."""
    cases = sorted((case for case in cases if case.data_sets), key=lambda case: case.name)
    if flags.only:
        return [case for case in cases if re.search(flags.only, case.name)]
    return sorted(random.Random(flags.seed).sample(cases, min(flags.count, len(cases))), key=lambda case: case.name)


def unwritable(values):
    """The first value that safetensors has no place for: text, a list, an optional."""
    import numpy

    for value in values:
        if not isinstance(value, (numpy.ndarray, numpy.generic)) or numpy.asarray(value).dtype.kind not in "biufc":
            return "its data hold %s" % getattr(value, "dtype", type(value).__name__)
    return ""


def write(case, folder):
    """The three files; a reason where that cannot be."""
    import numpy
    from safetensors.numpy import save_file

    inputs, outputs = case.data_sets[0]
    reason = unwritable([*inputs, *outputs])
    if reason:
        return reason
    os.makedirs(folder)
    with open(os.path.join(folder, "model.onnx"), "wb") as f:
        f.write(case.model.SerializeToString())
    for name, declared, values in (("inputs", case.model.graph.input, inputs), ("reference", case.model.graph.output, outputs)):
        tensors = {place.name: numpy.ascontiguousarray(value).reshape(numpy.shape(value)) for place, value in zip(declared, values)}
        save_file(tensors, os.path.join(folder, name + ".safetensors"))
    return ""


def run(case, folder):
    """(what came of it, the reason)."""
    reason = write(case, folder)
    if reason:
        return _REFUSED, reason
    words = ["--model=model.onnx", "--inputs=inputs.safetensors", "--reference=reference.safetensors"]
    words += ["--modes=wall", "--budget=0.05", "--threads=1"]
    environment = {**os.environ, "BUILD_WORKING_DIRECTORY": folder}
    try:
        done = subprocess.run(
            [os.path.abspath(_RUN_MODEL), *words],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _WRONG, "no end after %d s" % _LIMIT_S
    said = done.stderr.strip().splitlines() or done.stdout.strip().splitlines() or ["without a word"]
    if done.returncode == 0 and re.search(r"^verdict +PASS", done.stdout, re.M):
        return _AGREES, ""
    if done.returncode == 3:
        return _REFUSED, said[-1]
    reason = next((line for line in said if line.startswith('output "')), said[-1])
    return _WRONG, "exit code %d: %s" % (done.returncode, reason)


def main():
    for start in glob.glob("../*onnx_python/bin/python"):
        sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(start))), "site"))
    flags = parse(sys.argv[1:])
    from onnx.backend.test.case.node import collect_testcases

    cases = drawn(collect_testcases(), flags)
    counts = dict.fromkeys((_AGREES, _REFUSED, _WRONG), 0)
    with tempfile.TemporaryDirectory() as scratch:
        kept = os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY", ""), flags.keep) if flags.keep else scratch
        with ThreadPoolExecutor(2) as pool:
            ran = pool.map(lambda case: run(case, os.path.join(kept, case.name)), cases)
            for case, (outcome, reason) in zip(cases, ran):
                counts[outcome] += 1
                print("%-8s %s%s" % (outcome, case.name, reason and ": " + reason), flush=True)
    print("%d agree, %d refused, %d wrong" % tuple(counts.values()))
    if counts[_WRONG]:
        return 1
    return 0 if counts[_AGREES] else 2


if __name__ == "__main__":
    sys.exit(main())
