"""The points of a report: of each run one time, its verdict, and which workload, back end, machine and campaign it is of.

    points = read(connection, selection)
    points.value[i], points.workloads[points.workload[i]].model, points.reasons[points.reason[i]]

A workload is a program with all that changes what it computes; that same workload has a back end, which is what reports compare.
Workloads of two suites are never the same one, whatever their names. A campaign is one pass over many workloads: a suite's run;
of another suite's file without such a thing what has one time stamp, or else the file; of single runs those of a day and commit.

A run gives one time, of the mode that Selection names: its median with the interval that the record has. Of pytorch/xla's
results.jsonl it is, as in its aggregate.py, the mean of the samples from the fourth on (the first compiles, the next two fill
caches), with an interval by Student's t where there are two or more. What compiling took is the first call less such a later one.

Only the columns that are needed are read, into arrays: a million records take 8 bytes for each of them.
"""

import collections
import datetime
import os
import re
from typing import NamedTuple

import numpy as np
import orjson

from tools.report import estimates
from tools.results import differing, headline, rows, stored

USABLE = ""  # the reason of a point that may enter a mean
_NO_TIME, SERVED = "no time", "under load"  # a run under load has latencies instead (served.py)
XLA_SKIPPED = 3  # samples of pytorch/xla: one that compiles, two that fill caches
_ALL, _UNKNOWN = "all machines", -2  # a place's name; a place's number until it is known
# TorchDynamo's runner writes its files, by compiler, suite, data type and mode, on one machine into one folder.
_RUNNER = re.compile(r".*[_-](?P<device>[^_-]+)[_-](?:performance|accuracy)\.csv$")
_GENERATION = "generation"
_TESTS = {"TRAIN": "training", "GENERATE": _GENERATION}
_MOST_IDS = 900  # of one question; SQLite takes 32766
_CHUNK = 1 << 16  # rows that SQLite hands over at a time
_MODES = ("wall", "cold", "hot", "throughput")
_XLA, _DYNAMO, _DYNAMO_ACCURACY = "xla_jsonl", "dynamo_csv", "dynamo_accuracy_csv"
# pytorch/xla has the same back end under names of its compiler and its runtime.
_BACKENDS = {
    "openxla+pjrt": "openxla+dynamo",
    "openxla": "openxla+dynamo",
    "openxla_eval": "openxla_eval+dynamo",
    "openxla_eval+pjrt": "openxla_eval+dynamo",
    "pjrt": "openxla+lazytensor",
}


class Selection(NamedTuple):
    """Which runs; a regular expression matches somewhere, in upper or lower case."""

    filter: tuple  # of models or cases, one of which must match
    exclude: tuple
    models: frozenset  # whole names; empty: all
    without: frozenset
    test: str  # "inference", "training" or "generation"
    dtype: str
    suite: str
    machine: str  # a regular expression of the machine's name
    mode: str  # of measuring; empty: wall, or else the run's first
    unverified: bool  # also runs that nobody verified
    across: bool  # machines are not told apart


class Workload(NamedTuple):
    suite: str
    model: str
    dtype: str
    batch: int
    test: str
    device: str
    case: str  # the name of one of its cases
    variant: int  # equal where only the device differs


class Campaign(NamedTuple):
    key: str
    seconds: float  # since the epoch, when its first run began; NaN: not known
    commit: str
    torch_version: str

    @property
    def moment(self):
        """As pytorch/xla's reports print it, in UTC."""
        if np.isnan(self.seconds):
            return self.key
        # To the microsecond, which a double has at this distance from the epoch.
        utc = datetime.datetime.fromtimestamp(round(self.seconds, 6), datetime.timezone.utc)
        return utc.replace(tzinfo=None).isoformat(" ")


class Points:
    """Arrays with an entry for each run, and what their numbers stand for."""

    workload = backend = place = campaign = reason = record = measurement = case = machine = None  # numbers
    seconds = value = low = high = deviation = compiled = None  # floats: times in ns, NaN where not known
    speedup = compression = None  # what a TorchDynamo file says itself; NaN elsewhere
    peak = None  # bytes
    outcome = verdict_only = None  # the outcome's number; whether the row is the verdict of a run that has another row
    outcomes = ()
    workloads, backends, places, campaigns, reasons = (), (), (), (), ()
    case_names = {}  # of the table `cases`, by id
    called = {}  # likewise: what tells configurations of one name apart (tools/results/differing.py)

    def __len__(self):
        return len(self.value)

    def case_name(self, i):
        """With the settings in which configurations of that name differ."""
        case = int(self.case[i])
        name = self.case_names[case] or self.workloads[self.workload[i]].model
        return "%s %s" % (name, self.called[case]) if case in self.called else name

    def chosen(self, mask):
        """The points of a mask or of indices."""
        made = Points()
        for name, part in self.__dict__.items():
            made.__dict__[name] = part[mask] if isinstance(part, np.ndarray) else part
        return made

    def on(self, i, name):
        """A name for a picture, in which runs of two machines must not become one: with the machine where there are several."""
        return "%s on %s" % (name, self.places[self.place[i]]) if (self.place != self.place[i]).any() else name

    @property
    def usable(self):
        return self.reason == self.reasons.index(USABLE)

    @property
    def passed(self):
        return self._is("PASS")

    @property
    def skipped(self):
        return self._is("SKIPPED_DECLARED")

    @property
    def unverified(self):
        return self._is("NOT_VERIFIED")

    def _is(self, outcome):
        return np.array([one == outcome for one in self.outcomes], bool)[self.outcome]

    @property
    def estimates(self):
        return estimates.Estimates(self.value, self.low, self.high, self.deviation)

    def compiling(self):
        """The same runs, whose time is what compiling took. As in aggregate.py its deviation is 0; it has no interval here."""
        made, known = self.chosen(slice(None)), self.compiled > 0
        made.value, made.deviation = np.where(known, self.compiled, np.nan), np.where(known, 0.0, np.nan)
        made.low = made.high = np.full(len(self), np.nan)
        made.reasons = [*self.reasons, *({_NO_TIME} - set(self.reasons))]
        without, usable = made.reasons.index(_NO_TIME), made.reasons.index(USABLE)
        timed = np.isin(self.reason, (without, usable))
        made.reason = np.where(timed, np.where(known, usable, without), self.reason)
        return made

    def left_out(self):
        """{reason: number of points} of those that no mean may use."""
        counted = np.bincount(self.reason, minlength=len(self.reasons))
        return {r: int(n) for r, n in zip(self.reasons, counted) if n and r != USABLE}

    def last_of_each(self, campaigns=True):
        """The last of the runs of the same workload, back end and machine; also of the same campaign, unless campaigns=False. A verdict
        of a run that has another row stands for the run only if that row is not there, in whatever order the files came."""
        within = (self.campaign,) if campaigns else ()
        order = np.lexsort(
            (self.record, self.seconds, self.campaign, ~self.verdict_only, *within, self.place, self.backend, self.workload)
        )
        keys = [part[order] for part in (self.workload, self.backend, self.place, *within)]
        last = np.ones(len(order), bool)
        if len(order):
            last[:-1] = np.any([key[1:] != key[:-1] for key in keys], axis=0)
        return self.chosen(np.sort(order[last]))


class _Numbers:
    """Values and their numbers, in the order of their coming."""

    def __init__(self, first=()):
        self.of = collections.defaultdict(None, {value: number for number, value in enumerate(first)})
        self.of.default_factory = self.of.__len__

    def __getitem__(self, value):
        return self.of[value]

    @property
    def values(self):
        return list(self.of)


def read(connection, selection):
    return _Reader(connection, selection).read()


def _columns(connection, sql, kinds):
    """Arrays, one for each column: of floats, whole numbers, or (numbers, values) of texts. Not by pyarrow, which imports pandas
    for its first array: a second of each start."""
    cursor = connection.execute(sql)
    parts, texts = [[] for _ in kinds], [_Numbers() for _ in kinds]
    while True:
        found = cursor.fetchmany(_CHUNK)
        if not found:
            break
        for part, kind, column, known in zip(parts, kinds, zip(*found), texts):
            if kind is str:
                part.append(np.fromiter(map(known.of.__getitem__, column), np.int32, len(column)))
            else:
                part.append(np.array(column, kind))
    whole = [np.concatenate(p) if p else np.empty(0, np.int32 if k is str else k) for p, k in zip(parts, kinds)]
    return [(array, known.values) if kind is str else array for array, kind, known in zip(whole, kinds, texts)]


class _Reader:
    def __init__(self, connection, selection):
        self._connection, self._selection = connection, selection
        self._workloads, self._backends, self._places, self._campaigns = (_Numbers() for _ in range(4))
        self._reasons = _Numbers([USABLE])
        self._has_unknown_machine = False
        self._folders = collections.defaultdict(dict)  # of machines' names: their numbers

    def read(self):
        case_workload, case_backend = self._cases()
        machine_place, commits = self._machines()
        self._records()
        self._measurements()
        points = Points()
        points.workload, points.backend = case_workload[self._case], case_backend[self._case]
        points.place = self._known_places(machine_place[self._machine])
        if self._selection.across:
            points.place = self._across_alike(points)
        points.record, points.case, points.machine, points.seconds = self._record, self._case, self._machine, self._seconds
        self._figures(points)
        self._of_other_suites(points)
        points.reason = self._reason(points)
        points.campaign, campaigns = self._campaign(commits)
        points.workloads, points.backends = self._workloads.values, self._backends.values
        points.case_names, points.called = self._case_names, self._called
        points.places, points.campaigns, points.reasons = self._places.values, campaigns, self._reasons.values
        points.workloads = [workload for workload, _ in points.workloads]
        return points.chosen((points.workload >= 0) & (points.place >= 0))

    def _cases(self):
        """The workload and back end of each row of the table `cases`; -1 if it was not asked for."""
        asked = self._selection
        cursor = self._connection.execute("SELECT * FROM cases")
        names = [column[0] for column in cursor.description]
        found = [dict(zip(names, row)) for row in cursor]
        self._case_names = {case["id"]: case["case_name"] for case in found}
        self._called = differing.of(self._connection)
        size = max(self._case_names, default=0) + 1
        workloads, backends = np.full((2, size), -1, np.int32)
        first_names, variants = {}, _Numbers()
        for case in found:
            tags = dict(tag.split("=", 1) for tag in (case["tags"] or "").split() if "=" in tag)
            workload = Workload(
                tags.get("suite", "assay"),
                case["model"] or case["case_name"] or "",
                (case["dtype"] or "").lower() + ("+amp_" + case["autocast"].lower() if case["autocast"] else ""),
                int(case["batch"] or 0),
                _TESTS.get(case["case_mode"], "inference"),
                (case["device"] or "").lower(),
                case["case_name"] or "",
                0,
            )
            if not _asked_for(workload, asked):
                continue
            # All that changes what is computed; not how it is called, whose names other suites have in tags.
            same = tuple(
                case[name]
                for name in ("operator", "memory_format", "matmul_precision", "deterministic", "threads_asked", "accumulation")
                + ("grad_scaler", "seed", "parameters", "settings", "flags")
            )
            flags = {name: v for name, v in orjson.loads(case["flags"] or "{}").items() if name != "device"}
            generated = workload.case if workload.test == _GENERATION else ""
            workload = workload._replace(variant=variants[(*same[:-1], orjson.dumps(flags), generated)])
            # How much a case generates has no column: there the name tells.
            key = (workload if workload.test == _GENERATION else workload._replace(case=""), same)
            named = first_names.setdefault(key, workload)
            workloads[case["id"]] = self._workloads[(named, same)]
            backend = (case["backend"] or "eager").lower()
            backends[case["id"]] = self._backends[_BACKENDS.get(backend, backend)]
        return workloads, backends

    def _machines(self):
        """The place of each row of the table `machines`, or -1; and (commit, torch version)."""
        sql = "SELECT id, cpu_model, cpu_count, threads, gpu_name, variables, node, git_commit, torch_version FROM machines"
        found = list(self._connection.execute(sql))
        size = max((row[0] for row in found), default=0) + 1
        places, commits = np.full(size, -1, np.int32), [("", "")] * size
        named = collections.defaultdict(dict)
        for number, cpu, count, threads, gpu, variables, node, commit, torch in found:
            name = gpu or cpu
            if not name:  # a file of a suite that does not say where it measured; _known_places() asks which file
                places[number] = self._places[_ALL] if self._selection.across else _UNKNOWN
                self._has_unknown_machine = True
                continue
            if threads and not gpu:
                name += ", %d threads" % threads
            if node:
                name += ", " + node
            place = (_ALL,) if self._selection.across else (cpu, count, threads, gpu, variables)
            number_there = named[name].setdefault(place, len(named[name]))
            shown = place[0] if self._selection.across else name + (" (%d)" % (number_there + 1) if number_there else "")
            if re.search(self._selection.machine, name, re.I):
                places[number] = self._places[shown]
            commits[number] = (commit or "", torch or "")
        return places, commits

    def _known_places(self, places):
        """Machines without a name are told apart by their file, since two files may be of two machines; TorchDynamo's by folder."""
        unknown = places == _UNKNOWN
        if unknown.any():
            paths = dict(self._connection.execute("SELECT id, path FROM sources"))
            for source in np.unique(self._source[unknown]):
                folder, file = os.path.split(paths.get(int(source)) or "unknown file")
                runner = _RUNNER.match(file)
                name = "machine of " + ("*_%s_*.csv" % runner["device"] if runner else file)
                if runner:
                    number = self._folders[name].setdefault(folder, len(self._folders[name])) + 1
                    name += " (%d)" % number if number > 1 else ""
                place = self._places[name] if re.search(self._selection.machine, name, re.I) else -1
                places[unknown & (self._source == source)] = place
        return places

    def _across_alike(self, points):
        """Places for machines that are not told apart: still one for each device, since a mean over CPUs and GPUs is of neither."""
        device = np.array([workload.device for workload, _ in self._workloads.values] or [""])[points.workload]
        known = points.place >= 0
        devices = np.unique(device[known & (points.workload >= 0)])
        if len(devices) < 2:
            return points.place
        place = points.place
        for name in devices.tolist():
            place = np.where(known & (device == name), self._places["%s, %s" % (_ALL, name or "unknown device")], place)
        return place

    def _records(self):
        formats = {row[0] for row in self._connection.execute("SELECT DISTINCT format FROM sources")}
        self._formats = formats - {"assay"}
        # Columns that only other suites' records have are read only if there are such records; each column takes half a second of a million.
        of_others = "imported_format, source" if self._formats or self._has_unknown_machine else "NULL, NULL"
        sql = (
            """SELECT id, case_id, machine_id, first, behind, outcome, strftime('%%s', substr(started_utc, 1, 19))
            + CASE substr(started_utc, 20, 1) WHEN '.' THEN CAST(substr(started_utc, 20, 7) AS REAL) ELSE 0.0 END,
          coalesce(nullif(suite_run, ''), CASE WHEN imported_format IS NULL THEN 'day ' || coalesce(substr(started_utc, 1, 10), '')
            ELSE coalesce(started_utc, 'file ' || source) END), %s FROM records ORDER BY id"""
            % of_others
        )
        (
            self._record,
            self._case,
            self._machine,
            self._first,
            self._behind,
            self._outcome,
            self._seconds,
            self._pass,
            self._format,
            self._source,
        ) = _columns(self._connection, sql, (int, int, int, int, int, str, float, str, str, float))

    def _measurements(self):
        """For each record the measurement that gives its time, of the step that stands for its case. One mode is tried first, since that is mostly enough."""
        asked = self._selection.mode
        conditions = ["mode = '%s' OR preset = '%s'" % ((asked.replace("'", "''"),) * 2)] if asked else ["mode = 'wall'", "1"]
        for condition in conditions:
            sql = (
                """SELECT id, mode, %s, flagged, median_ns, ci_low_ns, ci_high_ns, first_call_ns,
              coalesce(peak_device_bytes, peak_host_bytes) FROM measurements WHERE %s ORDER BY id"""
                % (headline.RANK, condition)
            )
            number, mode, step_rank, flagged, *figures = _columns(
                self._connection, sql, (int, str, int, str, float, float, float, float, float)
            )
            # Records without measurements share `first` with the next one; searchsorted finds the last of these, which has them.
            owner = np.searchsorted(self._first, number, "right") - 1
            mode_rank = np.array([_rank(m, _MODES) for m in mode[1]], int)
            order = np.lexsort((number, step_rank, mode_rank[mode[0]], owner))
            first = np.ones(len(order), bool)
            first[1:] = owner[order][1:] != owner[order][:-1]
            chosen = order[first]
            self._main = np.full(len(self._record), -1)
            self._main[owner[chosen]] = chosen
            self._mode = mode
            if not ((self._main < 0) & (self._behind > self._first)).any():
                break
        self._number, self._flagged, self._columns = number, flagged, figures

    def _figures(self, points):
        # A record without a measurement has the number -1: the last.
        median, low, high, first_call, peak = (np.append(values, np.nan)[self._main] for values in self._columns)
        points.value, points.low, points.high = median, low, high
        points.deviation = (high - low) / (2 * estimates.NORMAL95)
        points.compiled = first_call - median
        points.measurement = np.append(self._number, -1)[self._main]
        points.speedup = np.full(len(median), np.nan)
        points.compression = np.full(len(median), np.nan)
        points.peak = peak
        points.verdict_only = np.zeros(len(median), bool)

    def _of_other_suites(self, points):
        if _XLA in self._formats:
            self._xla(points)
        if _DYNAMO in self._formats:
            self._dynamo(points)

    def _coded(self, coded, value):
        numbers, values = coded
        return numbers == values.index(value) if value in values else np.zeros(len(numbers), bool)

    def _xla(self, points):
        ours = self._coded(self._format, _XLA)
        for part in (points.value, points.low, points.high, points.deviation, points.compiled):
            part[ours] = np.nan
        at = {int(points.measurement[i]): i for i in np.flatnonzero(ours & (points.measurement >= 0))}
        sql = (
            "SELECT s.measurement, s.nanoseconds, coalesce(x.calls_per_sample, 1) FROM records r JOIN measurements x ON x.id >= r.first AND x.id < r.behind"
            " JOIN samples s ON s.measurement = x.id WHERE r.imported_format = ?"
        )
        for measurement, blob, calls in self._connection.execute(sql, (_XLA,)):
            i = at.get(measurement)
            if i is None:
                continue
            samples = rows.samples_of(blob)
            if len(samples) > 1:
                points.compiled[i] = calls * (samples[0] - float(np.mean(samples[1:])))
            if len(samples) > XLA_SKIPPED:
                figures = estimates.of_mean(samples[XLA_SKIPPED:])
                points.value[i], points.low[i], points.high[i], points.deviation[i] = figures

    def _dynamo(self, points):
        """Adds what its rows say beside the latency, and the verdicts, which are rows of another file."""
        outcomes, values = self._outcome
        ours = np.flatnonzero(self._coded(self._format, _DYNAMO))
        found = stored.Stored(self._connection, "imported_format = '%s'" % _DYNAMO, samples=False)
        for i, record in zip(ours, found.records()):
            row = orjson.loads(record.get("imported", {}).get("fields") or '{"rows": [[0, {}]]}')["rows"][0][1]
            points.speedup[i] = _number(row.get("speedup"))
            points.compression[i] = _number(row.get("compression_ratio"))
            points.compiled[i] = 1e9 * _number(row.get("compilation_latency"))
        verdicts = self._coded(self._format, _DYNAMO_ACCURACY)
        keys = [self._workloads.values[w][0][:3] + self._workloads.values[w][0][4:6] if w >= 0 else None for w in points.workload]
        of = {(keys[i], points.backend[i]): outcomes[i] for i in np.flatnonzero(verdicts) if keys[i]}
        numbers = {value: number for number, value in enumerate(values)}
        unverified, skipped = numbers.get("NOT_VERIFIED"), numbers.get("SKIPPED_DECLARED")
        for i in ours:
            verdict = of.get((keys[i], points.backend[i]), unverified)
            if outcomes[i] == unverified or verdict == skipped is not None:  # a model that is skipped has a row of zeros here
                outcomes[i] = verdict
        points.verdict_only = verdicts & (points.measurement < 0)

    def _reason(self, points):
        """Why a point may not enter a mean, or USABLE."""
        numbers, values = self._outcome
        allowed = {"PASS": USABLE, **({"NOT_VERIFIED": USABLE} if self._selection.unverified else {})}
        by_outcome = np.array([self._reasons[allowed.get(value, value)] for value in values], np.int32)
        reason = by_outcome[numbers]
        usable = reason == 0
        by_flag = np.array([self._reasons["FLAGGED " + name] if name else 0 for name in self._flagged[1]], np.int32)
        of_measurements = np.append(by_flag[self._flagged[0]], 0)  # a record without one has the number -1: the last
        reason = np.where(usable, of_measurements[self._main], reason)
        with np.errstate(invalid="ignore"):
            bad = ~(points.value > 0)
        served = np.isin(self._record, [row[0] for row in self._connection.execute("SELECT DISTINCT record FROM rates")])
        reason = np.where((reason == 0) & bad & served, self._reasons[SERVED], reason)
        reason = np.where((reason == 0) & bad, self._reasons[_NO_TIME], reason)
        points.outcome, points.outcomes = numbers, values
        reason = self._of_one_mode(points, reason)
        if points.verdict_only.any():
            reason = np.where(points.verdict_only, self._reasons["a verdict without a time"], reason)
        return reason

    def _of_one_mode(self, points, reason):
        """A ratio of a time by the host's clock and one by a GPU's timer would say nothing. So where runs of a workload were
        measured in different modes, those of the first of _MODES that one of them has are left."""
        numbers, names = self._mode
        ours = np.array([workload.suite == "assay" for workload, _ in self._workloads.values] or [False])[points.workload]
        asked = (reason == 0) & ours & (points.workload >= 0)
        if self._selection.mode or not asked.any():
            return reason
        mode = numbers[self._main]
        rank = np.array([_rank(name, _MODES) for name in names])[mode]
        first = np.full(len(self._workloads.values), len(_MODES))
        np.minimum.at(first, points.workload[asked], rank[asked])
        other = asked & (rank > first[points.workload])
        said = np.array([self._reasons["mode %s, not that of others" % name] for name in names], np.int32)
        return np.where(other, said[mode], reason)

    def _campaign(self, commits):
        """The number of each record's campaign, in the order of their beginnings; and the campaigns."""
        numbers, values = self._pass
        single = np.array([not value or value.startswith("day ") for value in values], bool)
        known = {commit: i for i, commit in enumerate(dict.fromkeys(commits))}
        commit = np.array([known[c] for c in commits], np.int64)[self._machine]
        key = numbers.astype(np.int64) * len(known) + np.where(single[numbers], commit, 0)
        keys, first, which = np.unique(key, return_index=True, return_inverse=True)
        begun = np.full(len(keys), np.inf)
        np.minimum.at(begun, which, np.where(np.isnan(self._seconds), np.inf, self._seconds))
        begun[np.isinf(begun)] = np.nan
        order = np.lexsort((first, begun))
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        made = []
        for i in order:
            name, (git, torch) = values[numbers[first[i]]] or "", commits[self._machine[first[i]]]
            made.append(Campaign(name, float(begun[i]), git, torch))
        return place[which], made


def _rank(name, names):
    return names.index(name) if name in names else len(names)


def _number(text):
    try:
        value = float(text)
    except (TypeError, ValueError):
        return np.nan
    return value if value > 0 else np.nan


def _asked_for(workload, asked):
    names = (workload.model, workload.case)
    return (
        (not asked.filter or any(re.search(expression, name, re.I) for expression in asked.filter for name in names))
        and not any(re.search(expression, name, re.I) for expression in asked.exclude for name in names)
        and (not asked.models or workload.model in asked.models)
        and workload.model not in asked.without
        and asked.test in ("", workload.test)
        and asked.dtype in ("", workload.dtype)
        and asked.suite in ("", workload.suite)
    )


def by_ids(connection, sql, ids):
    """Rows of `sql`, in which %s stands for the ids, which may be many."""
    for start in range(0, len(ids), _MOST_IDS):
        some = ids[start : start + _MOST_IDS]
        yield from connection.execute(sql % ", ".join("?" * len(some)), some)
