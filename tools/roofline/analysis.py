"""How close each measured step of some records comes to the peaks that its machine reached.

The roofline: a call that computes F operations and moves B bytes takes at least

    max(F / compute, B / memory)

and its share of the roofline is that time over its own. compute is the peak of this name that --peaks keeps in a record
(benchmarks/harness/runner/measure/peak_probes.h), memory the higher one of stream and read. F counts products only: a step without
counted products is compared with memory alone.

A share whose interval lies above 1 has a reason if the record's figures give one: without the operations or bytes that the
call may have been spared (products with padding, what the last cache can hold from one call to the next) the interval would
reach 1, or the peak was FLAGGED. Else it is a finding, which a note says.

The share's interval comes from those of the time and of the peak by the method MOVER on a logarithmic scale (Donner and Zou,
Statistical Methods in Medical Research 21 (2012)): the distances of a limit from its estimate are added as squares, which
takes the two for independent.

    found = analyse([Input("runs.jsonl", records)], peak_inputs=[], selection=Selection())
    sort(found.rows, "share")

A record is a dict with fields of record.proto (records.py); one that is absent is empty or 0.
"""

import dataclasses
import math
import re
from typing import NamedTuple, Optional

from tools.roofline import texts

# On the CPU a call that takes less than this many times what the clock reads around an empty function is called
# launch-bound. The smallest operator's way through LibTorch's dispatcher and allocator takes 28 to 50 times as long
# (docs/roofline.md), a quarter to a half of the time here.
LAUNCH_FACTOR = 100
DTYPES = ("fp32", "fp64", "bf16", "fp16", "int64", "int32", "bool")  # suite.proto's, in its order
UNKNOWN, COMPUTE, MEMORY, LAUNCH = "-", "compute", "memory", "launch"  # what binds a call

_COMPUTE = ("compute", "gemm")  # older records have "gemm", of a matrix product alone
_MEMORY = ("stream", "read")
_FLUSHED = ("cold", "do_bench")  # modes that empty the cache before each call
_ON_CPU, _ON_GPU = ("wall",), ("cold", "wall")  # the modes that are shown, in the order of preference


class Estimate(NamedTuple):
    """With its 95 % interval; low and high are 0 where there is none."""

    value: float = 0.0
    low: float = 0.0
    high: float = 0.0

    @property
    def has_interval(self):
        return self.low > 0 and self.high > 0


@dataclasses.dataclass
class Row:
    """One step of one record. Numbers are 0 where they are not known."""

    name: str = ""  # "resnet18_fp32_b1", "mm_fp32_m256_k256_n256_backward/backward"
    mode: str = ""
    machine: str = ""  # "cpu Intel(R) Xeon(R) Processor, 2 threads"
    device: str = ""  # "cpu", "cuda"
    dtype: str = "-"  # "fp32"; "-": none
    time_ns: Estimate = Estimate()
    flops: float = 0.0  # of a call
    bytes: float = 0.0
    bound: str = UNKNOWN
    share: Optional[Estimate] = None  # 1 is the roof
    marks: list = dataclasses.field(default_factory=list)  # what a reader has to know before the numbers are used
    file: str = ""
    started_utc: str = ""

    @property
    def intensity(self):
        """Operations a byte."""
        return self.flops / self.bytes if self.bytes > 0 else 0.0

    @property
    def flops_per_s(self):
        return 1e9 * self.flops / self.time_ns.value if self.time_ns.value > 0 else 0.0

    @property
    def bytes_per_s(self):
        return 1e9 * self.bytes / self.time_ns.value if self.time_ns.value > 0 else 0.0


class Roof(NamedTuple):
    """The peaks of one machine in one dtype, as the record has them."""

    machine: str
    dtype: str
    compute: Optional[dict]
    memory: Optional[dict]


class Analysis(NamedTuple):
    rows: list
    roofs: list  # those that the rows were compared with; of several records the middle
    machines: list  # of the rows, each once
    notes: list  # what a reader has to know of the whole


class Selection(NamedTuple):
    filter: str = ""  # a regular expression that matches somewhere in the name
    dtype: str = ""  # "bf16"; empty: all
    mode: str = ""  # the mode, or preset, of the measurement; empty: see _chosen()


class Input(NamedTuple):
    """A file of records by its name."""

    path: str
    records: list
    problems: tuple = ()  # of lines that are no records, as messages


def ratio(a, b):
    """a / b, with an interval where both have one."""
    value = a.value / b.value
    if not a.has_interval or not b.has_interval:
        return Estimate(value)
    down = math.hypot(math.log(a.value / a.low), math.log(b.high / b.value))
    up = math.hypot(math.log(a.high / a.value), math.log(b.value / b.low))
    return Estimate(value, value * math.exp(-down), value * math.exp(up))


def analyse(inputs, peak_inputs, selection):
    """Rows are in the order of the files. A record without peaks of its own takes the highest of those that any record,
    of `inputs` or `peak_inputs`, has of the same machine and dtype: a machine that was busy reaches less, never more."""
    analyst = _Analyst([r for i in [*inputs, *peak_inputs] for r in i.records if r.get("peaks")], selection)
    for given in inputs:
        analyst.add(given)
    return analyst.finish()


KEYS = {
    "share": lambda row: row.share.value if row.share else 0.0,
    "time": lambda row: row.time_ns.value,
    "flops": lambda row: row.flops,
    "bytes": lambda row: row.bytes,
    "intensity": lambda row: row.intensity,
    "name": None,
    "file": None,
}


def sort(rows, key, backwards=False):
    """Numbers from the largest on, names by the alphabet, "file" as they are; rows without the number come last."""
    if key == "file":
        rows[:] = rows[::-1] if backwards else rows
    elif key == "name":
        rows.sort(key=lambda row: row.name, reverse=backwards)
    else:
        number = KEYS[key]
        sign = 1 if backwards else -1
        rows.sort(key=lambda row: (number(row) <= 0, sign * number(row)))


def _machine(record):
    environment = record.get("environment", {})
    if record.get("device") == "CUDA":
        return "cuda " + (environment.get("gpu_name") or "of unknown model")
    threads = environment.get("threads", 0)
    return "cpu %s, %s" % (environment.get("cpu_model") or "of unknown model", texts.counted(threads, "thread"))


def _dtype(record):
    case = record.get("benchmark_case", {})
    return (case.get("execution", {}).get("autocast") or case.get("dtype") or "-").lower()


def _rounding(record):
    """The dtype to which products and convolutions of float32 are rounded: on a GPU perhaps to TF32, on a CPU perhaps to bf16."""
    if _dtype(record) != "fp32":
        return ()
    if record.get("device") == "CUDA":
        environment = record.get("environment", {})
        return environment.get("tf32_matmul", False), environment.get("tf32_cudnn", False)
    return (record.get("benchmark_case", {}).get("execution", {}).get("matmul_precision") == "MEDIUM",)


def _key(record):
    """Two records may share peaks where these are equal."""
    return _machine(record), _dtype(record), _rounding(record)


def _higher(peak, record, names):
    """`peak` or a higher one of these names that the record has."""
    for other in record.get("peaks", []):
        if other.get("name") in names and other.get("per_s", 0) > (peak or {}).get("per_s", 0):
            peak = other
    return peak


def _method(measurement):
    return measurement.get("preset") or measurement.get("mode", "")


def _chosen(record, mode):
    """For each step the measurement to show; None where it was not measured in the mode asked for. If none is asked for it is that
    of wall, on a GPU of cold, and else the first. Peaks are measured by the GPU's own timer, and so is cold; wall is also the host's
    time to queue the work."""
    chosen, modes = {}, _ON_GPU if record.get("device") == "CUDA" else _ON_CPU
    for m in record.get("measurements", []):
        step = m.get("step", "")
        other = chosen.setdefault(step, None)
        if mode:
            better = other is None and _method(m) == mode
        else:
            better = other is None or _rank(m, modes) < _rank(other, modes)
        if better:
            chosen[step] = m
    return chosen


def _rank(measurement, modes):
    method = _method(measurement)
    return modes.index(method) if method in modes else len(modes)


def _marks(record, m):
    if record.get("outcome") != "PASS":
        yield record.get("outcome", "")
    flagged = [check["name"] for check in m.get("checks", []) if check.get("status") == "CHECK_FLAGGED"]
    if flagged:
        yield "FLAGGED " + " ".join(flagged)
    if m.get("injected_share", 0) > 0:
        yield "injected %.3g %%" % (100 * m["injected_share"])


def _is_slowed(m):
    """Whether the host's queueing takes most of the time."""
    return any(
        check.get("name") == "launch_bound" and check.get("status") in ("CHECK_NOTED", "CHECK_FLAGGED") for check in m.get("checks", [])
    )


def _is_slowed_in_wall(record, m):
    """Whether a call whose time is that of the GPU's timer takes longer for whoever awaits it."""
    walls = [o for o in record.get("measurements", []) if _method(o) == "wall" and o.get("step") == m.get("step")]
    return _method(m) == "cold" and any(map(_is_slowed, walls))


def _is_launch_bound(record, m):
    if _is_slowed(m):
        return True
    null_ns = m.get("null_ns", 0)
    return record.get("device") != "CUDA" and null_ns > 0 and m.get("median_ns", 0) < LAUNCH_FACTOR * null_ns


def _share(work, peak, time_ns):
    """Work that takes at least work / peak seconds, against the time that it took."""
    known = time_ns.has_interval
    per_s = Estimate(
        1e9 * work / time_ns.value, 1e9 * work / time_ns.high if known else 0, 1e9 * work / time_ns.low if known else 0
    )
    return ratio(per_s, Estimate(peak["per_s"], peak.get("ci_low_per_s", 0), peak.get("ci_high_per_s", 0)))


def _compare(compute, memory, row):
    """Finds what limits a row, and how close the row comes to that limit."""
    computes, moves = row.flops > 0, row.bytes > 0
    if row.time_ns.value > 0 and (not computes or compute) and (not moves or memory) and (computes or moves):
        compute_s = row.flops / compute["per_s"] if computes else 0
        memory_s = row.bytes / memory["per_s"] if moves else 0
        row.bound = COMPUTE if compute_s > memory_s else MEMORY
        work, peak = (row.flops, compute) if compute_s > memory_s else (row.bytes, memory)
        row.share = _share(work, peak, row.time_ns)
    elif moves and not computes:
        row.bound = MEMORY


def _is_above(share, spared=0.0):
    """`spared`: the part of the work that the call may not have done."""
    return (share.low if share.has_interval else share.value) * (1 - spared) > 1


def _why_above(record, m, peak, row):
    """The reason that the record gives for a row above the peak that binds it; empty: none is enough."""
    if row.bound == COMPUTE:
        padding = m.get("padding_flops_per_call", 0) / row.flops
        if not _is_above(row.share, padding):
            return "padding: %.2g %% of the FLOPs multiply zeros" % (100 * padding)
    else:
        environment = record.get("environment", {})
        on_gpu = record.get("device") == "CUDA"
        cache = environment.get("gpu_l2_bytes" if on_gpu else "cpu_cache_bytes", 0)
        held = min(cache / row.bytes, 1.0)
        if _method(m) not in _FLUSHED and not _is_above(row.share, held):
            size, needed = texts.size(cache), texts.size(row.bytes)
            if held < 1:
                return "the last cache can hold %s of %s" % (size, needed)
            return "fits the last cache (%s of %s)" % (needed, size)
    return "its peak was FLAGGED" if "FLAGGED" in peak.get("probe", "") else ""


class _Analyst:
    def __init__(self, sources, selection):
        self._sources = [(_key(record), record) for record in sources]
        self._selection, self._filter = selection, re.compile(selection.filter)
        self._rows, self._notes, self._used = [], [], {}
        self._without_peaks = set()
        self._slowed_in_wall = self._lent = self._unexplained = self._without_cost = self._not_in_mode = 0

    def add(self, given):
        self._notes += ["left out: %s" % problem for problem in given.problems]
        for record in given.records:
            for step, m in (_chosen(record, self._selection.mode) or {"": {}}).items():
                if m is None:
                    self._not_in_mode += 1
                else:
                    self._add(given.path, record, step, m)

    def finish(self):
        roofs = [
            Roof(machine, dtype, _middle(compute), _middle(memory))
            for (machine, dtype), (compute, memory) in sorted(self._used.items(), key=_place)
        ]
        machines = list(dict.fromkeys(row.machine for row in self._rows))
        return Analysis(self._rows, roofs, machines, self._notes + list(self._closing_notes(machines)))

    def _peaks_for(self, record):
        """Its own; of what it lacks, the highest that a record may lend it. Memory has no dtype."""
        key = _key(record)
        compute, memory = _higher(None, record, _COMPUTE), _higher(None, record, _MEMORY)
        lacks_compute, lacks_memory = compute is None, memory is None
        for other, source in self._sources if lacks_compute or lacks_memory else []:
            if lacks_compute and other == key:
                compute = _higher(compute, source, _COMPUTE)
            if lacks_memory and other[0] == key[0]:
                memory = _higher(memory, source, _MEMORY)
        return compute, memory, bool(lacks_compute and compute or lacks_memory and memory)

    def _add(self, path, record, step, m):
        case = record.get("benchmark_case", {}).get("name", "")
        row = Row(
            name=case if step in ("", "forward") else "%s/%s" % (case, step),
            mode=_method(m),
            machine=_machine(record),
            device=record.get("device", "").lower(),
            dtype=_dtype(record),
            time_ns=Estimate(m.get("median_ns", 0), m.get("ci_low_ns", 0), m.get("ci_high_ns", 0)),
            flops=m.get("flops_per_call", 0),
            bytes=m.get("bytes_per_call", 0),
            marks=list(_marks(record, m)),
            file=path,
            started_utc=record.get("started_utc", ""),
        )
        if not self._filter.search(row.name) or self._selection.dtype not in ("", row.dtype):
            return
        compute, memory, lent = self._peaks_for(record)
        _compare(compute, memory, row)
        used = self._used.setdefault((row.machine, row.dtype), ({}, {}))
        for peak, kept in zip((compute, memory), used):
            if peak:
                kept[id(peak)] = peak
        self._lent += bool(row.share and lent)
        if not row.share and row.time_ns.value > 0:
            if row.flops > 0 or row.bytes > 0:
                self._without_peaks.add("%s, %s" % (row.machine, row.dtype.replace("-", "no dtype")))
            else:
                self._without_cost += 1
        if row.share and _is_above(row.share):
            why = _why_above(record, m, compute if row.bound == COMPUTE else memory, row)
            row.marks.append("above the roof, " + (why or "no reason found"))
            self._unexplained += not why
        if m and _is_launch_bound(record, m):
            row.bound = LAUNCH
        self._slowed_in_wall += _is_slowed_in_wall(record, m)
        self._rows.append(row)

    def _closing_notes(self, machines):
        if len(machines) > 1:
            yield "records of several machines, each compared with its own peaks: " + "; ".join(machines)
        if self._without_peaks:
            yield (
                "no share without peaks, and there are none of %s; --peaks with a case's command measures them, or for all "
                "records of that machine and dtype: tools/bazel run //benchmarks/operators:mm_fp32_m256_k256_n256 -- --peaks "
                "--record=peaks.jsonl (also mm_bf16_…, mm_fp16_…), and here --peaks=peaks.jsonl"
                % "; ".join(sorted(self._without_peaks))
            )
        if self._slowed_in_wall:
            yield "%s in mode wall by the host, which queues the work: --mode=wall shows them so" % texts.counted(
                self._slowed_in_wall, "row is slowed", "rows are slowed"
            )
        if self._lent:
            yield "%s compared with peaks of another record of the same machine" % texts.counted(self._lent, "row is", "rows are")
        if self._unexplained:
            yield (
                "%s above the roof, and no figure of its record says why, which is a finding: the peak is too low, the count "
                "too high, or work is missing; measure again with --peaks, alone on the machine"
                % texts.counted(self._unexplained, "row is", "rows are")
            )
        if self._without_cost:
            yield "%s neither operations nor bytes that are known" % texts.counted(self._without_cost, "row has", "rows have")
        if self._not_in_mode:
            steps = texts.counted(self._not_in_mode, "step")
            yield "left out: %s that were not measured in mode %s" % (steps, self._selection.mode)


def _place(used):
    machine, dtype = used[0]
    return machine, DTYPES.index(dtype) if dtype in DTYPES else -1


def _middle(peaks):
    """The peak in the middle of those that were used."""
    ordered = sorted(peaks.values(), key=lambda peak: peak.get("per_s", 0))
    return ordered[len(ordered) // 2] if ordered else None
