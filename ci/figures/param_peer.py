"""How long does PARAM's way through a configuration file take in C++ against Python?  tools/bazel run //ci/figures:param_peer

Whole processes, from start to exit, in ABBA order, one thread each: //benchmarks/operators:param, and below the algorithm
of facebookresearch/param's training compute benchmark in its mode discrete, forward, on the CPU, with the same torch. It
was written from that algorithm's description (docs/data/param.md); it does less than PARAM where the two differ: no
discovery of workloads, and messages for nobody. Prints wall time and user + system time of each, and the ratios C++ / Python.
Not for what a single operator takes: the lines that both write say that.

    tools/bazel run //ci/figures:param_peer -- --config=simple_mm_range.json -w 5 -i 20 --rounds=4
"""

import argparse
import glob
import itertools
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

CONFIGS = "benchmarks/operators/param/configs/"


def inclusive(first, last, step):
    return range(first, last + 1, step)


def tensors_of(argument):
    """Every tensor that a tensor argument's ranges mean."""
    shape = [inclusive(*size) if isinstance(size, list) else [size] for size in argument["shape"]]
    for sizes in itertools.product(*shape):
        yield dict(argument, shape=list(sizes))


def inputs_of(config, ranges):
    for place, element in enumerate(config["input"]):
        for number, args in enumerate(itertools.product(*(list(tensors_of(a)) for a in element["args"]))):
            yield "%d_%d" % (place, number) if ranges else str(place), list(args)


def serve(options):
    """The Python side."""
    import torch
    from torch.autograd.profiler import record_function

    torch.set_num_threads(1)
    torch.manual_seed(0)

    def passes(function, args, count, label):
        times = []
        with record_function(label):
            for _ in range(count):
                with record_function(label):
                    start = time.perf_counter_ns()
                    output = function(*args)
                    stop = time.perf_counter_ns()
                times.append((stop - start) / 1e6)
        del output
        return times

    with open(options.config, encoding="utf-8") as file, open(options.serve, "w", encoding="utf-8") as out:
        for name, info in json.load(file).items():
            function = getattr(torch, name.split(".")[-1])
            for config_id, config in enumerate(info["config"]):
                for input_id, arguments in inputs_of(config, "input_iterator" in info):
                    args = [torch.rand(*a["shape"], requires_grad=True) for a in arguments]
                    run_id = "%d|0|%s" % (config_id, input_id)
                    label = "[param|%s|%s" % (name, run_id)
                    metric = {"warmup.time": passes(function, args, options.warmup, label),
                              "measure.time": passes(function, args, options.iteration, label)}
                    out.write(json.dumps({"op_name": name, "id": run_id, "metric": {"forward": metric},
                                          "config": {"build": None, "input": {"args": arguments}}}) + "\n")
                    out.flush()


def timed(command):
    """(wall seconds, seconds of CPU) of one process and its children."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    environment = {k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(prog="tools/bazel run //ci/figures:param_peer --", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", default="simple_mm_range.json")
    parser.add_argument("-w", "--warmup", type=int, default=5)
    parser.add_argument("-i", "--iteration", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=4, help="pairs of processes")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options)
    counts = ["-w", str(options.warmup), "-i", str(options.iteration)]
    walls, cpus = [], []
    with tempfile.TemporaryDirectory() as folder:
        commands = {
            "C++": ["benchmarks/operators/param/param", "-c", CONFIGS + options.config, *counts, "-l", "error", "-o", folder + "/cpp"],
            "Python": [sys.executable, "-m", "ci.figures.param_peer", "--config", CONFIGS + options.config, *counts,
                       "--serve", folder + "/python.json"],
        }
        for i in range(options.rounds):
            sides = {side: timed(commands[side]) for side in (("C++", "Python") if i % 2 == 0 else ("Python", "C++"))}
            (cpp, cpp_cpu), (python, python_cpu) = sides["C++"], sides["Python"]
            walls.append(cpp / python)
            cpus.append(cpp_cpu / python_cpu)
            print("pair %d  C++ %6.2f s wall %6.2f s CPU  Python %6.2f s wall %6.2f s CPU  ratios %.3f %.3f" % (
                i + 1, cpp, cpp_cpu, python, python_cpu, walls[-1], cpus[-1]), flush=True)
        with open(folder + "/python.json", encoding="utf-8") as file:
            of_python = [json.loads(line) for line in file]
        with open(glob.glob(folder + "/cpp_*.json")[0], encoding="utf-8") as file:
            of_cpp = [line for line in map(json.loads, file) if "op_name" in line]
        if [line["id"] for line in of_python] != [line["id"] for line in of_cpp]:
            sys.exit("the two did not measure the same inputs")
        calls = [sum(sum(t for times in line["metric"]["forward"].values() for t in times) for line in lines) / 1e3
                 for lines in (of_cpp, of_python)]
    print("%d inputs; wall %.3f (%.3f to %.3f), CPU %.3f; the timed calls alone took %.2f s and %.2f s" % (
        len(of_cpp), statistics.median(walls), min(walls), max(walls), statistics.median(cpus), *calls))


if __name__ == "__main__":
    main()
