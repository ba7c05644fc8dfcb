"""NVIDIA's nvbench, by its Python package cuda-bench, on an empty kernel and on operators of workloads.PLAN.

gpu_peer.py runs it in a process of its own: nvbench keeps what was registered, runs once, and may end its process.

    lines = nvbench_peer.measure({"empty_kernel": lambda: torch.cuda._sleep(0)}, "cuda_bench-0.3.0-cp312-....whl", folder)

A line is `cold`, isolated calls with a flushed cache, or `hot`, many calls in a row. Kernels are torch's, on nvbench's
stream, and must not wait for the device: nvbench holds its queue while they are launched.
"""

import glob
import importlib
import os
import sys
import zipfile

from ci.figures.gpu_peer import clocks

EMPTY = "empty_kernel"


def find_wheel(folder):
    """The wheel for this Python in a folder; "" where there is none."""
    return max(glob.glob(os.path.join(folder, "cuda_bench-*-cp%d%d-*.whl" % sys.version_info[:2])), default="")


def unpack(wheel, folder):
    """Makes cuda.bench importable out of a wheel, beside other parts of `cuda` that are installed."""
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    sys.path.append(folder)
    import cuda

    if os.path.join(folder, "cuda") not in list(cuda.__path__):
        cuda.__path__.append(os.path.join(folder, "cuda"))


def measure(calls, wheel, folder):
    """Runs calls, {name: function}; lines of gpu_peer.py, one for each of them and mode."""
    import torch

    if wheel:
        unpack(wheel, folder)
    # Not `import cuda.bench`, which wants a package cuda.bindings, to ask it for the version of CUDA alone.
    native = importlib.import_module("cuda.bench.cu%s._nvbench" % torch.version.cuda.split(".")[0])
    for name, call in calls.items():
        native.register(_benchmark(name, call))
    out = os.path.join(folder, "nvbench.json")
    native.run_all_benchmarks(["nvbench", "--devices", "0", "--timeout", "3", "--jsonbin", out])
    from cuda.bench.results import BenchmarkResult

    return [line for name, result in BenchmarkResult.from_json(out).items() for line in state_lines(name, result[0])]


def _benchmark(name, call):
    import torch

    def on(stream):
        return torch.cuda.stream(torch.cuda.ExternalStream(stream.addressof()))

    def launch(launched):
        with on(launched.get_stream()):
            call()

    def run(state):
        with on(state.get_stream()):
            for _ in range(3):  # memory and kernels are there before the queue is held
                call()
        torch.cuda.synchronize()
        state.set_blocking_kernel_timeout(2.0)
        state.exec(launch)

    run.__name__ = name  # nvbench's name for it
    return run


def state_lines(name, state):
    """The lines of one state (cuda.bench.results): `samples` are seconds, `summaries` go by tag."""
    shared = {"workload": name, "step": "forward"}
    if state.is_skipped or not state.samples:
        return [dict(shared, mode="cold", how="nvbench", error=state.skip_reason or "nvbench took no sample")]
    cold = [1e9 * s for s in state.samples]
    lines = [dict(shared, **clocks.figure("cold", "nvbench", cold))]
    batch = state.summaries.get("nv/batch/time/gpu/mean")
    if batch:
        lines.append(dict(shared, mode="hot", how="nvbench batch", median_ns=1e9 * batch.value, mean_ns=1e9 * batch.value))
    return lines
