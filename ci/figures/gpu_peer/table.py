"""The table that holds Assay's figures against Python's: workload, mode, both figures, their ratio, what was expected.

    python3 gpu_peer.py table --records=records.jsonl --peers=peer.jsonl --json=table.json

A rule for each mode says what is expected, and a row is `ok` or says `look`; `-` is a row that no rule judges, with the
reason, as FLAGGED samples of Assay. `look` means that one side is wrong or unlike the other: look at clocks (clock_mhz in
the record), TF32, memory format and algorithms first. A call is launch-bound where Python queues it for more than 80 % of
its time on the device; Assay's check launch_bound says as much of its own.
"""

import argparse
import collections
import json
import statistics
import sys
from typing import NamedTuple, Optional

_LAUNCH_BOUND = 0.8
_US = 1e3


class Row(NamedTuple):
    workload: str
    mode: str
    ours: Optional[float]
    theirs: Optional[float]
    which: str
    expected: str
    verdict: str  # "ok", "look" or "-"
    note: str = ""

    @property
    def ratio(self):
        return self.ours / self.theirs if self.ours is not None and self.theirs else None


class NoComparison(ValueError):
    """The files cannot be held against each other."""


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


# Rules: (ours, theirs, facts) -> (what is expected, whether it is so; None: not judged). Times are in nanoseconds.
def _within(share, slack_ns=0.0):
    text = "within %g %%" % (100 * share) + (" or %g µs" % (slack_ns / _US) if slack_ns else "")
    return lambda ours, theirs, facts: (text, abs(ours - theirs) <= max(share * theirs, slack_ns))


def _at_most(share, why):
    return lambda ours, theirs, facts: ("at most +%g %%: %s" % (100 * share, why), ours <= (1 + share) * theirs)


_LOWER = _at_most(0.02, "C++ is lower by Python's overhead")


def _if_gpu_bound(rule):
    """`rule` where the GPU is what takes the time; launch-bound calls, and those of a CPU, are to be lower in C++."""
    return lambda ours, theirs, facts: (rule if facts["launch_bound"] is False else _LOWER)(ours, theirs, facts)


def _cold(ours, theirs, facts):
    if theirs < 50 * _US:
        return "not judged below 50 µs", None
    return _at_most(0.02, "do_bench does not hold the queue")(ours, theirs, facts)


def _kernels(ours, theirs, facts):
    if facts["kernels"] != 1:
        return "not judged: %g kernels, with gaps between them" % facts["kernels"], None
    slack = 0.01 * theirs
    return "+1 to +3 µs (± 1 %)", 1 * _US - slack <= ours - theirs <= 3 * _US + slack


def _error(ours, theirs, facts):
    if facts["values"] != "exported" and facts["output"] != "result":  # an operator's: equal distributions suffice
        return "not judged: other weights (%s)" % facts["values"], None
    return "the same size: within a factor of 2", ours == theirs or bool(theirs) and 0.5 <= ours / theirs <= 2


def _peak(ours, theirs, facts):
    if "8192" not in facts["probe"] and facts["probe"].startswith(("mm", "conv2d")):
        return "within 3 %, or more: another probe was faster", ours >= 0.97 * theirs
    return "within 3 %", abs(ours - theirs) <= 0.03 * theirs


# (mode, how Python took it) -> (our mode, rule)
RULES = {
    ("wall", "perf_counter"): ("wall", _if_gpu_bound(_within(0.03, 50 * _US))),
    ("throughput", "blocked_autorange"): ("throughput", _if_gpu_bound(_within(0.02))),
    ("enqueue", "perf_counter"): ("enqueue", _at_most(0, "C++ is lower")),
    ("hot", "events"): ("hot", _if_gpu_bound(_within(0.01))),
    ("hot", "nvbench batch"): ("hot", _if_gpu_bound(_within(0.02, 1 * _US))),
    ("cold", "do_bench"): ("cold", _cold),
    ("cold", "nvbench"): ("cold", _within(0.02, 1.5 * _US)),
    ("do_bench", "do_bench"): ("do_bench", _if_gpu_bound(_within(0.01, 0.5 * _US))),
    ("graph", "do_bench_cudagraph"): ("graph", _within(0.01)),
    ("graph", "replay"): ("graph", _within(0.01)),
    ("kernels", "profiler"): ("cold", _kernels),
    ("error", "float64"): ("error", _error),
    ("peak", "events"): ("peak", _peak),
    ("peak", "perf_counter"): ("peak", _peak),
}


class Ours:
    """Assay's figures of one device: by (workload, step, mode), (workload, output) and (peak, dtype)."""

    def __init__(self, records, properties, device):
        self.times, self.flags, self.errors, self.peaks = (collections.defaultdict(list) for _ in range(4))
        self.gpus = set()
        for record in records:
            if record.get("device", "CPU").lower() == device and "benchmark_case" in record:
                self._add(record)
        if "empty_kernel_ns" in properties:
            self.times["empty_kernel", "forward", "cold"].append(float(properties["empty_kernel_ns"]))

    def _add(self, record):
        name = record["benchmark_case"]["name"]
        self.gpus |= {record.get("environment", {}).get("gpu_name", "")} - {""}
        for m in record.get("measurements", []):
            key = (name, m["step"], m.get("preset") or m["mode"])
            self.times[key].append(m["mean_ns"] if m.get("preset") else m["median_ns"])
            flagged = [c["name"] for c in m.get("checks", []) if c.get("status") == "CHECK_FLAGGED"]
            self.flags[key] += [name for name in flagged if name != "launch_bound"]
        for output in record.get("verdict", {}).get("outputs", []):
            self.errors[name, output["name"]].append(output.get("rms_error", 0.0))
        for peak in record.get("peaks", []):
            self.peaks[peak["name"], peak["dtype"]].append((peak["per_s"], peak.get("probe", "")))

    def figure(self, line, mode):
        """(figure, FLAGGED checks or a probe) that stands against a line; (None, "") where there is none."""
        if mode == "peak":
            return max(self.peaks.get((line["peak"], line["dtype"]), [(None, "")]))
        if mode == "error":
            kept = self.errors.get((line["workload"], line["output"]), [])
        else:
            kept = self.times.get((line["workload"], line["step"], mode), [])
        flags = sorted(set(self.flags.get((line["workload"], line.get("step"), mode), [])))
        return (statistics.median(kept) if kept else None), "FLAGGED " + ", ".join(flags) if flags else ""


def gtest_properties(path):
    """The numbers that tests recorded, of a file by --gtest_output=json:FILE."""
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        suites = json.load(file)["testsuites"]
    tests = [test for suite in suites for test in suite["testsuite"]]
    return {name: value for test in tests for name, value in test.items() if name.endswith("_ns")}


def launch_bound(lines, workload, step):
    """Whether Python's calls are; None where a device without a queue, or no figure, leaves it open."""
    own = [line for line in lines if (line.get("workload"), line.get("step")) == (workload, step)]
    median = {(line.get("mode"), line.get("how")): line.get("median_ns") for line in own}
    queued, whole = median.get(("enqueue", "perf_counter")), median.get(("hot", "events"))
    return queued > _LAUNCH_BOUND * whole if queued and whole else None


def _row(line, lines, ours):
    step, mode = line.get("step", "forward"), line.get("mode", "")
    words = [line["workload"], step if step != "forward" else "", *(line.get(what, "") for what in ("peak", "dtype", "output"))]
    workload = " ".join(filter(None, words))
    if "error" in line:
        return Row(workload, mode, None, None, line.get("how", ""), "", "-", line["error"])
    our_mode, rule = RULES[mode, line["how"]]
    theirs = line.get("rms_error", line.get("per_s", line.get("mean_ns" if mode == "do_bench" else "median_ns")))
    which = "%s, %s" % (mode, line["how"]) if our_mode != mode else line["how"]
    figure, note = ours.figure(line, our_mode)
    if figure is None:
        return Row(workload, our_mode, None, theirs, which, "", "-", "no record of it")
    facts = dict(line, launch_bound=launch_bound(lines, line["workload"], step), probe=note)
    expected, right = rule(figure, theirs, facts)
    flagged = note.startswith("FLAGGED")
    verdict = "-" if right is None or flagged else "ok" if right else "look"
    return Row(workload, our_mode, figure, theirs, which, expected, verdict, note)


def _constant(rows):
    """The row of how far the differences between cold and kernel times lie apart, over the workloads of one kernel."""
    different = [row.ours - row.theirs for row in rows if row.expected.startswith("+1 to +3")]
    if len(different) < 2:
        return []
    right = max(different) - min(different) <= 2 * _US
    row = Row("all of one kernel", "cold", max(different), min(different), "kernels: largest and smallest difference",
              "constant: at most 2 µs apart", "ok" if right else "look")
    return [row]


def rows_of(records, lines, properties):
    """All rows. Raises NoComparison where figures of two kinds of GPU would be compared."""
    environment = next((line["environment"] for line in lines if "environment" in line), None)
    if environment is None:
        raise NoComparison("--peers: no line has an environment: gpu_peer.py did not write it")
    ours = Ours(records, properties, environment["device"])
    if ours.gpus - {environment.get("gpu")}:
        raise NoComparison("the records are of %s, the peers of %s: take both on one machine" % (
            ", ".join(sorted(ours.gpus)), environment.get("gpu", "a CPU")))
    rows = [_row(line, lines, ours) for line in lines if "environment" not in line]
    return rows + _constant(rows)


def _figure_text(row, value):
    if value is None:
        return ""
    if row.mode == "error":
        return "%.2e" % value
    return "%.4g T/s" % (value / 1e12) if row.mode == "peak" else "%.2f µs" % (value / _US)


def text_of(rows):
    cells = [("workload", "mode", "Assay", "Python", "ratio", "", "Python's by", "expected")]
    for r in rows:
        ratio = "%.3f" % r.ratio if r.ratio is not None else ""
        why = "; ".join(filter(None, (r.expected, r.note)))
        cells.append((r.workload, r.mode, _figure_text(r, r.ours), _figure_text(r, r.theirs), ratio, r.verdict, r.which, why))
    widths = [max(map(len, column)) for column in zip(*cells)]
    places = (str.ljust, str.ljust, str.rjust, str.rjust, str.rjust, str.ljust, str.ljust, str.ljust)
    lines = ["  ".join(place(c, w) for place, c, w in zip(places, row, widths)).rstrip() for row in cells]
    count = collections.Counter(r.verdict for r in rows)
    return "\n".join(lines + ["%d ok, %d look, %d not judged" % (count["ok"], count["look"], count["-"])])


def main(words):
    parser = argparse.ArgumentParser(prog="gpu_peer.py table", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", required=True, help="Assay's --record")
    parser.add_argument("--peers", required=True, help="gpu_peer.py's --out")
    parser.add_argument("--properties", default="", help="cuda_device_gpu_test's --gtest_output=json:FILE, for the empty kernel")
    parser.add_argument("--json", default="", help="where to write the rows as JSON, too")
    options = parser.parse_args(words)
    try:
        rows = rows_of(read_lines(options.records), read_lines(options.peers), gtest_properties(options.properties))
    except NoComparison as error:
        print("gpu_peer.py table: %s" % error, file=sys.stderr)
        return 3
    except (OSError, ValueError) as error:
        print("gpu_peer.py table: %s" % error, file=sys.stderr)
        return 2
    print(text_of(rows))
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([dict(row._asdict(), ratio=row.ratio) for row in rows], file, indent=1)
    verdicts = {row.verdict for row in rows}
    if verdicts <= {"-"}:
        print("gpu_peer.py table: nothing to compare: no row of %s is judged by %s" % (options.peers, options.records),
              file=sys.stderr)
        return 2
    return 1 if "look" in verdicts else 0
