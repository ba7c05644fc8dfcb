"""How do latencies under load compare with Python's?  tools/bazel run //ci/figures:serving_peer -- --help

LoadGen's Python module with eager PyTorch on torchvision's resnet18, and //benchmarks/resnet:resnet18_fp32_b1 --scenario=..., in turns. Both answer
one request at a time in a thread of their own, with as many threads. Needs LoadGen's module in a folder:

    pip install --target=/tmp/loadgen mlcommons-loadgen==6.0.17
    tools/bazel run //ci/figures:serving_peer -- --loadgen=/tmp/loadgen --qps=10 --duration=12 --rounds=3
"""

import argparse
import json
import os
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time

_CASE = "//benchmarks/resnet:resnet18_fp32_b1"
_SAMPLES = 32


def python_latencies(options, loadgen, torch, model, inputs):
    """Sorted latencies in seconds, from when LoadGen sent a request."""
    requests, latencies = queue.SimpleQueue(), []

    def answer():
        torch.set_num_threads(options.threads)
        with torch.inference_mode():
            while (request := requests.get()) is not None:
                sample, sent = request
                model(inputs[sample.index : sample.index + 1])
                loadgen.QuerySamplesComplete([loadgen.QuerySampleResponse(sample.id, 0, 0)])
                latencies.append(time.perf_counter() - sent)

    worker = threading.Thread(target=answer)
    worker.start()
    settings = loadgen.TestSettings()
    settings.mode = loadgen.TestMode.PerformanceOnly
    settings.scenario = loadgen.TestScenario.Server if options.qps else loadgen.TestScenario.SingleStream
    settings.min_duration_ms = int(options.duration * 1000)
    settings.min_query_count = 1
    if options.qps:
        settings.server_target_qps = options.qps
        settings.server_target_latency_ns = 1 << 60
    settings.schedule_rng_seed = 2  # as --load-seed=0
    system = loadgen.ConstructSUT(lambda samples: [requests.put((s, time.perf_counter())) for s in samples], lambda: None)
    library = loadgen.ConstructQSL(_SAMPLES, _SAMPLES, lambda _: None, lambda _: None)
    logs = loadgen.LogSettings()
    logs.enable_trace = False
    output = loadgen.LogOutputSettings()
    output.outdir = options.folder
    logs.log_output = output
    loadgen.StartTestWithLogSettings(system, library, settings, logs)
    requests.put(None)
    worker.join()
    loadgen.DestroyQSL(library)
    loadgen.DestroySUT(system)
    return sorted(latencies)


def own_latencies(options):
    """p50 and p90 in seconds of the suite's own run; the case is built with LoadGen."""
    record = os.path.join(options.folder, "record.jsonl")
    scenario = ["--scenario=server", "--qps=%g" % options.qps] if options.qps else ["--scenario=single_stream"]
    flags = ["--duration=%gs" % options.duration, "--threads=%d" % options.threads, "--record=" + record]
    subprocess.run(
        ["tools/bazel", "run", "--noshow_progress", "--//benchmarks/harness/runner/serving:load=//benchmarks/harness/runner/serving:loadgen", _CASE, "--"]
        + scenario + flags, cwd=os.environ["BUILD_WORKSPACE_DIRECTORY"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    with open(record, encoding="utf-8") as file:
        (served,) = json.loads(file.readlines()[-1])["served"]
    times = [p["ns"] * 1e-9 for p in served["percentiles"][:2]]
    if len(times) < 2:
        sys.exit("serving_peer: p90 needs 64 queries, and there were %s; give a longer --duration" % served["queries"])
    return times


def main():
    parser = argparse.ArgumentParser(prog="tools/bazel run //ci/figures:serving_peer --", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--loadgen", required=True, help="the folder with LoadGen's Python module")
    parser.add_argument("--qps", type=float, default=0, help="queries a second; 0: one request after another")
    parser.add_argument("--duration", type=float, default=10, help="seconds of each run")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.qps and options.qps * options.duration < 100:  # arrivals are random
        parser.error("p90 needs 64 queries; %g seconds at %g a second may bring fewer. Give --duration=%d" %
                     (options.duration, options.qps, -(-100 // options.qps)))
    sys.path.insert(0, options.loadgen)
    import mlperf_loadgen as loadgen  # from that folder
    import torch
    import torchvision

    torch.manual_seed(0)
    model = torchvision.models.resnet18().eval()
    inputs = torch.rand(_SAMPLES, 3, 224, 224)
    ratios = []
    with tempfile.TemporaryDirectory() as options.folder:
        for i in range(options.rounds):
            theirs = python_latencies(options, loadgen, torch, model, inputs)
            p50, p90 = theirs[len(theirs) // 2], theirs[int(len(theirs) * 0.9)]
            ours = own_latencies(options)
            ratios.append((ours[0] / p50, ours[1] / p90))
            print("round %d  Python p50 %.1f ms, p90 %.1f ms of %d   C++ p50 %.1f ms, p90 %.1f ms   ratios %.3f, %.3f"
                  % (i + 1, 1e3 * p50, 1e3 * p90, len(theirs), 1e3 * ours[0], 1e3 * ours[1], *ratios[-1]), flush=True)
    print("medians of the ratios C++ / Python: p50 %.3f, p90 %.3f" % tuple(statistics.median(r) for r in zip(*ratios)))


if __name__ == "__main__":
    main()
