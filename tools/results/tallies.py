"""Sums that are kept up at import, so that a question over many records need not read them all.

    tallies = Tallies(connection)
    tallies.add(case_id, machine_id, values, figures)     # of a record that is new; in the order of RECORD, MEASUREMENT
    tallies.write()

There are two tables: `figure_tallies`, which the view `summary` shows, with a row for each case, machine, outcome, mode,
step, preset, and whether samples were flagged; `run_tallies` with one for each suite's run, case's device, machine and
outcome. Texts that are missing are empty there, since NULLs are never equal. (database.py makes both.)
"""

from tools.results import columns
from tools.results.record import ABSENT

_MOST_KEPT = 1 << 16
_FIGURES = """INSERT INTO figure_tallies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
  count = count + excluded.count, medians = medians + excluded.medians, sum_ns = sum_ns + excluded.sum_ns,
  min_ns = coalesce(min(min_ns, excluded.min_ns), min_ns, excluded.min_ns),
  max_ns = coalesce(max(max_ns, excluded.max_ns), max_ns, excluded.max_ns)"""
_RUNS = """INSERT INTO run_tallies SELECT ?1, coalesce(device, ''), ?3, ?4, ?5, ?6 FROM cases WHERE id = ?2
  ON CONFLICT DO UPDATE SET count = count + excluded.count, started_utc = min(started_utc, excluded.started_utc)"""

_OUTCOME, _STARTED, _SUITE_RUN = (columns.RECORD_NAMES.index(name) for name in ("outcome", "started_utc", "suite_run"))
_MODE, _STEP, _PRESET, _MEDIAN, _FLAGGED = (
    columns.MEASUREMENT_NAMES.index(name) for name in ("mode", "step", "preset", "median_ns", "flagged")
)
_NO_FIGURES = tuple(ABSENT if name == "median_ns" else None for name in columns.MEASUREMENT_NAMES)


class Tallies:
    def __init__(self, connection):
        self._connection, self._figures, self._runs = connection, {}, {}

    def add(self, case, machine, values, figures):
        outcome, started = values[_OUTCOME], values[_STARTED] or ""
        key = (values[_SUITE_RUN] or "", case, machine, outcome)
        run = self._runs.get(key)
        if run is None:
            self._runs[key] = [1, started]
        else:
            run[0] += 1
            if started < run[1]:
                run[1] = started
        for figure in figures or (_NO_FIGURES,):
            median = figure[_MEDIAN]
            key = (case, machine, outcome, figure[_MODE], figure[_STEP], figure[_PRESET], figure[_FLAGGED] is not None)
            tally = self._figures.get(key)
            if tally is None:
                tally = self._figures[key] = [0, 0, 0.0, median, median]
            tally[0] += 1
            if median == median:  # else it is absent
                tally[1] += 1
                tally[2] += median
                if not tally[3] <= median:
                    tally[3] = median
                if not tally[4] >= median:
                    tally[4] = median
        if len(self._figures) + len(self._runs) > _MOST_KEPT:
            self.write()

    def write(self):
        figures = ((*key[:3], *(text or "" for text in key[3:6]), key[6], *t) for key, t in self._figures.items())
        self._connection.executemany(_FIGURES, figures)
        self._connection.executemany(_RUNS, ((*key, *run) for key, run in self._runs.items()))
        self._figures, self._runs = {}, {}
