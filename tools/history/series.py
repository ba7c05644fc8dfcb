"""The database of results as series of times: of one configuration, mode and step, on one machine.

    for one in read(connection, re.compile("mlp").search, mode="wall"): one.points, one.left_out

A point is the median of what one commit gave on one day in one environment. Processes of one day differ less than those of two
days, so that each would count as evidence of its own, which it is not. Wall times of two machines are never in one series.
"""

import collections
import json
import statistics
from typing import NamedTuple

from tools.history import change_points
from tools.results import columns, database, named_queries, query

# Fields that may change from point to point of a series, beside the commit; what tells machines apart is not among it.
ENVIRONMENT = [
    name for name in columns.MACHINE_NAMES if name not in (*named_queries.MACHINE, "git_commit", "git_dirty")
]
_SQL = """{groups}
SELECT f.number AS configuration, p.number AS place, c.case_name, c.label, c.device, c.flags, c.backend, x.mode, x.step, x.preset,
  coalesce(m.gpu_name, m.cpu_model) AS machine, r.started_utc, x.median_ns, r.outcome, x.flagged, m.git_commit, m.git_dirty,
  {environment}
FROM records r JOIN cases c ON c.id = r.case_id JOIN configuration f ON f.id = r.case_id JOIN place p ON p.id = r.machine_id
  JOIN machines m ON m.id = r.machine_id CROSS JOIN measurements x ON {measured}
WHERE x.median_ns IS NOT NULL AND r.case_id IN (SELECT value FROM json_each(?1)) AND ?2 IN ('', x.mode) ORDER BY r.started_utc, r.id"""


class Point(NamedTuple):
    day: str  # 2026-01-31
    commit: str  # with + where the tree had changes
    median_ns: float
    runs: int
    environment: tuple  # in the order of ENVIRONMENT


class Series(NamedTuple):
    case_name: str
    label: str
    device: str
    flags: str  # settings by which it differs from other series of the case: "--threads=1"
    mode: str
    step: str
    preset: str
    machine: str
    points: list
    left_out: dict  # reason -> runs

    def values(self):
        return [point.median_ns for point in self.points]

    def noise(self):
        """The usual step of the past: of all steps but the last one."""
        return change_points.noise(self.values()[:-1])

    def last_step(self):
        """Relative to the point before; None of the first one."""
        values = self.values()
        return values[-1] / values[-2] - 1 if len(values) > 1 else None

    def changes(self):
        return change_points.changes(self.values())

    def differences(self, place):
        """Changes of the environment with this point: "gpu_driver 580.1 -> 580.2"."""
        before, after = self.points[place - 1].environment, self.points[place].environment
        return ["%s %s -> %s" % (name, a, b) for name, a, b in zip(ENVIRONMENT, before, after) if a != b]


def read(connection, chosen, mode=""):
    """The series of the cases whose names `chosen` accepts, in alphabetical order. If all runs of a series were left out, it has
    no point."""
    sql = _SQL.format(
        groups=named_queries.GROUPS,
        environment=", ".join("m." + name for name in ENVIRONMENT),
        measured=database.MEASURED,
    )
    heads, days, left_out = {}, {}, collections.defaultdict(collections.Counter)
    cases = [one for one, name in connection.execute("SELECT id, case_name FROM cases") if chosen(name or "")]
    for row in query.rows(connection, sql.strip(), (json.dumps(cases), mode))[1]:
        configuration, place, case_name, label, device, flags, backend, of_mode, step, preset, machine = row[:11]
        started, median_ns, outcome, flagged, commit, dirty, *environment = row[11:]
        key = (configuration, place, of_mode, step, preset)
        heads[key] = (case_name, label, device, (flags, backend), of_mode, step, preset, machine)
        reason = outcome if outcome != "PASS" else "FLAGGED" if flagged else "a time of 0" if not median_ns > 0 else ""
        if reason:
            left_out[key][reason] += 1
            continue
        point = ((started or "")[:10], (commit or "unknown") + ("+" if dirty else ""), tuple(environment))
        days.setdefault(key, {}).setdefault(point, []).append(median_ns)
    made, flags = [], _Flags(head[:1] + head[3] for head in heads.values())
    for key, (case_name, label, device, settings, *rest) in heads.items():
        points = [
            Point(day, commit, statistics.median(medians), len(medians), environment)
            for (day, commit, environment), medians in days.get(key, {}).items()
        ]
        made.append(
            Series(case_name, label, device, flags.text(case_name, *settings), *rest, points, dict(left_out[key]))
        )
    return sorted(made, key=lambda one: [text or "" for text in one[:8]])


class _Flags:
    """The settings that tell configurations of one case apart: all of them would be a screenful, the same for each."""

    def __init__(self, configurations):
        """Of (case_name, JSON, backend)."""
        self._settings = {}
        for case_name, *settings in set(configurations):
            self._settings.setdefault(case_name, []).append(_settings(*settings))

    def text(self, case_name, *settings):
        others = self._settings[case_name]
        found = [
            (name, value)
            for name, value in sorted(_settings(*settings).items())
            if any(o.get(name) != value for o in others)
        ]
        return " ".join("--%s=%s" % item for item in found)


def _settings(text, backend):
    settings = json.loads(text or "{}")
    settings.pop("device", None)  # which a series says itself
    return {**settings, "backend": (backend or "").lower()}
