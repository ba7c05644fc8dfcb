"""Tables over suites, data types and modes: TorchDynamo's summary with its warnings, Intel's combined one, TorchBench's test of
stability, and OpenXLA's comparison of targets.

    tables = summaries.REPORTS["summary"](points, summaries.Options((), False))

They take the last run of each configuration. A speedup is the one that a TorchDynamo file says, else the first back end's time
over the other's, on one machine.
"""

import collections
import itertools
from typing import NamedTuple

import numpy as np

from tools.report import estimates, pictures, speedups
from tools.report.tables import Table

# TorchDynamo's runner.py warns beyond these.
_SLOW, _LONG_COMPILING_S, _HUNGRY = 0.95, 120.0, 0.9
_LATE = "FAIL_LATENCY"
_LEAST_ROUNDS = 2


class Options(NamedTuple):
    backends: tuple
    across: bool  # a ratio may be of two machines
    threshold: float = 0.07  # of stability: (max - min) / min
    rounds: int = 15


class _Entry(NamedTuple):
    """A workload by one back end on one machine."""

    index: int  # of the point
    speedup: tuple  # (value, low, high, deviation); None for what is not known
    compiling_s: float  # None: not known
    compression: float


class _Group(NamedTuple):
    """The runs of a suite, data type and mode on a machine, by back end."""

    place: int
    suite: str
    dtype: str
    test: str


def _last(points, asked):
    backends = speedups.chosen_backends(points, asked)
    last = points.last_of_each(campaigns=False)
    return last.chosen(np.isin(last.backend, backends)), backends


def _grouped(points, asked):
    """({group: {back end: [_Entry]}}, points, {group: the baseline's back end}), with back ends and groups in order. Without
    --backends each group has a baseline of its own, so that suites that measured none in common can stand in one table."""
    last, backends = _last(points, asked)
    usable, group_of = last.usable, [_group_of(last, i) for i in range(len(last))]
    measured = collections.defaultdict(set)
    for i in np.flatnonzero(usable):
        measured[group_of[i]].add(int(last.backend[i]))
    first = {g: backends[0] if asked else next(b for b in backends if b in there) for g, there in measured.items()}
    base = {
        (w, p): i for i, (w, p, b) in enumerate(zip(last.workload, last.place, last.backend)) if usable[i] and b == first[group_of[i]]
    }
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    timed = {_verdict_key(last, i) for i in range(len(last)) if not last.verdict_only[i]}
    for i, (workload, place, backend) in enumerate(zip(last.workload, last.place, last.backend)):
        if last.verdict_only[i] and _verdict_key(last, i) in timed:
            continue  # it is the verdict of a run that has a row of its own
        groups[group_of[i]][int(backend)].append(_entry(last, i, usable[i], base.get((workload, place)), first.get(group_of[i])))
    order = sorted(groups, key=lambda g: (last.places[g.place], g.suite, g.dtype, g.test))
    return {group: {b: groups[group][b] for b in backends if b in groups[group]} for group in order}, last, first


def _group_of(points, i):
    w = points.workloads[points.workload[i]]
    return _Group(int(points.place[i]), w.suite, w.dtype, w.test)


def _verdict_key(points, i):
    w = points.workloads[points.workload[i]]
    return w.suite, w.model, w.dtype, w.test, w.device, int(points.backend[i]), int(points.place[i])


def _entry(points, i, is_usable, base, base_backend):
    speedup, compression = (None, None, None, None), None
    if is_usable:
        if not np.isnan(points.speedup[i]):
            speedup = (float(points.speedup[i]), None, None, None)
        elif base is not None and points.backend[i] != base_backend:
            both = points.estimates
            speedup = estimates.ratio(both[[base]], both[[i]]).one(0)
        if not np.isnan(points.compression[i]):
            compression = float(points.compression[i])
        elif base is not None and points.backend[i] != base_backend and points.peak[i] > 0 and points.peak[base] > 0:
            compression = float(points.peak[base] / points.peak[i])
    compiled = float(points.compiled[i]) / 1e9 if is_usable and points.compiled[i] > 0 else None
    return _Entry(i, speedup, compiled, compression)


def _same(entries, points):
    """The workloads of which each back end that has speedups has one."""
    sets = [{points.workload[e.index] for e in mine if e.speedup[0] is not None} for mine in entries.values()]
    sets = [one for one in sets if one]
    return set.intersection(*sets) if sets else set()


def _mean(values):
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def _pass_rate(entries, points):
    """("95 %, 19/20", number left out on purpose). What was not run is no pass, and no failure."""
    chosen = points.chosen(np.array([e.index for e in entries], int))
    run, passed = int((~chosen.skipped).sum()), int(chosen.passed.sum())
    if run and chosen.unverified.all():
        return "not verified, 0/%d" % run, 0
    return ("%.0f %%, %d/%d" % (100 * passed / run, passed, run) if run else None), len(entries) - run


def _mean_speedup(entries, points, same):
    """(value, low, high), number of workloads."""
    chosen = [e.speedup for e in entries if points.workload[e.index] in same and e.speedup[0] is not None]
    if not chosen:
        return (None, None, None), 0
    parts = estimates.Estimates(*(np.array([np.nan if v is None else v for v in column]) for column in zip(*chosen)))
    value, low, high, _ = estimates.geometric_means(parts, np.zeros(len(chosen), int), 1).one(0)
    return (value, low, high), len(chosen)


def summary(points, options):
    groups, last, first = _grouped(points, options.backends)
    rows, bars = [], collections.defaultdict(list)
    for group, entries in groups.items():
        same = _same(entries, last)
        for backend, mine in entries.items():
            rate, skipped = _pass_rate(mine, last)
            (value, low, high), count = _mean_speedup(mine, last, same)
            counted = [e for e in mine if last.workload[e.index] in same]
            compiling, compression = (
                _mean([e.compiling_s for e in counted or mine]),
                _mean([e.compression for e in counted or mine]),
            )
            name = last.backends[backend]
            rows.append(
                [
                    last.places[group.place],
                    group.suite,
                    group.dtype,
                    group.test,
                    name,
                    rate,
                    value,
                    low,
                    high,
                    count,
                    compiling,
                    compression,
                    skipped,
                ]
            )
            if value is not None:
                bars[name].append((last.on(mine[0].index, " ".join(filter(None, group[1:]))), value, low, high))
    columns = ["Machine", "Suite", "Dtype", "Mode", "Backend", "Pass rate", ">Geomean speedup", ">Low95", ">High95", ">Models"]
    columns += [">Mean compile s", ">Mean compression", ">Skipped"]
    named = collections.defaultdict(set)
    for group, b in first.items():
        if len(groups[group]) > 1:
            named[last.backends[b]].add(group.suite)
    over = ["%s (%s)" % (b, ", ".join(sorted(suites))) if len(named) > 1 else b for b, suites in named.items()]
    notes = ["geometric means are over the workloads that each back end of a row's group has, never clipped"]
    but = "" if np.isnan(last.speedup).all() else ", but those that TorchDynamo's files say themselves"
    notes += ["speedups are over %s%s" % (", ".join(over), but)] if over else []
    notes += _failed_baselines(groups, last)
    series = [pictures.Series(name, *(list(part) for part in zip(*values))) for name, values in bars.items()]
    picture = pictures.Picture(
        "Geometric mean of speedups", "suite, data type and mode", "speedup", "bars", series, reference=1.0
    )
    return [Table("Summary", columns, rows, notes, points.left_out(), picture), _warnings(groups, last)]


def _failed_baselines(groups, points):
    """Sentences about the back ends that would be a group's baseline, were there a run of theirs that may enter a mean."""
    told, usable = collections.defaultdict(list), points.usable
    for group, entries in groups.items():
        failed = list(itertools.takewhile(lambda b: not usable[[e.index for e in entries[b]]].any(), entries))
        for backend in failed if len(failed) < len(entries) else ():
            told[backend].append(" ".join(filter(None, group[1:])))
    return ["%s is no baseline of %s: none of its runs may be one" % (points.backends[b], ", ".join(of)) for b, of in told.items()]


def _warnings(groups, points):
    rows, passed, skipped = [], points.passed, points.skipped
    for group, entries in groups.items():
        for backend, mine in entries.items():
            # If nobody verified anything, the pass rate says so once.
            unverified = points.unverified[[e.index for e in mine]].all()
            for e in mine:
                found = []
                if not passed[e.index] and not skipped[e.index] and not unverified:
                    reason = points.outcomes[points.outcome[e.index]]
                    found.append(("the latency bound was missed" if reason == _LATE else "accuracy did not pass", reason, None))
                if e.speedup[0] is not None and e.speedup[0] < _SLOW:
                    found.append(("speedup below %g" % _SLOW, None, e.speedup[0]))
                if e.compiling_s is not None and e.compiling_s > _LONG_COMPILING_S:
                    found.append(("compiling above %g s" % _LONG_COMPILING_S, None, e.compiling_s))
                if e.compression is not None and e.compression < _HUNGRY:
                    found.append(("compression below %g" % _HUNGRY, None, e.compression))
                w = points.workloads[points.workload[e.index]]
                rows += [
                    [points.places[group.place], w.suite, points.case_name(e.index), points.backends[backend], *one]
                    for one in found
                ]
    columns = ["Machine", "Suite", "Case", "Backend", "Warning", "Reason", ">Value"]
    return Table("Warnings", columns, rows, [] if rows else ["no warnings"])


def combined(points, options):
    """A row for each suite, data type and mode; for each back end pass rate and geometric mean."""
    groups, last, _ = _grouped(points, options.backends)
    there = list(dict.fromkeys(b for entries in groups.values() for b in entries))
    columns, rows = ["Machine", "Suite", "Dtype", "Mode"], []
    for b in there:
        name = last.backends[b]
        columns += ["Pass rate(%s)" % name, ">Speedup(%s)" % name, ">Low95(%s)" % name, ">High95(%s)" % name]
    for group, entries in groups.items():
        same, cells = _same(entries, last), []
        for b in there:
            mine = entries.get(b, [])
            cells += [_pass_rate(mine, last)[0], *_mean_speedup(mine, last, same)[0]]
        rows.append([last.places[group.place], *group[1:], *cells, len(same)])
    title = "Suites, data types and modes"
    return [Table(title, columns + [">Models"], rows, [], points.left_out())]


def stability(points, options):
    """(max - min) / min of the times of the last rounds: of one configuration, machine, commit and torch version."""
    usable = points.chosen(points.usable)
    trees = {}  # of commit and torch version -> number
    tree = np.array([trees.setdefault((c.commit, c.torch_version), len(trees)) for c in usable.campaigns], int)[usable.campaign]
    order = np.lexsort((usable.record, usable.seconds, tree, usable.place, usable.backend, usable.workload))
    keys = np.stack([part[order] for part in (usable.workload, usable.backend, usable.place, tree)])
    starts = np.flatnonzero(np.r_[True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)]) if len(order) else np.zeros(0, int)
    newest = {}
    for start, end in zip(starts, np.r_[starts[1:], len(order)]):
        mine = order[start:end]
        key, begun = tuple(int(k) for k in keys[:3, start]), usable.seconds[mine[-1]]
        if key not in newest or not begun < newest[key][0]:
            commit = usable.campaigns[usable.campaign[mine[-1]]].commit
            newest[key] = (begun, commit, usable.case_name(mine[-1]), usable.value[mine[-options.rounds :]].tolist())
    rows = []
    for (workload, backend, place), (_, commit, name, values) in newest.items():
        w = usable.workloads[workload]
        spread = max(values) / min(values) - 1
        state = "too few rounds" if len(values) < _LEAST_ROUNDS else "stable" if spread < options.threshold else "UNSTABLE"
        figures = [min(values), max(values), spread if len(values) >= _LEAST_ROUNDS else None]
        rows.append([usable.places[place], w.suite, name, usable.backends[backend], commit[:8], len(values), *figures, state])
    rows.sort(key=lambda row: (-(row[8] if row[8] is not None else -1), row[:4]))
    several = len({row[0] for row in rows}) > 1
    columns = ["Machine", "Suite", "Case", "Backend", "Commit", ">Rounds", ">Min ns", ">Max ns", ">(max-min)/min", "State"]
    counted = collections.Counter(row[9] for row in rows)
    notes = [
        "%s; stable is below %g %% of at most %d rounds"
        % (", ".join("%d %s" % (n, s) for s, n in counted.items()) or "none", 100 * options.threshold, options.rounds)
    ]
    bars = [(row[2] + " " + row[3] + (" on " + row[0] if several else ""), row[8]) for row in rows if row[8] is not None]
    series = [pictures.Series("(max - min) / min", *(list(part) for part in zip(*bars)))] if bars else []
    picture = pictures.Picture("Stability", "case", "(max - min) / min", "bars", series, reference=options.threshold)
    return [Table("Stability", columns, rows, notes, points.left_out(), picture)]


def targets(points, options):
    """Medians side by side: a column for each device, back end and machine, with the ratio to the first one."""
    last, _ = _last(points, options.backends)
    last = last.chosen(last.usable)
    names, cells = {}, collections.defaultdict(dict)
    order = np.lexsort((last.backend, last.place))
    for i in order:
        w = last.workloads[last.workload[i]]
        target = (w.device, last.backends[last.backend[i]], int(last.place[i]))
        names.setdefault(target, " ".join(filter(None, (w.device, target[1], "on " + last.places[last.place[i]]))))
        cells[(w.suite, w.model, w.dtype, w.batch, w.test, w.variant)][target] = i
    there = list(names)
    columns = ["Suite", "Model", "Dtype", ">Batch", "Mode", "Case"]
    for place, target in enumerate(there):
        columns.append(">Latency ms(%s)" % names[target])
        if place:
            columns += [">Ratio to %s" % names[there[0]], ">Low95", ">High95"]
    rows, refused = [], 0
    both = last.estimates
    for key in sorted(cells):
        row, mine = [part or None for part in key[:-1]], cells[key]
        row.append(last.case_name(next(iter(mine.values()))))
        for place, target in enumerate(there):
            i, base = mine.get(target), mine.get(there[0])
            row.append(None if i is None else float(last.value[i]) / 1e6)
            if not place:
                continue
            comparable = i is not None and base is not None
            if comparable and (target[0], target[2]) != (there[0][0], there[0][2]) and not options.across:
                comparable, refused = False, refused + 1
            row += estimates.ratio(both[[i]], both[[base]]).one(0)[:3] if comparable else [None] * 3
        rows.append(row)
    notes = ["%d ratios would be of two machines; --across gives them" % refused] if refused else []
    return [Table("Targets", columns, rows, notes, points.left_out())]


REPORTS = {"summary": summary, "combined": combined, "stability": stability, "targets": targets}
