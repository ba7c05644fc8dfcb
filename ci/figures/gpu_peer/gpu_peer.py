"""Assay's workloads in Python on the same device, and the table that holds Assay's figures against them.

    python3 gpu_peer.py --out=peer.jsonl                                          the plan, in 70 seconds, on the GPU
    python3 gpu_peer.py --out=peer.jsonl --export='gpu_runner --case={package}/cases.pb --case-name={label}'    with Assay's own weights
    python3 gpu_peer.py --out=peer.jsonl --device=cpu --workloads=mlp_fp32_b64,resnet50_fp32_b8 --seconds=20
    python3 gpu_peer.py table --records=records.jsonl --peers=peer.jsonl --json=table.json

Needs a Python with torch, triton, torchvision and transformers, and of this tree what //ci/figures/gpu_peer:bundle packs.
Both sides: float32 without TF32, cudnn.benchmark off, inference mode, eval mode; training steps with the case's first
optimizer, fused. Each figure is one JSON line, written at once: a run that is killed keeps what it has. An exception is
a line, too, and the rest goes on. nvbench runs if the wheel of cuda-bench lies beside this file (--nvbench).

Exit codes: 0 everything measured; 2 there is no such device (NO_DEVICE), or something has no figure: its line says why;
3 usage. Of table: 0 every row is ok; 1 a row says look; 2 there is nothing to compare; 3 usage.
"""

import argparse
import functools
import gc
import json
import os
import subprocess
import sys
import tempfile
import time

from ci.figures.gpu_peer import clocks, nvbench_peer, table, workloads

_NVBENCH_SECONDS = 60
_NO_TIME = "no time left: give more --seconds"


class Lines:
    """The file of figures; counts the lines that have none."""

    def __init__(self, path):
        self._file, self.without_figure = open(path, "w", encoding="utf-8"), 0

    def add(self, line, **shared):
        line = {**shared, **line}
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        if "error" in line:
            self.without_figure += 1
            print(*filter(None, (line["workload"], line.get("step"), line.get("mode"))), line["error"], sep=": ", file=sys.stderr)


def reason_of(error):
    """An exception in one line."""
    return ("%s: %s" % (type(error).__name__, error)).strip().split("\n")[0][:160]


def cases():
    """The registry's entries by name (cases.py)."""
    with open(os.path.join(os.path.dirname(table.__file__), "cases.json"), encoding="utf-8") as file:
        return {entry["benchmark_case"]["name"]: entry for entry in json.load(file)}


def environment(device):
    import torch

    facts = {"device": device.name, "torch": torch.__version__, "python": sys.version.split()[0]}
    facts["threads"] = torch.get_num_threads()
    if device.graphs:
        facts.update(gpu=torch.cuda.get_device_name(), cudnn=torch.backends.cudnn.version())
    return facts


def make_alike():
    """The settings that are Assay's defaults."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = False


def attempt(add, mode, take):
    """Adds the figures that take() returns, or the line of its exception."""
    try:
        for figure in take():
            add(figure)
    except Exception as error:
        add({"mode": mode, "error": reason_of(error)})


def measure_workload(workload, device, step, until, add):
    """Every mode of a workload, each with an equal share of the time that is left, and its errors."""
    clocks.warm_up(workload.call, device, 0.3)
    modes = clocks.modes(device, step)
    for i, (name, take) in enumerate(modes.items()):
        left = until - time.monotonic()
        if left < 0 and i:
            add({"mode": name, "error": _NO_TIME})
            continue
        seconds = min(max(left / (len(modes) - i) / 2, 0.05), 1.0)  # a half: pilots, captures and profiles take time, too
        attempt(add, name, lambda: take(workload.call, device, seconds))
    if workload.errors:
        shared = {"mode": "error", "how": "float64", "values": workload.values}
        attempt(add, "error", lambda: [dict(shared, output=name, rms_error=rms) for name, rms in workload.errors().items()])


def measure(plan, device, options, lines):
    import torch

    entries, end = cases(), time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory() as folder:
        exports = workloads.Exports(options.export, folder)
        for i, (name, step, weight) in enumerate(plan):
            add = functools.partial(lines.add, workload=name, step=step)
            left = end - time.monotonic()
            if left <= 0:
                add({"error": _NO_TIME})
                continue
            try:
                until = time.monotonic() + left * weight / sum(w for _, _, w in plan[i:])
                workload = workloads.prepare(entries[name], step, torch.device(device.name), exports)
                with torch.inference_mode(not workload.trains):
                    measure_workload(workload, device, step, until, add)
            except Exception as error:
                add({"error": reason_of(error)})
            workload = None
            gc.collect()  # before the next workload's memory is taken


def measure_peaks(device, add):
    """The peaks that the machine reaches: products of random values and a copy, as Assay's --peaks names them."""
    import torch

    n, copied = (8192, 8 << 30) if device.graphs else (1024, 1 << 28)

    def peak(name, dtype, work, call):
        (taken,) = (clocks.hot if device.graphs else clocks.wall)(call, device, 0.5)
        add({"mode": "peak", "how": taken["how"], "peak": name, "dtype": dtype, "per_s": 1e9 * work / taken["median_ns"]})

    for name, dtype in (("BF16", torch.bfloat16), ("FP32", torch.float32)):
        a, b = (torch.rand(n, n, device=device.name).mul(2).sub(1).to(dtype) for _ in range(2))
        out = torch.empty_like(a)
        peak("compute", name, 2 * n**3, lambda a=a, b=b, out=out: torch.mm(a, b, out=out))
    source = torch.ones(copied // 4, device=device.name)
    target = torch.zeros_like(source)
    peak("stream", "FP32", 2 * copied, lambda: target.copy_(source))


def serve_nvbench(plan, options):
    """The process that nvbench runs in: its lines go to --out."""
    import torch

    entries = cases()
    with torch.inference_mode(), tempfile.TemporaryDirectory() as folder:
        calls = {nvbench_peer.EMPTY: lambda: torch.cuda._sleep(0)}
        for name, step, _ in plan:
            calls[name] = workloads.prepare(entries[name], step, torch.device("cuda"), None).call
        taken = nvbench_peer.measure(calls, options.nvbench, folder)
    with open(options.out, "w", encoding="utf-8") as file:
        json.dump(taken, file)
    return 0


def measure_nvbench(plan, options, lines):
    operators = [name for name, _, _ in plan if "operator_call" in cases()[name]["benchmark_case"]]
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "lines.json")
        words = ["nvbench", "--out=" + out, "--workloads=" + ",".join(operators), "--nvbench=" + options.nvbench]
        command = [sys.executable, "-m", __spec__.name if __spec__ else "gpu_peer", *words]
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
                                  timeout=_NVBENCH_SECONDS, cwd=sys.path[0])
            if not os.path.exists(out):  # its exit code may be that of the driver's end
                raise RuntimeError("exit code %d: %s" % (done.returncode, done.stderr.strip().split("\n")[-1]))
            with open(out, encoding="utf-8") as file:
                for line in json.load(file):
                    lines.add(line)
        except Exception as error:
            lines.add({"workload": "nvbench", "error": reason_of(error)})


def run(plan, options):
    import torch

    device = clocks.Gpu() if options.device == "cuda" else clocks.Cpu()
    lines = Lines(options.out)
    lines.add({"environment": environment(device)})
    measure(plan, device, options, lines)
    if "peaks" in options.chosen:
        with torch.inference_mode():
            add = functools.partial(lines.add, workload="peaks")
            attempt(add, "peak", lambda: measure_peaks(device, add) or [])
    if "nvbench" in options.chosen:
        measure_nvbench(plan, options, lines)
    return 2 if lines.without_figure else 0


def parse(words):
    known = list(dict.fromkeys(name for name, _, _ in workloads.PLAN)) + ["peaks", "nvbench"]
    wheel = nvbench_peer.find_wheel(os.path.dirname(os.path.abspath(sys.argv[0])))
    parser = argparse.ArgumentParser(prog="gpu_peer.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, help="JSON lines; replaces the file")
    parser.add_argument("--workloads", default="", help="some of %s; default: all; on the CPU all but nvbench" % ", ".join(known))
    parser.add_argument("--seconds", type=float, default=70, help="for all workloads; peaks take 4 s more, nvbench 30")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--export", default="", metavar="COMMAND",
                        help="starts Assay's runner on a case, {label} of {package}: weights and inputs come from it")
    parser.add_argument("--nvbench", default=wheel, metavar="WHEEL", help="of cuda-bench, for this Python")
    options = parser.parse_args(words)
    by_default = known if options.device == "cuda" else known[:-1]
    options.chosen = [w for w in options.workloads.split(",") if w] or by_default
    unknown = [w for w in options.chosen if w not in known]
    if unknown:
        parser.error("--workloads: no %s; there are %s" % (", ".join(unknown), ", ".join(known)))
    return options


def main(words):
    try:
        if words[:1] == ["table"]:
            return table.main(words[1:])
        serves = words[:1] == ["nvbench"]
        options = parse(words[1:] if serves else words)
        make_alike()
        return (serve_nvbench if serves else run)([row for row in workloads.PLAN if row[0] in options.chosen], options)
    except SystemExit as end:
        return 3 if end.code else 0
    except (clocks.NoDevice, ImportError, OSError) as error:
        print("gpu_peer.py: %s" % error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
