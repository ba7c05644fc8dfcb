"""Why is C++ slower? The same file by run_model and by Python, in turns; then each cause by itself.

run_model --against=python starts it by the Python that is compared; with --serve it is the Python side. It needs no package but torch (for
an ONNX file also onnxruntime or openvino). It prints what both sides take, and a table of causes: a call in C++ as it was asked for, divided
by a call with this one setting changed. Above 1, the setting makes this run slow. Not for comparing builds or machines.
"""

import argparse
import ctypes
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

RETAIN = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "9223372036854775807", "MALLOC_TOP_PAD_": str(64 << 20)}
START = "import sys; exec(compile(sys.argv[1], 'against_python.py', 'exec'))"  # its source is the first argument
_WARM_S = 0.3
_SHARE = 1.03  # a smaller difference is none
_FIRST_CALLS = 10
_SURROUNDINGS = 2
_VARIABLES = ("OMP_", "GOMP_", "KMP_", "MKL_")
_OURS = ("against", "python", "pairs", "budget", "modes", "record", "verify", "action", "reference", "plot")
_PROBE = (
    "import json, os, torch; print(json.dumps({'version': torch.__version__, 'threads': torch.get_num_threads(),"
    " 'config': torch.__config__.show(), 'lib': os.path.join(os.path.dirname(torch.__file__), 'lib')}))"
)


def peak_resident_bytes():
    with open("/proc/self/status", encoding="utf-8") as file:
        (line,) = (line for line in file if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def timed(call):
    """The call, as a function that returns the seconds it took."""

    def seconds():
        before = time.perf_counter()
        call()
        return time.perf_counter() - before

    return seconds


def samples_of(seconds, budget):
    """The values of seconds(), called until the budget is spent."""
    samples, start = [], time.perf_counter()
    while time.perf_counter() - start < budget or len(samples) < 6:
        samples.append(seconds())
    return samples


def median_of(seconds, budget):
    return statistics.median(samples_of(seconds, budget))


def quick(samples):
    """The tenth percentile: other programs, which disturb some calls, hardly move it."""
    return sorted(float(sample) for sample in samples)[len(samples) // 10]


# ---- The Python side. A loader imports what it needs, and gives the function that loads, which gives the one that calls.
def _value(name, kind, tensors):
    """The argument of a script that the tensor `name` gives, or name.0 and name.1, or name.key."""
    if kind.kind() == "OptionalType":
        kind = kind.getElementType()
    if name in tensors:
        if kind.kind() == "ListType":
            return list(tensors[name].unbind(0))
        return tensors[name].item() if kind.kind() in ("IntType", "FloatType", "BoolType") else tensors[name]
    rests = [whole[len(name) + 1 :] for whole in tensors if whole.startswith(name + ".")]
    if kind.kind() == "TupleType":
        return tuple(_value("%s.%d" % (name, i), element, tensors) for i, element in enumerate(kind.elements()))
    if kind.kind() == "ListType":
        count = len({rest.split(".")[0] for rest in rests})
        return [_value("%s.%d" % (name, i), kind.getElementType(), tensors) for i in range(count)]
    value = kind.getValueType()
    deep = value.kind() in ("DictType", "ListType", "TupleType")
    keys = dict.fromkeys(rest.split(".")[0] if deep else rest for rest in rests)
    of = int if kind.getKeyType().kind() == "IntType" else str
    return {of(key): _value("%s.%s" % (name, key), value, tensors) for key in keys}


def _torchscript(options, inputs):
    import torch

    def load():
        module = torch.jit.load(options.model, map_location="cpu").eval()
        if options.float32:
            module = module.float()
        given = {}
        for argument in module.forward.schema.arguments[1:]:
            if any((name + ".").startswith(argument.name + ".") for name in inputs):
                given[argument.name] = _value(argument.name, argument.type, inputs)
        return lambda: module(**given) if given else module(*inputs.values())

    return load


def _aoti(options, inputs):
    import torch
    import torch._inductor.package

    # The package takes LibTorch's symbols from its process (tools/export/formats.py), where Python keeps them to itself.
    ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so"), ctypes.RTLD_GLOBAL)

    def load():
        module = torch._inductor.aoti_load_package(options.model)
        return lambda: module(*inputs.values())

    return load


def _exported(options, inputs):
    import torch
    import torch._export.serde.serialize
    from torch.utils._pytree import tree_unflatten

    def load():
        program = torch.export.load(options.model)
        module, spec, flat = program.module(), program.call_spec.in_spec, list(inputs.values())
        if options.float32:
            module = module.float()
        args, kwargs = tree_unflatten(flat, spec) if spec and spec.num_leaves == len(flat) else (flat, {})
        return lambda: module(*args, **kwargs)

    return load


def _onnxruntime(options, inputs):
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # as ours
    import onnxruntime

    feed = {name: tensor.numpy() for name, tensor in inputs.items()}

    def load():
        session = onnxruntime.InferenceSession(options.model, providers=["CPUExecutionProvider"])
        return lambda: session.run(None, feed)

    return load


def _openvino(options, inputs):
    import openvino

    feed = {name: tensor.numpy() for name, tensor in inputs.items()}
    properties = {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY"}

    def load():
        compiled = openvino.Core().compile_model(options.model, "CPU", properties)
        return lambda: compiled(feed)

    return load


_LOADERS = {"aoti": _aoti, "exported": _exported, "onnxruntime": _onnxruntime, "openvino": _openvino, "torchscript": _torchscript}


def tensors_in(path):
    """{name: tensor} of a safetensors file, without its package; of an npz file; of a folder of input_0.npy, ... by position."""
    import torch

    if not path.endswith(".safetensors"):
        import numpy

        if os.path.isdir(path):
            names = sorted((name for name in os.listdir(path) if name.endswith(".npy")), key=lambda name: int(name[6:-4]))
            return {str(i): torch.from_numpy(numpy.load(os.path.join(path, name))) for i, name in enumerate(names)}
        return {name: torch.from_numpy(array) for name, array in numpy.load(path).items()}
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = bytearray(file.read())
    header.pop("__metadata__", None)
    words = {"F32": "float32", "F64": "float64", "F16": "float16", "BF16": "bfloat16", "I64": "int64", "I32": "int32", "I16": "int16", "I8": "int8", "U8": "uint8", "BOOL": "bool"}
    tensors = {}
    for name, row in header.items():
        (begin, end), dtype = row["data_offsets"], getattr(torch, words[row["dtype"]])
        tensors[name] = (torch.frombuffer(data[begin:end], dtype=dtype) if end > begin else torch.empty(0, dtype=dtype)).reshape(row["shape"])
    return tensors


def inputs_of(options):
    """{name: tensor} of the file, in the order and the dtypes of the model's inputs."""
    import torch

    words = {"FP32": "float32", "FP64": "float64", "FP16": "float16", "BF16": "bfloat16"}
    tensors = tensors_in(options.serve)
    if all(name not in tensors for name, _ in json.loads(options.forms)):
        tensors = dict(zip((name for name, _ in json.loads(options.forms)), tensors.values()))
    return {name: tensors[name].to(getattr(torch, words.get(dtype, dtype.lower()))) for name, dtype in json.loads(options.forms)}


def serve(options):
    """Prints the seconds of loading, of the first call and of a call, and the peak of memory."""
    import torch

    inputs = inputs_of(options)
    if options.float32:
        inputs = {name: tensor.float() if tensor.is_floating_point() else tensor for name, tensor in inputs.items()}
    with torch.inference_mode():
        load = _LOADERS[options.backend](options, inputs)
        before = time.perf_counter()
        call = timed(load())
        loaded = time.perf_counter() - before
        first = call()
        warm = time.perf_counter()
        while time.perf_counter() - warm < _WARM_S:
            call()
        print(json.dumps({"load": loaded, "first": first, "call": quick(samples_of(call, options.budget)), "peak": peak_resident_bytes()}))


# ---- Both sides.
class Failed(Exception):
    """(what to say, the exit code)."""


def split(word):
    """(name, "=" or "", value) of a word that is a flag; ("", "", "") of another."""
    name, equals, value = word.lstrip("-").partition("=")
    return (name.replace("_", "-"), equals, value) if word.startswith("-") else ("", "", "")


def without(words, names):
    """A command line without these flags, --name=value or --name and the value as the next word."""
    kept, words = [], list(words)
    while words:
        word = words.pop(0)
        name, equals, _ = split(word)
        if name in names:
            if not equals and words and not words[0].startswith("-"):
                words.pop(0)
        else:
            kept.append(word)
    return kept


def value_of(words, name):
    """The value of a flag in a command line, in either spelling; "": it is not there."""
    for word, following in zip(words, [*words[1:], ""]):
        flag, equals, value = split(word)
        if flag == name:
            return value if equals else following
    return ""


def cpp_sample(options, words, environment=None, cpus=None):
    """The figures of a process of run_model, as serve() prints them, and its record."""
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "record.jsonl")
        command = [options.program, *words, "--verify=off", "--modes=wall", "--budget=%g" % options.budget, "--record=" + record]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, env=environment,
                              preexec_fn=cpus and (lambda: os.sched_setaffinity(0, cpus)))
        if done.returncode:
            raise Failed(done.stderr.strip() or "run_model ended with %d" % done.returncode, done.returncode if done.returncode > 0 else 1)
        with open(record, encoding="utf-8") as file:
            said = json.loads(file.readlines()[-1])
    (row,) = said["measurements"]
    return {"load": said["load_s"], "first": row["first_call_ns"] * 1e-9, "call": quick(row["samples_ns"]) * 1e-9, "peak": int(row["peak_host_bytes"]), "record": said}


def python_sample(options, inputs, *flags):
    command = [options.python, "-c", START, sys.argv[1], "--serve=" + inputs, "--model=" + options.model, "--backend=" + options.backend, "--budget=%g" % options.budget, "--forms=" + options.forms, *flags]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise Failed("%s cannot run %s: %s" % (options.python, options.model, (done.stderr.strip().splitlines() or ["without a word"])[-1]), _SURROUNDINGS)
    return json.loads(done.stdout.strip().splitlines()[-1])


def probe(python):
    """torch's version, threads and build there. Failed, with the reason, if there is none."""
    try:
        done = subprocess.run([python, "-c", _PROBE], capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise Failed("%s cannot be started: %s" % (python, error.strerror), _SURROUNDINGS) from error
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        raise Failed("%s cannot import torch: %s" % (python, (done.stderr.strip().splitlines() or ["it says nothing"])[-1]), _SURROUNDINGS) from None


def chosen_python(options, folder):
    """(what probe() says, whose it is), and options.python. The pinned Python is built where the default has no torch."""
    try:
        return probe(options.python), options.python
    except Failed as failed:
        workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
        if options.python_given or not workspace:
            advice = "give the one that has it, --python=FILE" + ("" if workspace else ", or start by tools/bazel run, which brings one")
            raise Failed("%s; %s" % (failed.args[0], advice), _SURROUNDINGS) from None
        print("python    %s; Bazel makes the pinned one (0.6 GB the first time)" % failed.args[0], file=sys.stderr, flush=True)
        options.python = os.path.join(folder, "python")
        command = [workspace + "/tools/bazel", "run", "--noshow_progress", "--script_path=" + options.python, "@oracle_python//:python"]
        if subprocess.run(command, cwd=workspace, check=False, stdout=sys.stderr).returncode:
            raise Failed("the pinned Python could not be built; why stands above", _SURROUNDINGS) from None
        return probe(options.python), "the pinned one"


class Cause:
    """One setting: what it is here and what is tried, the words and variables that try it, and what sets it in a program."""

    def __init__(self, name, here, tried, advice, words=(), replaced=(), variables=None, cpus=None, python=()):
        self.name, self.here, self.tried, self.advice = name, here, tried, advice
        self.words, self.replaced, self.variables, self.cpus, self.python = list(words), replaced, variables or {}, cpus, python
        self.ratios = []

    def sample(self, options, base, inputs):
        if self.python:
            return python_sample(options, inputs, *self.python)["call"]
        return cpp_sample(options, *together([self], base))["call"]

    def median(self):
        return statistics.median(self.ratios)

    def slows(self):
        return bool(self.ratios) and min(self.ratios) > 1 and self.median() > _SHARE


def together(causes, base):
    """(words, environment, CPUs) of a C++ process in which all of these are changed."""
    words, environment, cpus = list(base), dict(os.environ), None
    for cause in causes:
        words = without(words, cause.replaced) + cause.words
        for name, value in cause.variables.items():
            environment.pop(name, None)
            if value is not None:
                environment[name] = value
        cpus = cause.cpus or cpus
    return words, environment, cpus


def causes_of(options, record, python, config):
    """The settings in which a program in C++ may differ from Python."""
    settings = record["configuration"]["settings"]
    here, allowed, all_cpus = record["environment"]["threads"], os.sched_getaffinity(0), os.cpu_count()
    found = []
    other = python["threads"] if python["threads"] != here else 1 if here > 1 else min(len(allowed), all_cpus)
    if other != here:
        found.append(Cause("threads", here, other, "at::set_num_threads(%d)" % other, ["--threads=%d" % other], ["threads"]))

    def switch(name, flag, on, off, default, advice):
        is_on = settings.get("backend." + flag, default) == "true"
        found.append(Cause(name, on if is_on else off, off if is_on else on, advice, ["--%s=%s" % (flag, "false" if is_on else "true")]))

    if options.backend in ("torchscript", "exported", "aoti"):
        switch("denormals", "flush_denormal", "flushed", "kept", "false", "at::globalContext().setFlushDenormal(true)")
    if options.backend == "torchscript":
        switch("grad mode", "torchscript_grad", "on", "off", "false", "c10::InferenceMode guard; around the calls")
        switch("profiling executor", "torchscript_profiling", "on", "off", "true", "torch::jit::getProfilingMode() = false")
        if any(len(tensor.get("shape", [])) == 4 for tensor in record["workload"]["inputs"]):
            last = settings["memory-format"] == "channels_last"
            names = ["contiguous", "channels_last"]
            found.append(Cause("memory format", names[last], names[not last], "weights and inputs: .contiguous(at::MemoryFormat::ChannelsLast)",
                               ["--memory-format=" + names[not last]], ["memory-format"]))
    retains = settings["allocator"] == "retain"
    found.append(Cause("allocator", settings["allocator"], "default" if retains else "retain",
                       "mallopt(M_MMAP_MAX, 0), or LD_PRELOAD of jemalloc", ["--allocator=" + ("default" if retains else "retain")], ["allocator"]))
    variables = {name: value for name, value in os.environ.items() if name.startswith(_VARIABLES)}
    if variables:
        text = ", ".join("%s=%s" % row for row in sorted(variables.items()))
        found.append(Cause("variables", text, "unset", "unset them", variables=dict.fromkeys(variables)))
    if len(allowed) < all_cpus:
        found.append(Cause("affinity", "%d of %d CPUs" % (len(allowed), all_cpus), "all CPUs", "sched_setaffinity, taskset, cpuset", cpus=range(all_cpus)))
    elif "OMP_PROC_BIND" not in variables:
        found.append(Cause("affinity", "any CPU", "bound", "OMP_PROC_BIND=true", variables={"OMP_PROC_BIND": "true"}))
    dtype = record["benchmark_case"]["dtype"]
    if dtype != "FP32" and options.backend in ("torchscript", "exported"):
        found.append(Cause("data type, in Python", dtype.lower(), "fp32", "module.to(at::kFloat), inputs too", python=["--float32"]))
    if python["config"] != config and options.backend in ("torchscript", "exported", "aoti"):
        found.append(Cause("build of LibTorch", "this program's", "Python's", "link the LibTorch that Python has", variables={"LD_LIBRARY_PATH": python["lib"]}))
    return found


def time_text(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3)):
        if seconds >= scale:
            return "%.4g %s" % (seconds / scale, unit)
    return "%.4g us" % (seconds * 1e6)


def range_text(ratios):
    return "%.3f (%.3f .. %.3f)" % (statistics.median(ratios), min(ratios), max(ratios))


def table(rows):
    """Rows of words, with two blanks between their columns."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(row, widths)).rstrip() for row in rows)


def sides_text(cpp, python):
    rows = [("", "load", "first call", "a call, p10", "peak memory")]
    for name, samples in (("C++", cpp), ("Python", python)):
        middle = {key: statistics.median(sample[key] for sample in samples) for key in ("load", "first", "call", "peak")}
        rows.append((name, *(time_text(middle[key]) for key in ("load", "first", "call")), "%.0f MB" % (middle["peak"] / 1e6)))
    ratios = [[ours[key] / theirs[key] for ours, theirs in zip(cpp, python)] for key in ("load", "first", "call", "peak")]
    rows.append(("C++ ÷ Python", *("%.3f" % statistics.median(column) for column in ratios[:2]), range_text(ratios[2]), "%.3f" % statistics.median(ratios[3])))
    return table(rows)


def first_calls(cpp):
    """The cause that every benchmark without a warm-up has."""
    cause = Cause("first calls", "left out", "first %d timed" % _FIRST_CALLS, "call it some times before the clock runs")
    cause.ratios = [_FIRST_CALLS * s["call"] / (s["first"] + (_FIRST_CALLS - 1) * s["call"]) for s in cpp]
    return cause


def causes_text(causes):
    rows = [("cause", "here", "tried", "here ÷ tried", "in your program")]
    for cause in sorted(causes, key=lambda cause: -cause.median() if cause.ratios else math.inf):
        rows.append((cause.name, str(cause.here), str(cause.tried), range_text(cause.ratios) if cause.ratios else "cannot run", cause.advice))
    return table(rows)


def verdict_text(causes, ratio, left):
    slow = sorted((cause for cause in causes if cause.slows()), key=lambda cause: -cause.median())
    lines = ["because   %s: %s here; with %s a call is %.2f times as fast" % (c.name, c.here, c.tried, c.median()) for c in slow]
    if not slow:
        lines = ["because   none of these settings makes this run slow"]
    if left:
        lines.append("left      C++ ÷ Python with %s changed: %s" % (", ".join(c.name for c in slow), range_text(left)))
    elif ratio > _SHARE:
        lines.append("left      %.2f times, which no setting here explains; --profile shows the operators" % ratio)
    return "\n".join(lines)


def against(options):
    with tempfile.TemporaryDirectory() as folder:
        python, whose = chosen_python(options, folder)
        if python["version"].split("+")[0] != options.torch_version:
            raise Failed("%s has torch %s, and this program LibTorch %s: both must be of one version; pip install torch==%s there, or --python=FILE" % (
                whose, python["version"], options.torch_version, options.torch_version), _SURROUNDINGS)
        print("python    %s, torch %s" % (whose, python["version"]))
        differ = sorted(set(options.config.splitlines()) ^ set(python["config"].splitlines()))
        print("build     " + ("of LibTorch: the same on both sides" if not differ else "of LibTorch differs:\n" + "\n".join("          " + line.strip() for line in differ)), flush=True)
        base = without(options.words, _OURS)
        inputs = value_of(options.words, "inputs")
        if not inputs:
            inputs = os.path.join(folder, "inputs.safetensors")
            done = subprocess.run([options.program, *base, "--export-inputs=" + inputs], capture_output=True, text=True, errors="replace", check=False)
            if done.returncode:
                raise Failed(done.stderr.strip(), done.returncode)
        record = cpp_sample(options, base)["record"]  # also reads the files from the disk
        own = record["benchmark_case"]["dtype"]
        options.forms = json.dumps([(tensor["name"], tensor.get("dtype", own)) for tensor in record["workload"].get("inputs", [])])
        cpp, theirs, causes = [], [], None
        for i in range(options.pairs):
            pair = [lambda: cpp.append(cpp_sample(options, base)), lambda: theirs.append(python_sample(options, inputs))]
            for side in pair if i % 2 == 0 else pair[::-1]:
                side()
            causes = causes or causes_of(options, record, python, options.config)
            for cause in causes if i % 2 == 0 else causes[::-1]:
                try:
                    cause.ratios.append((theirs if cause.python else cpp)[-1]["call"] / cause.sample(options, base, inputs))
                except Failed:
                    pass  # shown as what cannot run
        print("\n%s\n\n%s\n" % (sides_text(cpp, theirs), causes_text(causes + [first_calls(cpp)])))
        slow = [cause for cause in causes if cause.slows() and not cause.python]
        left = []
        for _ in range(options.pairs if slow else 0):
            left.append(cpp_sample(options, *together(slow, base))["call"] / python_sample(options, inputs)["call"])
        ratio = statistics.median(ours["call"] / other["call"] for ours, other in zip(cpp, theirs))
        print(verdict_text(causes, ratio, left))


def main(arguments):
    parser = argparse.ArgumentParser()
    for flag in ("program", "model", "backend", "torch-version", "config", "python", "serve"):
        parser.add_argument("--" + flag, default="")
    parser.add_argument("--forms", default="[]")
    parser.add_argument("--python-given", action="store_true")
    parser.add_argument("--float32", action="store_true")
    parser.add_argument("--pairs", type=int, default=3)
    parser.add_argument("--budget", type=float, default=0.5)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args(arguments)
    try:
        serve(options) if options.serve else against(options)
    except Failed as failed:
        print("assay: --against=python: " + failed.args[0], file=sys.stderr)
        return failed.args[1]
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[2:]))
