"""How fast is a case against the same model in eager Python?  tools/bazel run //tools/figures:python_peer -- --help

Both sides run in fresh processes, in ABBA order, with the same weights, input shapes, threads and memory policy (Python
repeats the rows that the runner exports); each process gives one median of wall time. Prints the ratio C++ / Python of
each pair and their median: below 1, C++ is faster. Not for comparing builds or machines.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

RETAIN = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "9223372036854775807", "MALLOC_TOP_PAD_": str(64 << 20)}


def case_entry(label):
    """The registry's entry of a case."""
    with open("benchmarks/registry.json", encoding="utf-8") as file:
        registry = json.load(file)
    for case in registry["cases"]:
        if case["benchmarkCase"]["label"] == label:
            (model,) = (m for m in registry["models"] if m["name"] == case["benchmarkCase"]["model"])
            (implementation,) = (i for i in registry["implementations"] if i["name"] == model["implementation"])
            return dict(case, implementation=implementation)
    sys.exit("no case %s; tools/bazel run //benchmarks:list names them" % label)


def cpp_median(options, record):
    package = options.case[2:].split(":")[0]
    command = [
        "%s/runner" % package, "--case=benchmarks/registry.pb", "--case_name=" + options.case, "--verify=off", "--modes=wall",
        "--threads=%d" % options.threads, "--budget=%g" % options.budget, "--allocator=" + options.allocator, "--record=" + record,
    ]
    environment = {k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    with open(record, encoding="utf-8") as file:
        last = json.loads(file.readlines()[-1])
    return last["measurements"][0]["median_ns"] * 1e-9


def python_median(options, state):
    environment = dict(os.environ, **(RETAIN if options.allocator == "retain" else {}))
    command = [sys.executable, "-m", "tools.figures.python_peer", "--serve=" + state, "--case=" + options.case,
               "--threads=%d" % options.threads, "--budget=%g" % options.budget]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment)
    return float(done.stdout.split()[-1])


def serve(options):
    """The Python side: prints one median."""
    import torch
    from safetensors.torch import load_file

    from tools.artifacts.generate.compute import DTYPES, Family, load
    from tools.artifacts.generate.registry import _value

    torch.set_num_threads(options.threads)
    case = case_entry(options.case)
    parameters = {name: _value(v) for name, v in case["measured"]["parameters"].items()}
    family = Family(case["implementation"]["referenceScript"])
    module = family.module({"parameters": parameters})
    dtype = dict(DTYPES, fp64=torch.float64)[case["benchmarkCase"]["dtype"].lower()]
    load(module, load_file(options.serve + ".state"))
    module = module.to(dtype)
    batch = int(case["measured"]["batch"])
    inputs = {}
    for name, tensor in load_file(options.serve + ".inputs").items():
        rows = tensor.repeat((batch + tensor.shape[0] - 1) // tensor.shape[0], *[1] * (tensor.dim() - 1))[:batch]
        inputs[name] = rows.to(dtype) if rows.is_floating_point() else rows
    with torch.inference_mode():
        family.script.forward(module, inputs)
        warm = time.perf_counter()
        while time.perf_counter() - warm < 0.5:
            family.script.forward(module, inputs)
        samples, start = [], time.perf_counter()
        while time.perf_counter() - start < options.budget or len(samples) < 6:
            before = time.perf_counter()
            family.script.forward(module, inputs)
            samples.append(time.perf_counter() - before)
    print(statistics.median(samples))


def main():
    parser = argparse.ArgumentParser(prog="tools/bazel run //tools/figures:python_peer --", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", default="//benchmarks/resnet:resnet50_fp32_b8")
    parser.add_argument("--rounds", type=int, default=6, help="pairs of processes")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--budget", type=float, default=4.0, help="seconds of sampling in each process")
    parser.add_argument("--allocator", choices=["retain", "default"], default="retain", help="of both sides")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options)
    with tempfile.TemporaryDirectory() as folder:
        state, package = os.path.join(folder, "x"), options.case[2:].split(":")[0]
        subprocess.run([package + "/runner", "--case=benchmarks/registry.pb", "--case_name=" + options.case,
                        "--export_state=%s.state" % state, "--export_inputs=%s.inputs" % state], check=True,
                       env={k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"})
        ratios = []
        for i in range(options.rounds):
            sides = {}
            for side in ("cpp", "python") if i % 2 == 0 else ("python", "cpp"):
                sides[side] = cpp_median(options, os.path.join(folder, "r.jsonl")) if side == "cpp" else python_median(options, state)
            ratios.append(sides["cpp"] / sides["python"])
            print("pair %d  C++ %8.2f ms  Python %8.2f ms  ratio %.3f" % (i + 1, sides["cpp"] * 1e3, sides["python"] * 1e3, ratios[-1]), flush=True)
    print("%s, %d threads, allocator %s: C++ / Python median %.3f, lowest %.3f, highest %.3f of %d pairs" % (
        options.case, options.threads, options.allocator, statistics.median(ratios), min(ratios), max(ratios), len(ratios)))


if __name__ == "__main__":
    main()
