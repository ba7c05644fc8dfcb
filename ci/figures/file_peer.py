"""How fast is a model's file against the Python loader of its format?  tools/bazel run //ci/figures:file_peer -- --help

Both sides load the same file in fresh processes, in ABBA order, //tools:run_model and Python, with the same threads, inputs
and memory policy; each process gives the seconds of loading (without Python's imports), one median of wall time and
its peak of resident memory. Prints the ratios C++ / Python of each pair and their medians: below 1, C++ is faster or smaller.
Python loads by torch.jit.load, aoti_load_package, torch.export.load, onnxruntime.InferenceSession or openvino's
compile_model. Those two packages are no part of any program here: install them into a folder for --site, without the
packages that they need.

    tools/bazel run //tools:export_model -- --case=//benchmarks/resnet:resnet50_fp32_b1 --format=onnx --out=/tmp/resnet50.onnx
    pip install --no-deps --target=/tmp/site onnxruntime==1.31.1 openvino==2026.4.1
    tools/bazel run --//benchmarks/backends=//benchmarks/backends:every //ci/figures:file_peer -- \\
        --model=/tmp/resnet50.onnx --backend=onnxruntime --site=/tmp/site
"""

import argparse
import ctypes
import json
import os
import statistics
import sys
import tempfile
import time

from ci.figures.python_peer import add_flags, median_of, pairs, peak_resident_bytes, run_quietly, serving, shared_flags, timed

_WARM_S = 0.5


# Each imports what it needs and gives the function that loads, which gives the one that calls.
def _torchscript(path, inputs, threads):
    import torch

    def load():
        module = torch.jit.load(path).eval()
        return lambda: module(*inputs.values())

    return load


def _aoti(path, inputs, threads):
    import torch
    import torch._inductor.package

    # The package takes LibTorch's symbols from its process (tools/export/formats.py), where Python keeps them to itself.
    ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so"), ctypes.RTLD_GLOBAL)

    def load():
        module = torch._inductor.aoti_load_package(path)
        return lambda: module(*inputs.values())

    return load


def _exported(path, inputs, threads):
    import torch
    import torch._export.serde.serialize

    def load():
        module = torch.export.load(path).module()
        return lambda: module(*inputs.values())

    return load


def _onnxruntime(path, inputs, threads):
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # as ours
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    feed = {name: tensor.numpy() for name, tensor in inputs.items()}

    def load():
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        return lambda: session.run(None, feed)

    return load


def _openvino(path, inputs, threads):
    import openvino

    properties = {"INFERENCE_NUM_THREADS": threads, "INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY",
                  "ENABLE_CPU_PINNING": False}
    feed = {name: tensor.numpy() for name, tensor in inputs.items()}

    def load():
        compiled = openvino.Core().compile_model(path, "CPU", properties)
        return lambda: compiled(feed)

    return load


LOADERS = {"aoti": _aoti, "exported": _exported, "onnxruntime": _onnxruntime, "openvino": _openvino, "torchscript": _torchscript}


def ordered_inputs(path):
    """{name: tensor} of a safetensors file, in the order of its bytes, which is the model's."""
    from safetensors.torch import load_file

    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    header.pop("__metadata__", None)
    tensors = load_file(path)
    return {name: tensors[name] for name in sorted(header, key=lambda name: header[name]["data_offsets"])}


def serve(options):
    """The Python side: prints the seconds of loading, a median and a peak."""
    import torch

    sys.path.append(options.site)
    torch.set_num_threads(options.threads)
    inputs = ordered_inputs(options.serve)
    with torch.inference_mode():
        load = LOADERS[options.backend](options.model, inputs, options.threads)
        before = time.perf_counter()
        call = timed(load())
        loaded = time.perf_counter() - before
        warm = time.perf_counter()
        while time.perf_counter() - warm < _WARM_S:
            call()
        print(loaded, median_of(call, options.budget), peak_resident_bytes())


def run_model(options, *flags):
    run_quietly(["tools/run_model/run_model", "--model=" + options.model, "--backend=" + options.backend, "--trust", "--verify=off",
                 "--modes=wall", "--allocator=" + options.allocator, *shared_flags(options), *flags,
                 *("--input-spec=" + spec for spec in options.input_spec)])


def cpp_sample(options, folder):
    """(seconds of loading, median seconds, peak bytes) of one C++ process."""
    path = os.path.join(folder, "runs.jsonl")
    run_model(options, "--record=" + path)
    with open(path, encoding="utf-8") as file:
        record = json.loads(file.readlines()[-1])
    (measurement,) = record["measurements"]
    return record["load_s"], measurement["median_ns"] * 1e-9, int(measurement["peak_host_bytes"])


def python_sample(options, inputs):
    """The same of one Python process."""
    said = serving("ci.figures.file_peer", options, "--serve=" + inputs, "--model=" + options.model,
                   "--backend=" + options.backend, "--site=" + options.site)
    loaded, seconds, peak = said[-3:]
    return float(loaded), float(seconds), int(peak)


def main():
    parser = argparse.ArgumentParser(prog="tools/bazel run //ci/figures:file_peer --", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True, help="the file, by its whole path")
    parser.add_argument("--backend", required=True, choices=sorted(LOADERS))
    parser.add_argument("--input-spec", action="append", default=[], help="as of //tools:run_model, for torchscript; may be repeated")
    parser.add_argument("--site", default="", help="folder of onnxruntime or openvino")
    add_flags(parser, budget=2.0)
    options = parser.parse_args()
    if options.serve:
        return serve(options)
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        inputs = os.path.join(folder, "inputs")
        run_model(options, "--export-inputs=" + inputs)
        for sides in pairs(options, lambda: cpp_sample(options, folder), lambda: python_sample(options, inputs)):
            ratios.append([ours / theirs for ours, theirs in zip(*sides)])
            print("pair %d" % len(ratios), *("%s load %.1f ms call %.4f ms peak %.0f MB" % (side, 1e3 * load, 1e3 * call, 1e-6 * peak)
                                             for side, (load, call, peak) in zip(("cpp", "python"), sides)), sep="  ", flush=True)
    cells = ["%.3f (%.3f to %.3f)" % (statistics.median(column), min(column), max(column)) for column in zip(*ratios)]
    name = "%s %s" % (os.path.basename(options.model), options.backend)
    print("\n| file, C++ ÷ Python | load | call | peak memory |\n|---|---|---|---|\n| %s | %s |" % (name, " | ".join(cells)))


if __name__ == "__main__":
    main()
