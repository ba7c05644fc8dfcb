"""Runs under load (--scenario): a table for each case with a row for each rate, and the curve of throughput against latency.

    tables = served.tables(points, connection)           # [Table], or nothing where no case was served
    served.REPORT                                        # "served", the same as a report
    served.changes(old, new, connection)                 # [Table]: of two sources, rate by rate; no decisions

A row is what `tools:results -- query served` says of the last run of each configuration on each machine. A curve has a point for
each rate of one run. Its knee is the rate with the most answered queries a second divided by the median latency
(benchmarks/harness/runner/serving/serving_lines.cc).
"""

import json
from typing import NamedTuple

from tools.report import pictures
from tools.report.tables import Table
from tools.results import columns, named_queries, query

REPORT = "served"
NOTHING = "no case was served under load: give one --scenario"
_COLUMNS = ["Scenario", "Backend", "Called", ">Asked/s", ">Answered/s", ">Samples/s", ">p50 ms", ">p90 ms", ">p99 ms", ">Certified p99 ms"]
_COLUMNS += [">p99.9 ms", ">Certified p99.9 ms", "Bound"]
_OF_TOKENS = [">Tokens/s", ">TTFT p50 ms", ">TTFT p99 ms", ">TPOT p50 ms", ">TPOT p99 ms", ">Goodput/s"]
_LONG = ("Why INVALID",)
_COLUMNS += [*_OF_TOKENS, ">Busy %", ">Workers", ">Max batch", "Replies", "LoadGen", *_LONG, "Mark", "State"]
_OPTIONAL = ("Backend", "Called", ">Samples/s", "Bound", *_OF_TOKENS, "LoadGen", *_LONG, "Mark")  # left out where no row has one
_RATE = ("scenario", "qps", "find-peak")  # settings that differ from rate to rate
_HAS_COLUMN = (*_RATE, "latency-bound", "workers", "max-batch")  # settings that need no word in Called
_NOTE = (
    "latency counts from when a query should have been sent; certified: with 99 % confidence the true percentile is at most this; a"
    " dash: too few queries"
)
_NOTE_OF_TOKENS = (
    "TTFT: the time to the first token, from when a query should have been sent; TPOT: the mean time of each further token of a reply;"
    " goodput: queries a second that kept every bound"
)
_KNEE = "knee: the rate with the most answered queries a second divided by the median latency"
_TITLES = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99.9"}


class _Curve(NamedTuple):
    name: str  # what tells it from other curves of the case
    rates: list  # in the order of the asked rates
    knee: int  # a place in them, or -1


def tables(points, connection):
    made = []
    for (case, place), runs in _cases(points, connection).items():
        curves = [_Curve(_called(run[0], _RATE) or run[0]["called"] or "", run, _knee(run)) for run in runs]
        rows = [_row(rate, i == curve.knee) for curve in curves for i, rate in enumerate(curve.rates)]
        several = [curve for curve in curves if len(curve.rates) > 1]
        title = "%s under load%s" % (case, " on %s" % points.places[place] if len(points.places) > 1 else "")
        tokens = any(rate["tokens_per_s"] for run in runs for rate in run)
        notes = [_NOTE] + [_NOTE_OF_TOKENS] * tokens + [_KNEE] * any(curve.knee >= 0 for curve in several)
        made.append(Table(title, *_without_empty(rows), notes, {}, _picture(title, several), _LONG))
    return made


def of_report(points, connection):
    """Never empty."""
    return tables(points, connection) or [Table("Runs under load", _COLUMNS, [], [NOTHING], {}, _picture("", []))]


def _cases(points, connection):
    """{(case's name, machine's place): [[rate, ...] of each run]}, of the last runs."""
    last = points.last_of_each(campaigns=False) if len(points) else points
    place_of = dict(zip(last.record.tolist(), last.place.tolist()))
    names, found = query.rows(connection, named_queries.SERVED_OF.sql, [json.dumps(sorted(place_of))])
    cases = {}
    for row in found:
        rate = dict(zip(names, row))
        runs = cases.setdefault((rate["case_name"] or "", place_of[rate["run"]]), {})
        runs.setdefault(rate["run"], []).append(rate)
    return {key: list(runs.values()) for key, runs in cases.items()}


def _called(rate, without):
    """The settings in which it differs from other runs of the case, but for some and those that are not set."""
    words = [word.partition("=") for word in (rate["called"] or "").split(" ")]
    return " ".join("=".join((name, value)) for name, _, value in words if value and name not in without)


def _knee(rates):
    """As KneeOf() has it; of a single rate there is none."""
    if len(rates) < 2:
        return -1
    power = [(rate["queries_per_s"] or 0) / rate["p50_ns"] if rate["p50_ns"] else 0 for rate in rates]
    return power.index(max(power)) if max(power) > 0 else -1


def _row(rate, is_knee):
    served = rate["queries_per_s"] is not None
    times = [rate[name] for name in ("p50_ns", "p90_ns", "p99_ns", "certified_p99_ns", "p999_ns", "certified_p999_ns")]
    of_tokens = [rate[name] for name in ("first_token_p50_ns", "first_token_p99_ns", "per_token_p50_ns", "per_token_p99_ns")]
    several = served and rate["requests_per_s"] != rate["queries_per_s"]
    return [
        rate["scenario"],
        rate["backend"] or "",
        _called(rate, _HAS_COLUMN),
        rate["asked_qps"],
        rate["queries_per_s"],
        rate["requests_per_s"] if several else None,
        *(_ms(time) for time in times),
        _bound(rate),
        rate["tokens_per_s"],
        *(_ms(time) for time in of_tokens),
        rate["goodput"],
        100 * (rate["busy_share"] or 0) if served else None,
        rate["workers"],
        rate["max_batch"],
        _replies(rate) if served else "",
        rate["validity"] or "",
        rate["invalid_reason"] or "",
        ", ".join(word for word, holds in (("knee", is_knee), ("peak", rate["peak"])) if holds),
        _state(rate),
    ]


def _ms(ns):
    return None if ns is None else ns / 1e6


def _bound(rate):
    """p99 MISSED: 97.2 % within 50 ms"""
    if not rate["bound_ns"]:
        return ""
    said = "KEPT" if rate["kept"] == "yes" else "MISSED"
    return "p%g %s: %.4g %% within %g ms" % (100 * rate["bound_share"], said, 100 * (rate["within_bound"] or 0), _ms(rate["bound_ns"]))


def _replies(rate):
    bad = ["%d %s" % (rate[name], name.upper()) for name in ("wrong", "lost", "doubled") if rate[name]]
    return ", ".join(["%d right" % rate["right"], *bad])


def _state(rate):
    parts = [rate["outcome"]] if rate["outcome"] != "PASS" else []
    parts += ["FLAGGED " + rate["flagged"]] if rate["flagged"] else []
    return ", ".join(parts) or "usable"


def _without_empty(rows):
    kept = [i for i, name in enumerate(_COLUMNS) if name not in _OPTIONAL or any(row[i] not in (None, "") for row in rows)]
    return [_COLUMNS[i] for i in kept], [[row[i] for i in kept] for row in rows]


def _picture(title, curves):
    """Throughput against latency: a line for each percentile; of several curves the median and p99 alone."""
    series, bounds = [], set()
    shown = ("p50", "p99") if len(curves) > 1 else tuple(columns.PERCENTILES)
    for curve in curves:
        said = " " + curve.name if len(curves) > 1 and curve.name else ""
        for name in shown:
            line = [(rate["queries_per_s"], _ms(rate[name + "_ns"])) for rate in curve.rates if rate[name + "_ns"]]
            if line:
                series.append(pictures.Series(_TITLES[name] + said, *map(list, zip(*line))))
        if curve.knee >= 0:
            knee = curve.rates[curve.knee]
            series.append(pictures.Series("knee" + said, [knee["queries_per_s"]], [_ms(knee["p50_ns"])], mark="o"))
        missed = [(rate["queries_per_s"], _judged(rate)) for rate in curve.rates if rate["kept"] == "no" and _judged(rate)]
        if missed:
            series.append(pictures.Series("bound missed" + said, *map(list, zip(*missed)), mark="x"))
        bounds.update(rate["bound_ns"] for rate in curve.rates if rate["bound_ns"])
    bound = _ms(bounds.pop()) if len(bounds) == 1 else None
    title += "; the line across: the latency bound, %g ms" % bound if bound else ""
    every = [rate for curve in curves for rate in curve.rates]
    flagged = sum(bool(rate["flagged"]) for rate in every)
    title += "; %d of %d rates are FLAGGED" % (flagged, len(every)) if flagged else ""
    return pictures.Picture(title, "answered queries a second", "latency, ms", "curve", series, reference=bound)


def _judged(rate):
    """The latency in ms by which a bound is missed: the percentile that it is of, or else the highest that there is."""
    name = next((name for name, share in columns.PERCENTILES.items() if share == rate["bound_share"]), "")
    known = [rate[one + "_ns"] for one in columns.PERCENTILES if rate[one + "_ns"]]
    return _ms(name and rate[name + "_ns"] or (known or [None])[-1])


_CHANGED = ["Case", "Backend", "Machine", "Scenario", ">Asked/s", ">Old answered/s", ">New answered/s", ">Old p50 ms", ">New p50 ms", ">Old p99 ms"]
_CHANGED += [">Old certified p99 ms", ">New p99 ms", ">New certified p99 ms", ">New/old p99", "Old bound", "New bound", "Flagged"]
_NO_DECISION = (
    "no row is a decision: one run's percentiles have no interval here. With 99 % confidence the true p99 is at most the certified one;"
    " its lower limit is not known"
)


def changes(old, new, connection):
    """[Table] of the rates that the last runs of both sides have, or nothing where there is none. Both are points of one reader."""
    before, after = _last_runs(old, connection), _last_runs(new, connection)
    rows, alone = [], 0
    for key in sorted(before.keys() & after.keys(), key=lambda key: after[key][0]):
        (name, was), (_, now) = before[key], after[key]
        both = [rate for rate in now if rate in was]
        alone += len(was.keys() ^ now.keys())
        rows += [[name, new.backends[key[1]], new.places[key[2]], *_changed(was[rate], now[rate])] for rate in both]
    notes = [_NO_DECISION] + ["%d rates of one side alone are left out" % alone] * bool(alone)
    kept = [i for i, name in enumerate(_CHANGED) if name not in ("Backend", "Machine") or len({row[i] for row in rows}) > 1]
    return [Table("Under load", [_CHANGED[i] for i in kept], [[row[i] for i in kept] for row in rows], notes)] if rows else []


def _last_runs(points, connection):
    """{(workload, back end, machine): (the case's name, {what a rate is compared by: rate})}"""
    last = points.last_of_each(campaigns=False)
    rates = {}
    for run in (run for runs in _cases(points, connection).values() for run in runs):
        rates[run[0]["run"]] = {"peak" if rate["peak"] else rate["asked_qps"]: rate for rate in run if rate["queries_per_s"] is not None}
    keys = zip(last.workload.tolist(), last.backend.tolist(), last.place.tolist())
    return {key: (last.case_name(i), rates[int(last.record[i])]) for i, key in enumerate(keys) if int(last.record[i]) in rates}


def _changed(was, now):
    sides = (was, now)
    figures = [[_ms(rate[name]) for rate in sides] for name in ("p50_ns", "p99_ns", "certified_p99_ns")]
    medians, percentiles, certified = figures
    ratio = percentiles[1] / percentiles[0] if all(percentiles) else None
    flagged = ["%s: %s" % (side, rate["flagged"]) for side, rate in zip(("old", "new"), sides) if rate["flagged"]]
    beside = [value for pair in zip(percentiles, certified) for value in pair]
    answered = [rate["queries_per_s"] for rate in sides]
    return [now["scenario"], now["asked_qps"], *answered, *medians, *beside, ratio, *map(_bound, sides), "; ".join(flagged)]
