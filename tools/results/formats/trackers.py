"""Shared by the writers of formats that services read which follow times over commits: bencher, CodSpeed, Conbench, github-action-benchmark.

A service keeps a time under a name, and nothing else tells two times apart. So a file has one time for each name: the latest. These
formats have no word for a failure, but for Conbench: a run that failed or gave wrong outputs is left out, whatever times it has.

    rows_of(record) = [trackers.row(record, m, entry) for m in trackers.measured(record)]
    render(parts)   = what the service reads, of trackers.latest(parts, NAME): {name: entry}
"""

from tools.results.errors import USAGE, Stop
from tools.results.formats import document as d

one_machine = d.whole_file  # a name says nothing of the machine
KEPT = ("PASS", "NOT_VERIFIED")
LOSSES = {
    **d.LOSSES,
    "samples": lambda r: any(len(m.get("samples_ns", ())) > 1 for m in r.get("measurements", ())),
    "runs that failed (left out)": lambda r: r["outcome"] not in KEPT,
    "runs that were not timed (left out)": d.untimed,
}


def measured(record_):
    """The measurements whose times a service may keep."""
    return [m for m in record_.get("measurements", ()) if m.get("median_ns")] if record_["outcome"] in KEPT else []


def name_of(record_, measurement):
    """ "mlp_fp32_b1/wall"; with another suite's preset (--exec-mode) also its name."""
    return d.full_name(record_, measurement) + ("/" + measurement["preset"] if measurement.get("preset") else "")


def row(record_, measurement, entry):
    """An entry with what latest() needs to know."""
    digest = record_.get("configuration", {}).get("digest", "")
    return {"name": name_of(record_, measurement), "started": record_.get("started_utc", ""), "configuration": digest, "entry": entry}


def latest(parts, form):
    """{name: entry}. Stop if one name is of several configurations: a service would draw them as one line."""
    found = {}
    for one in sorted((one for _, rows in parts for one in rows), key=lambda one: one["started"]):
        before = found.setdefault(one["name"], one)
        if before["configuration"] != one["configuration"]:
            raise Stop(
                USAGE,
                "%s: %s is of several configurations (flags), and the format has one time for a name; choose one: --where=\"configuration = '%s'\""
                % (form, one["name"], one["configuration"]),
            )
        found[one["name"]] = one
    return {name: one["entry"] for name, one in found.items()}


def flagged(measurement):
    return [c["name"] for c in measurement.get("checks", ()) if c.get("status") == "CHECK_FLAGGED"]
