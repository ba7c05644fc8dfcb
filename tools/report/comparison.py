"""What //tools:compare found, as its JSON has it (compare --json=FILE), as a table, a picture and a page.

    found = comparison.read("compare.json", "compare.json")     # None for another file
    comparison.table(found), comparison.pictures_of(found)

The decisions and intervals are compare's own; nothing is computed anew.
"""

from tools.report import pictures
from tools.report.tables import Table
from tools.results.anonymity import without_folders
from tools.results.errors import SURROUNDINGS, Stop
from tools.results.formats import document, registry

_SERIES = ("case", "mode", "verdict", "pairs")
_MOST_PAIR_PICTURES = 12


def read(path, shown):
    """The dictionary, or None where the file holds something else."""
    with open(path, "rb") as f:
        head = f.read(4096)
    if not head.lstrip().startswith(b"{") or b'"same_sides"' not in head or b'"pairs_each_look"' not in head:
        return None
    try:
        found = document.load(registry.text(path, shown))
        series = found["series"]
        if not all(name in one for one in series for name in _SERIES):
            raise ValueError("a series lacks one of %s" % ", ".join(_SERIES))
    except (ValueError, KeyError, TypeError) as error:
        raise Stop(SURROUNDINGS, "%s: looks like compare's JSON, and is not whole: %s" % (shown, error)) from None
    if not series:
        raise Stop(SURROUNDINGS, "nothing to report: %s compared no case" % shown)
    return found


def _name(one):
    return "%s/%s" % (one["case"], one["mode"])


def _side(found, name):
    return without_folders(str(found.get(name, name)))


def _estimate(one):
    """(ratio, low, high) or three None."""
    estimate = one.get("estimate") or {}
    low, high = estimate.get("interval") or (None, None)
    return estimate.get("ratio"), low, high


def _of_time(found):
    """Whether its figures, whose names end with _ns, are nanoseconds."""
    return found.get("metric") != "instructions"


def table(found):
    rows = []
    for one in found["series"]:
        ratio, low, high = _estimate(one)
        q = (one.get("estimate") or {}).get("q_value")
        medians = [one.get(name) for name in ("baseline_median_ns", "candidate_median_ns")]
        rows.append([_name(one), *medians, ratio, low, high, q, one["verdict"], len(one["pairs"]), one.get("reason") or ""])
    unit = "ns" if _of_time(found) else found["metric"]
    columns = ["Case/mode", ">Baseline " + unit, ">Candidate " + unit, ">Ratio", ">Low", ">High", ">q", "Verdict", ">Pairs", "Reason"]
    title = "%s against %s" % (_side(found, "candidate"), _side(found, "baseline"))
    left_out = [one for one in found["series"] if _estimate(one)[0] is None]
    notes = ["a ratio above 1: the candidate is slower; intervals and decisions are those of //tools:compare"]
    notes += ["without a ratio: %d of %d" % (len(left_out), len(rows))] if left_out else []
    return Table(title, columns, rows, notes + list(found.get("notes", ())), picture=pictures_of(found)[0][1])


def pictures_of(found):
    """[(name, picture)]: all ratios, then the pairs of each case."""
    known = [(one, *_estimate(one)) for one in found["series"]]
    known = [part for part in known if part[1] is not None]
    ratios = pictures.Series(
        "ratio",
        [_name(one) for one, *_ in known],
        *(list(part) for part in list(zip(*known))[1:] or ([], [], [])),
        labels=["%.4f  %s" % (ratio, one["verdict"]) for one, ratio, *_ in known],
    )
    metric = found.get("metric", "wall")
    title = "%s of the candidate over that of the baseline; above 1 the candidate is slower\ncandidate  %s\nbaseline   %s" % (
        {"wall": "Time", "cpu": "CPU time", "min": "Shortest time", "instructions": "Instructions"}.get(metric, metric),
        _side(found, "candidate"),
        _side(found, "baseline"),
    )
    height = min(2 + 0.4 * max(len(known), 1), 200)
    series = [ratios] if known else []
    made = [("Ratios", pictures.Picture(title, "case", "ratio", "intervals", series, reference=1.0, height=height))]
    for one in found["series"][:_MOST_PAIR_PICTURES]:
        series = []
        for side in ("baseline", "candidate"):
            values = [(i, pair.get(side + "_ns")) for i, pair in enumerate(one["pairs"], 1)]
            values = [(i, value / 1e6) for i, value in values if value is not None]
            if values:
                series.append(pictures.Series(side, *(list(part) for part in zip(*values))))
        picture = pictures.Picture("Medians of the processes of " + _name(one), "pair", "ms" if _of_time(found) else "millions", "lines", series)
        made += [(_name(one), picture)] if series else []
    return made
