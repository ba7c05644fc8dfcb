"""An analysis as a table for people, as JSON and as CSV; the last two have every digit, and null or nothing for what is not
known."""

import csv
import io
import json

from artifacts.fetch.redaction import printable
from tools.artifacts.inventory.output import table
from tools.results.cells import csv_cell
from tools.roofline import texts
from tools.roofline.analysis import Estimate, Row

_LONGEST_NAME = 200
_HEAD = ("case", "mode", "dtype", ">time", ">FLOPs", ">bytes", ">FLOP/byte", ">GFLOP/s", ">GB/s", "bound", ">share %")
_HEAD += (">95 % interval", "remarks")


def notes(analysis):
    return "".join("note       %s\n" % printable(note) for note in analysis.notes)


def text(analysis):
    lines = []
    for machine in analysis.machines:
        lines.append("machine    " + printable(machine))
        lines += ["peaks      " + printable(_roof(roof)) for roof in analysis.roofs if roof.machine == machine]
    several = len(analysis.machines) > 1
    rows = [_cells(row) + ((printable(row.machine),) if several else ()) for row in analysis.rows]
    lines += table(_HEAD + (("machine",) if several else ()), rows)
    return "\n".join(lines) + "\n" + notes(analysis)


def _cells(row):
    return (
        printable(row.name)[:_LONGEST_NAME],
        row.mode,
        row.dtype,
        texts.duration(row.time_ns.value),
        texts.by_thousands(row.flops),
        texts.size(row.bytes),
        texts.digits(row.intensity),
        texts.digits(1e-9 * row.flops_per_s),
        texts.digits(1e-9 * row.bytes_per_s),
        row.bound,
        texts.share(row),
        texts.share_interval(row),
        printable("; ".join(row.marks)),
    )


def _roof(roof):
    parts = [
        "%s %s%s (%s)" % (peak["name"], texts.by_thousands(peak["per_s"]), unit, peak.get("probe", ""))
        for peak, unit in ((roof.compute, "FLOP/s"), (roof.memory, "B/s"))
        if peak
    ]
    return "%s: %s" % (roof.dtype, ", ".join(parts) or "not measured")


def as_json(analysis):
    roofs = [
        {"machine": r.machine, "dtype": r.dtype, "compute_flops": _peak(r.compute), "memory_bytes": _peak(r.memory)}
        for r in analysis.roofs
    ]
    rows = [_fields(row) for row in analysis.rows]
    whole = {"schema_version": 2, "machines": analysis.machines, "roofs": roofs, "rows": rows, "notes": analysis.notes}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def as_csv(analysis):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_fields(Row()))
    for row in analysis.rows:
        fields = dict(_fields(row), marks="; ".join(row.marks))
        writer.writerow(["" if value in (None, "-") else csv_cell(value) for value in fields.values()])
    return out.getvalue()


def _known(value):
    return float(value) if value > 0 else None


def _fields(row):
    share = row.share or Estimate()
    return {
        "case": row.name,
        "mode": row.mode,
        "device": row.device,
        "machine": row.machine,
        "dtype": row.dtype,
        "time_ns": _known(row.time_ns.value),
        "time_ci_low_ns": _known(row.time_ns.low),
        "time_ci_high_ns": _known(row.time_ns.high),
        "flops_per_call": _known(row.flops),
        "bytes_per_call": _known(row.bytes),
        "intensity_flops_per_byte": _known(row.intensity),
        "flops_per_s": _known(row.flops_per_s),
        "bytes_per_s": _known(row.bytes_per_s),
        "bound": row.bound,
        "roofline_share": _known(share.value),
        "roofline_share_ci_low": _known(share.low),
        "roofline_share_ci_high": _known(share.high),
        "marks": row.marks,
        "file": row.file,
        "started_utc": row.started_utc,
    }


def _peak(peak):
    if not peak:
        return None
    numbers = {name: _known(peak.get(name, 0)) for name in ("per_s", "ci_low_per_s", "ci_high_per_s")}
    return {"name": peak["name"], **numbers, "probe": peak.get("probe", "")}
