"""How Python times a call, mode by mode as benchmarks/harness/sampling/modes.h names them, with what people use there.

    device = clocks.Gpu()                                # or clocks.Cpu()
    clocks.warm_up(call, device, seconds=0.3)
    for take in clocks.modes(device, "forward").values(): take(call, device, seconds=0.5)

Each take returns a list of figures: dictionaries with `mode`, `how` and, in nanoseconds a call, `median_ns` and `mean_ns`.
Nothing of Assay's code is in them, but its rule of how many calls make a chunk (sampling/chunk.h).
Not for judging the figures (table.py), nor NVIDIA's nvbench (nvbench_peer.py).
"""

import json
import math
import os
import statistics
import tempfile
import time

_LEAST_SAMPLES = 6  # unless they take four times the seconds; then two
_KERNEL_CALLS = 20  # that torch.profiler looks at


class NoDevice(RuntimeError):
    """There is no such device; the message says what to do."""


class Cpu:
    name, graphs = "cpu", False
    now = staticmethod(time.perf_counter)

    def synchronize(self):
        pass


class Gpu:
    """The CUDA device that torch takes, and its current stream."""

    name, graphs = "cuda", True
    now = staticmethod(time.perf_counter)

    def __init__(self):
        import torch

        if not torch.cuda.is_available():
            raise NoDevice("NO_DEVICE: torch %s sees no GPU: look at nvidia-smi, or give --device=cpu" % torch.__version__)
        self._cuda = torch.cuda
        # Twice the L2 cache, and at least what Triton's do_bench clears.
        size = max(2 * torch.cuda.get_device_properties(0).L2_cache_size, 256 << 20)
        self._flushed = torch.zeros(size // 4, dtype=torch.int32, device="cuda")

    def synchronize(self):
        self._cuda.synchronize()

    def flush(self):
        """Reads and writes more than the cache holds, by a kernel that no workload has: kernel times are sorted by name."""
        self._flushed.bitwise_xor_(1)

    def event_ns(self, calls):
        """Nanoseconds between two events around calls()."""
        before, after = (self._cuda.Event(enable_timing=True) for _ in range(2))
        before.record()
        calls()
        after.record()
        self._cuda.synchronize()
        return before.elapsed_time(after) * 1e6

    def captured(self, call, count):
        """A function that replays `count` recorded calls."""
        import torch

        side = self._cuda.Stream()
        side.wait_stream(self._cuda.current_stream())
        graph = self._cuda.CUDAGraph()
        with self._cuda.stream(side):
            call()  # on the stream that is recorded: cuBLAS and cuDNN keep a workspace for each
            self._cuda.synchronize()
            graph.capture_begin(capture_error_mode="thread_local")
            try:
                for _ in range(count):
                    call()
            except Exception:
                _end_failed_capture(torch, graph)
                raise
            graph.capture_end()
        return graph.replay


def _end_failed_capture(torch, graph):
    """torch 2.11 goes on taking memory for a graph whose capture failed: this ends it, so that later workloads can go on."""
    try:
        graph.capture_end()
    except RuntimeError:
        pool = graph.pool()
        torch._C._cuda_endAllocateToPool(torch.cuda.current_device(), pool)
        torch._C._cuda_releasePool(torch.cuda.current_device(), pool)


def figure(mode, how, samples, **more):
    """A line's content; samples are in nanoseconds a call."""
    both = {"median_ns": statistics.median(samples), "mean_ns": statistics.fmean(samples)}
    return dict(mode=mode, how=how, **both, samples=len(samples), **more)


def sampled(sample, device, seconds):
    """The values that sample() returned, over and over for so long."""
    samples, start, took = [], device.now(), 0.0
    while took < seconds or len(samples) < 2 or (len(samples) < _LEAST_SAMPLES and took < 4 * seconds):
        samples.append(sample())
        took = device.now() - start
    return samples


def warm_up(call, device, seconds):
    sampled(call, device, seconds)
    device.synchronize()


def wall(call, device, seconds):
    def sample():
        start = device.now()
        call()
        device.synchronize()
        return (device.now() - start) * 1e9

    return [figure("wall", "perf_counter", sampled(sample, device, seconds))]


def enqueue(call, device, seconds):
    def sample():
        start = device.now()
        call()
        took = device.now() - start
        device.synchronize()
        return took * 1e9

    return [figure("enqueue", "perf_counter", sampled(sample, device, seconds))]


def throughput(call, device, seconds):
    import torch
    from torch.utils import benchmark

    timer = benchmark.Timer("call()", globals={"call": call}, num_threads=torch.get_num_threads())
    taken = timer.blocked_autorange(min_run_time=seconds)
    return [figure("throughput", "blocked_autorange", [t * 1e9 for t in taken.times], calls=taken.number_per_run)]


def chunk_calls(call_ns):
    """How many calls a chunk has: 1 ms of them, and 20 unless they take more than 20 ms."""
    return max(1, math.ceil(1e6 / call_ns), min(20, math.floor(20e6 / call_ns)))


def _repeat(call, count):
    for _ in range(count):
        call()


def _chunk(call, device):
    return chunk_calls(max(device.event_ns(lambda: _repeat(call, 5)) / 5, 1.0))


def hot(call, device, seconds):
    count = _chunk(call, device)
    samples = sampled(lambda: device.event_ns(lambda: _repeat(call, count)) / count, device, seconds)
    return [figure("hot", "events", samples, calls=count)]


def graph(call, device, seconds):
    """Our own replay first: where a call cannot be captured, do_bench_cudagraph is not asked to do it as well."""
    from triton import testing

    count = _chunk(call, device)
    replay = device.captured(call, count)
    replay()
    device.synchronize()
    taken = [figure("graph", "replay", sampled(lambda: device.event_ns(replay) / count, device, seconds), calls=count)]
    of_triton = [ms * 1e6 for ms in testing.do_bench_cudagraph(call, return_mode="all")]
    return taken + [figure("graph", "do_bench_cudagraph", of_triton)]


def do_bench(call, device, seconds):
    """One run of Triton's do_bench with its own settings; its median stands against cold, its mean against the preset."""
    from triton import testing

    samples = [ms * 1e6 for ms in testing.do_bench(call, return_mode="all")]
    return [figure(mode, "do_bench", samples) for mode in ("cold", "do_bench")]


def kernels(call, device, seconds):
    """The kernels' own times (CUPTI) in calls with a flushed cache."""
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CUDA]) as taken:
        for i in range(1 + _KERNEL_CALLS):
            device.flush()
            device.synchronize()
            if i:
                call()
        device.synchronize()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        taken.export_chrome_trace(path)
        with open(path, encoding="utf-8") as file:
            return [kernel_figure(json.load(file)["traceEvents"], _KERNEL_CALLS)]


def kernel_figure(events, calls):
    """The figure of a trace whose first kernel is a flush; one more flush stands before each of `calls` calls."""
    device = [e for e in events if e.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset")]
    device.sort(key=lambda e: e["ts"])
    durations = [1e3 * e["dur"] for e in device if e["name"] != device[0]["name"]]
    if not durations:
        raise RuntimeError("torch.profiler saw no kernel: CUPTI may be in use or forbidden")
    each = durations if len(durations) == calls else [sum(durations) / calls]
    return figure("kernels", "profiler", each, kernels=len(durations) / calls)


# name -> the function that takes it, the most important first
ON_A_GPU = {
    "wall": wall,
    "throughput": throughput,
    "hot": hot,
    "cold": do_bench,
    "enqueue": enqueue,
    "kernels": kernels,
    "graph": graph,
}


def modes(device, step):
    """The modes of a workload on a device, as ON_A_GPU has them."""
    if step in ("prefill", "generate"):  # generate() waits for each token itself
        return {"wall": wall}
    return ON_A_GPU if device.graphs else {name: ON_A_GPU[name] for name in ("wall", "throughput")}
