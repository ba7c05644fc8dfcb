"""The page: one file of HTML with all its data, styles and scripts, which opens without a network.

    page.write(file, points, connection, options)

Python chooses and computes; page.js shows: sorts, filters, draws by plotly.js, which is inlined from plotly's wheel. All text in it
is data of JSON, and page.js makes text nodes of it, so that a name stays a name; the page's own policy allows no other script than
these. What says who measured is left out: folders, command lines but for the flags of the case, and secrets (docs/data/privacy.md).

A page of 10,000 configurations has at most 10 MB, so runs and samples have a budget: of each configuration the last runs, of a
run's samples as many as there is room for, evenly by rank; the page says where some were left out.
"""

import base64
import hashlib
import importlib.util
import os
from typing import NamedTuple

import numpy as np
import orjson

from artifacts.fetch.secret_texts import clean_text, clean_words
from tools.history import change_points
from tools.report import comparison, distributions, estimates, language, machines, served, sizes, speedups, summaries, tables, traces, trends
from tools.report.points import by_ids
from tools.results import columns, database, stored
from tools.results.anonymity import without_folders
from tools.results.errors import Stop
from tools.results.secret_values import clean_json
from tools.roofline import analysis, records

_HERE = "tools/report/"
_MOST_RUNS = 40000  # of all configurations together; 60 bytes each
_SAMPLE_BYTES = 1200000
_BYTES_OF_SAMPLE = 6
_MOST_SAMPLES, _FEWEST_SAMPLES = 200, 5  # of one run
# Columns of a measurement that a run's details show: figures that are no times.
_FIGURES = [c.name for c in columns.MEASUREMENT if c.kind not in (columns.TEXT, columns.FLAG) and not c.name.endswith(("_ns", "_s"))]
_LONGEST = 300  # characters of a name or a message
_MOST_WARNINGS = 1000
_TRENDS = {"speedup": "Speedup over time", "histogram": "Percentiles over time", "latest_grouped": "Speedup by model"}
_MOST_POINTS, _MOST_BARS = 2000, 200  # of a picture's series; of its models, the slowest and the fastest
_PLACES = 6  # significant digits
# Flags that say where a run wrote, and nothing about what was measured.
_OUTPUTS = ("--record", "--benchmark_out", "--out", "--profile", "--export", "--trace", "--log")


class Options(NamedTuple):
    title: str
    unverified: bool
    backends: tuple
    baseline: str
    across: bool
    mode: str  # that was asked for


def write(file, points, connection, options):
    """`file` is binary."""
    _write(file, _Content(points, connection, options).made())


def write_comparison(file, found, title):
    """The same of what //tools:compare found: its table and pictures (comparison.py)."""
    nothing = {"values": [], "codes": []}
    texts = ("suite", "model", "dtype", "test", "device", "backend", "machine", "outcome", "state")
    numbers = ("case", "batch", "median", "width", "speedup", "low", "high", "compiling", "base", "command")
    table = comparison.table(found)
    pictures = [{**_Content.picture(p), "tab": _cut(name)} for name, p in comparison.pictures_of(found) if p.series]
    facts = {"cases": len(found.get("cases", ())), "processes": found.get("processes", 0)}
    cases = {**dict.fromkeys(texts, nothing), **{name: [] for name in numbers}}
    runs = {"case": [], "changes": []}
    shown = {"title": title, "notes": [_cut(note) for note in table.notes], "facts": facts, "tables": [_Content.table(table)]}
    nothing_of = {"names": [], "of": {}}
    empty = {"samples": [], "machines": nothing_of, "figures": nothing_of, "campaigns": [], "reasons": [], "roofline": [], "roofs": []}
    _write(file, {**shown, **empty, "cases": cases, "runs": runs, "pictures": pictures})


def _write(file, content):
    data = orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY)
    # Nothing in it can end the element, begin another or a comment.
    data = data.replace(b"<", b"\\u003c").replace(b"\xe2\x80\xa8", b"\\u2028").replace(b"\xe2\x80\xa9", b"\\u2029")
    plotly, script, style = _plotly(), _read("page.js"), _read("page.css")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:; script-src %s" % " ".join(
        map(_digest, (plotly, script))
    )
    parts = {"POLICY": policy.encode(), "STYLE": style, "DATA": data, "PLOTLY": plotly, "SCRIPT": script}
    for piece in _read("page.html").split(b"@@"):
        file.write(parts.get(piece.decode(), piece))


def _read(name):
    with open(_HERE + name, "rb") as f:
        return f.read()


def _plotly():
    package = importlib.util.find_spec("plotly").submodule_search_locations[0]
    with open(os.path.join(package, "package_data", "plotly.min.js"), "rb") as f:
        return f.read().replace(b"</script", b"<\\/script")


def _digest(script):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(script).digest()).decode()


def _cut(text):
    text = without_folders(clean_text(text or ""))
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def _digits(values):
    """Numbers with few digits; None for what is not known."""
    return [None if v != v else float("%.*g" % (_PLACES, v)) for v in np.asarray(values, float).tolist()]


def _digits_of(values):
    return [float("%.*g" % (_PLACES, v)) if isinstance(v, float) else v for v in values]


class _Texts:
    """A column of few different texts: numbers, and what they stand for."""

    def __init__(self):
        self._known = {}

    def __getitem__(self, text):
        return self._known.setdefault(text, len(self._known))

    @property
    def values(self):
        return list(self._known)


def _coded(texts):
    known = _Texts()
    return {"codes": [known[text] for text in texts], "values": known.values}


def _newest(runs):
    """The place of each run among its configuration's; the last one has 1."""
    places, counted = np.zeros(len(runs), int), {}
    for i in range(len(runs) - 1, -1, -1):
        counted[runs.of_case[i]] = counted.get(runs.of_case[i], 0) + 1
        places[i] = counted[runs.of_case[i]]
    return places


class _Content:
    def __init__(self, points, connection, options):
        self._connection, self._options = connection, options
        self._points = points.chosen(~points.verdict_only)
        self._whole = points
        self._notes, self._with_peaks = [], []

    def made(self):
        runs, cases = self._chosen_runs()
        tables_made, pictures = self._reports()
        base, gain = self._speedups(cases)
        commands, details = self._documents(cases)
        samples = self._samples(runs)
        made_runs = self._runs(runs, details)
        return {
            "title": self._options.title,
            "notes": [tables.about_left_out(self._whole.left_out(), self._options.unverified), *map(_cut, self._notes)],
            "facts": {
                "runs": len(self._whole),
                "configurations": len(cases),
                "machines": len(np.unique(self._whole.place)),
                "campaigns": len(np.unique(self._whole.campaign)),
            },
            "cases": self._cases(cases, base, gain, commands),
            "runs": made_runs,
            "samples": samples,
            "machines": self._machines(runs),
            "figures": self._figures(runs),
            "campaigns": [[c.moment, c.commit[:12], c.torch_version] for c in self._points.campaigns],
            "reasons": list(self._points.reasons),
            "tables": tables_made,
            "pictures": pictures,
            "roofline": self._roofline(cases),
            "roofs": self._roofs(),
        }

    def _chosen_runs(self):
        """(points by configuration and time, those of each configuration's last run)."""
        points = self._points
        order = np.lexsort((points.record, points.seconds, points.campaign, points.place, points.backend, points.workload))
        points = points.chosen(order)
        keys = np.stack([points.workload, points.backend, points.place])
        last = np.ones(len(points), bool)
        last[:-1] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
        case = np.concatenate([[0], np.cumsum(last)[:-1]]) if len(points) else np.zeros(0, int)
        count = int(last.sum())
        most = max(_MOST_RUNS // max(count, 1), 2)
        behind = np.flatnonzero(last)[case] - np.arange(len(points)) if len(points) else case
        kept = behind < most
        if not kept.all():
            self._notes.append(
                "of each configuration the last %d runs are here; the database has %d more" % (most, (~kept).sum())
            )
        runs = points.chosen(kept)
        runs.of_case = case[kept]
        return runs, points.chosen(last)

    def _reports(self):
        options = speedups.Options(self._options.backends, self._options.baseline)
        asked = summaries.Options(self._options.backends, self._options.across)
        made, pictures = language.if_any(self._whole, self._connection, self._options.mode), []
        for table in served.tables(self._whole, self._connection):
            made.append(table)
            pictures += [{**self.picture(table.picture), "tab": _cut(table.title)}] if table.picture.series else []
        made += sizes.tables(self._whole, self._connection)
        made += traces.tables(self._whole, self._connection)
        for name in ("summary", "stability"):
            made += summaries.REPORTS[name](self._whole, asked)
        made += machines.if_several(self._whole, self._connection, self._options.unverified)
        for name, tab in _TRENDS.items():
            try:
                table = trends.REPORTS[name](self._whole, options)
            except Stop as stop:
                self._notes += [str(stop)] if str(stop) not in self._notes else []
                continue
            made.append(table)
            if table.picture.series:
                pictures.append({**self.picture(table.picture), "tab": tab})
        return [self.table(t) for t in made if t.rows], pictures

    @staticmethod
    def table(table):
        table = tables.without_long(table)
        cells = [[_cut(cell) if isinstance(cell, str) else cell for cell in row] for row in table.rows[:_MOST_WARNINGS]]
        more = len(table.rows) - len(cells)
        notes = [_cut(note) for note in table.notes] + (
            ["%d rows more: //tools:report --report=… has them" % more] if more else []
        )
        return {"title": _cut(table.title), "columns": [_cut(c) for c in table.columns], "rows": cells, "notes": notes}

    @staticmethod
    def picture(picture):
        kept, title = None, picture.title.replace("\n", "; ")
        names = {x for s in picture.series for x in s.x}
        if picture.kind in ("bars", "intervals") and len(names) > _MOST_BARS:
            least = {}
            for s in picture.series:
                for x, y in zip(s.x, s.y):
                    least[x] = min(y, least.get(x, y))
            order = sorted(least, key=least.get)
            kept = {"GEOMEAN", *order[: _MOST_BARS // 2], *order[-_MOST_BARS // 2 :]}
            title += "; of %d models the %d slowest and fastest" % (len(names), _MOST_BARS)

        def some(series, part):
            values = getattr(series, part)
            if kept is not None and len(values) == len(series.x):
                values = [v for v, x in zip(values, series.x) if x in kept]
            return [_cut(v) if isinstance(v, str) else v for v in _digits_of(values[-_MOST_POINTS:])]

        series = [
            {"name": _cut(s.name), **({"mark": s.mark} if s.mark else {}), **{part: some(s, part) for part in ("x", "y", "low", "high", "labels")}}
            for s in picture.series
        ]
        return {**picture._asdict(), "title": _cut(title), "series": series}

    def _speedups(self, cases):
        """The place of each configuration's baseline, or -1: the first back end's of the same workload and machine."""
        backends = speedups.chosen_backends(self._whole, self._options.backends)
        usable = cases.usable
        of = {
            (int(w), int(p)): i
            for i, (w, p, b) in enumerate(zip(cases.workload, cases.place, cases.backend))
            if b == backends[0] and usable[i]
        }
        base = np.array(
            [
                of.get((int(w), int(p)), -1) if usable[i] and b != backends[0] else -1
                for i, (w, p, b) in enumerate(zip(cases.workload, cases.place, cases.backend))
            ],
            int,
        )
        times = cases.estimates
        gain = estimates.ratio(times[base], times) if len(cases) else times
        unknown = base < 0
        for part in gain:
            part[unknown] = np.nan
        said = ~np.isnan(cases.speedup) & usable  # by the file itself
        gain.value[said] = cases.speedup[said]
        return base, gain

    def _cases(self, cases, base, gain, commands):
        workloads = [cases.workloads[w] for w in cases.workload]
        with np.errstate(invalid="ignore"):  # of a time of 0
            relative = (cases.high - cases.low) / 2 / cases.value * 100
        return {
            "case": [_cut(cases.case_name(i)) for i in range(len(cases))],
            "suite": _coded(w.suite for w in workloads),
            "model": _coded(_cut(w.model) for w in workloads),
            "dtype": _coded(w.dtype for w in workloads),
            "batch": [w.batch or None for w in workloads],
            "test": _coded(w.test for w in workloads),
            "device": _coded(w.device for w in workloads),
            "backend": _coded(cases.backends[b] for b in cases.backend),
            "machine": _coded(_cut(cases.places[p]) for p in cases.place),
            "median": _digits(cases.value),
            "width": _digits(relative),
            "speedup": _digits(gain.value),
            "low": _digits(gain.low),
            "high": _digits(gain.high),
            "compiling": _digits(cases.compiled),
            "outcome": _coded(cases.outcomes[o] for o in cases.outcome),
            "state": _coded(cases.reasons[r] or "usable" for r in cases.reason),
            "base": base.tolist(),
            "command": commands,
        }

    def _runs(self, runs, details):
        where = {}
        sources = {one: os.path.basename(path) for one, path in self._connection.execute("SELECT id, path FROM sources")}
        for record, source, line in by_ids(
            self._connection, "SELECT id, source, line FROM records WHERE id IN (%s)", runs.record.tolist()
        ):
            where[record] = (sources.get(source, ""), line)
        return {
            "case": runs.of_case.tolist(),
            "campaign": runs.campaign.tolist(),
            "seconds": [None if s != s else round(s, 3) for s in runs.seconds.tolist()],
            "median": _digits(runs.value),
            "low": _digits(runs.low),
            "high": _digits(runs.high),
            "reason": runs.reason.tolist(),
            "record": runs.record.tolist(),
            "machine": runs.machine.tolist(),
            "source": _coded(where[r][0] for r in runs.record.tolist()),
            "line": [where[r][1] for r in runs.record.tolist()],
            "changes": self._changes(runs),
            "message": {str(i): details[r] for i, r in enumerate(runs.record.tolist()) if r in details},
        }

    @staticmethod
    def _changes(runs):
        """The runs from which on a configuration's times are of another level: of those that may enter a mean each campaign's last,
        since runs of one campaign are more alike than others."""
        usable = np.flatnonzero(runs.usable)
        if not len(usable):
            return []
        case, campaign = runs.of_case[usable], runs.campaign[usable]
        last = np.r_[(case[1:] != case[:-1]) | (campaign[1:] != campaign[:-1]), True]
        chosen = usable[last]
        found, starts = [], np.flatnonzero(np.r_[True, np.diff(runs.of_case[chosen]) != 0])
        for start, end in zip(starts, [*starts[1:], len(chosen)]):
            series = change_points.changes(runs.value[chosen[start:end]])
            found += [int(chosen[start + change.place]) for change in series]
        return found

    def _samples(self, runs):
        """[[run, number of all, scale, [some, by rank, over the scale]]], of each configuration's last two runs at most."""
        newest = _newest(runs)
        for most_runs in (2, 1):
            chosen = np.flatnonzero((newest <= most_runs) & (runs.measurement >= 0))
            each = min(_SAMPLE_BYTES // (_BYTES_OF_SAMPLE * max(len(chosen), 1)), _MOST_SAMPLES)
            if each >= _FEWEST_SAMPLES * 2:
                break
        if each < _FEWEST_SAMPLES:
            self._notes.append("samples have no room here: there are too many configurations; choose some with --filter")
            return []
        made, thinned = [], False
        for i, values in distributions.samples_of(self._connection, runs, chosen):
            if len(values) > each:
                thinned = True
                values, count = values[np.linspace(0, len(values) - 1, each).round().astype(int)], len(values)
            else:
                count = len(values)
            scale = (
                10.0 ** max(int(np.floor(np.log10(values[-1]))) - 4, 0) if values[-1] > 0 else 1.0
            )  # five digits of the largest
            made.append([i, count, scale, np.round(values / scale).astype(int).tolist()])
        if thinned:
            self._notes.append("of a run's samples at most %d are here, evenly by rank; the record has all" % each)
        return made

    def _figures(self, runs):
        """{"names": of columns, "of": {run: values}}, of each configuration's last two runs, without columns that are empty in all."""
        of = {int(runs.measurement[i]): int(i) for i in np.flatnonzero((_newest(runs) <= 2) & (runs.measurement >= 0))}
        sql = "SELECT id, %s FROM measurements WHERE id IN (%%s)" % ", ".join(_FIGURES)
        found = {of[one]: values for one, *values in by_ids(self._connection, sql, list(of))}
        used = [place for place in range(len(_FIGURES)) if any(values[place] for values in found.values())]
        shown = {str(run): _digits_of([float(values[p]) if values[p] else None for p in used]) for run, values in found.items()}
        return {"names": [_FIGURES[place] for place in used], "of": shown}

    def _machines(self, runs):
        """{"names": of columns, "of": {id: values}} of the machines that runs are of."""
        names = columns.MACHINE_NAMES
        wanted = set(runs.machine.tolist())
        of = {}
        for one, *values in self._connection.execute("SELECT id, %s FROM machines" % ", ".join(names)):
            if one in wanted:
                values = [clean_json(v) if v and name in columns.JSON else v for name, v in zip(names, values)]
                of[str(one)] = [_cut(v) if isinstance(v, str) else v for v in values]
        return {"names": names, "of": of}

    def _documents(self, cases):
        """([the command that repeats each configuration's last run], {record: why it failed})."""
        labels = dict(self._connection.execute("SELECT id, label FROM cases"))
        formats, details = {}, {}
        wanted = cases.record.tolist()
        for record, form, error, message in by_ids(
            self._connection, "SELECT id, imported_format, error, message FROM records WHERE id IN (%s)", wanted
        ):
            formats[record] = form
            if error or message:
                details[record] = _cut(error or message)
        chosen = stored.Stored(self._connection, "id IN (%s)" % ", ".join(map(str, sorted(wanted))), samples=False)
        flags = {}
        for record, document in zip(sorted(wanted), chosen.records()):
            given = clean_words([f for f in document.get("flags", ()) if isinstance(f, str)])
            if document.get("peaks"):
                self._with_peaks.append(document)
            flags[record] = [without_folders(flag) for flag in given if not flag.startswith(_OUTPUTS)]
        commands = []
        for record, case in zip(wanted, cases.case.tolist()):
            label = labels.get(case)
            if formats.get(record) or not label:
                commands.append("")  # another suite's
                continue
            words = " ".join(map(_word, flags.get(record, ())))
            commands.append(_cut("tools/bazel run %s" % label + (" -- " + words if words else "")))
        return commands, details

    def _roofs(self):
        """[[machine and data type, GFLOP/s, GB/s]], None for what was not measured: of the runs that were made with --peaks."""
        found = analysis.analyse([analysis.Input("", [records.typed(d) for d in self._with_peaks])], [], analysis.Selection())
        made = []
        for roof in found.roofs:
            compute, memory = (float("%.6g" % (peak["per_s"] / 1e9)) if peak else None for peak in (roof.compute, roof.memory))
            made.append([_cut("%s, %s" % (roof.machine, roof.dtype)), compute, memory])
        return made

    def _roofline(self, cases):
        """[[configuration, FLOP/byte, GFLOP/s]] of those whose operations and bytes are counted; as //tools:roofline does, on a GPU by
        its own timer in place of wall, which is also the host's time to queue the work."""
        of = {int(m): i for i, m in enumerate(cases.measurement) if m >= 0 and cases.value[i] > 0}
        by_timer = self._cold_medians([int(cases.record[i]) for i in of.values() if cases.workloads[cases.workload[i]].device == "cuda"])
        sql = """SELECT id, step, mode, flops_per_call, bytes_per_call FROM measurements
          WHERE flops_per_call > 0 AND bytes_per_call > 0 AND id IN (%s)"""
        found = []
        for measurement, step, mode, flops, moved in by_ids(self._connection, sql, list(of)):
            i = of[measurement]
            awaited = float(cases.value[i])
            time_ns = by_timer.get((int(cases.record[i]), step), awaited) if mode == "wall" and not self._options.mode else awaited
            found.append([i, *_digits([flops / moved, flops / time_ns])])
        return found

    def _cold_medians(self, records):
        """{(record, step): median}"""
        sql = "SELECT r.id, x.step, x.median_ns FROM records r JOIN measurements x ON %s WHERE x.mode = 'cold' AND x.flagged IS NULL AND r.id IN (%%s)"
        found = by_ids(self._connection, sql % database.MEASURED, records)
        return {(record, step): median for record, step, median in found if median}


def _word(flag):
    """A flag as a shell takes it."""
    plain = flag and all(c.isalnum() or c in "-_=./,:+%@^" for c in flag)
    return flag if plain else "'" + flag.replace("'", "'\\''") + "'"
