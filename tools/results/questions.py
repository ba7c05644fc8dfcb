"""Questions that have a name: query latest, query history CASE.

question = questions.named("history")
query.rows(connection, question.sql, ["resnet18_fp32_b1"])
"""

from typing import NamedTuple

from tools.results import database


class Question(NamedTuple):
    name: str
    arguments: tuple
    about: str
    sql: str


# Each configuration on each machine.
_PAIRS = "(SELECT DISTINCT case_id, machine_id FROM figure_tallies)"
# The last run of each case: found one by one, so that no other runs are read.
_LATEST = """(
  SELECT (SELECT id FROM records WHERE case_id = p.case_id AND machine_id = p.machine_id
    ORDER BY started_utc DESC LIMIT 1) AS id FROM {pairs} p)"""

_SQL = {
    "latest": """
SELECT r.started_utc, r.case_name, r.mode, r.step, r.median_ns, r.ci_low_ns, r.ci_high_ns, r.outcome, r.flagged,
  r.device, r.torch_version, substr(r.git_commit, 1, 8) AS commit_id
FROM {latest} l CROSS JOIN results r ON r.id = l.id ORDER BY r.case_name, r.mode, r.step""",
    "slowest": """
SELECT c.case_name, x.mode, x.step, x.median_ns, x.first_call_ns, x.flagged, c.device, r.started_utc
FROM {latest} l CROSS JOIN records r ON r.id = l.id CROSS JOIN measurements x ON {measured}
  JOIN cases c ON c.id = r.case_id
ORDER BY x.median_ns DESC LIMIT 20""",
    "failures": """
SELECT started_utc, case_name, outcome, coalesce(error, message) AS reason, device, torch_version, partial, source, line
FROM runs WHERE {failed} ORDER BY started_utc DESC""",
    "outcomes": """
SELECT nullif(r.device, '') AS device, m.torch_version, r.outcome, sum(r.count) AS runs,
  sum(r.count * (r.suite_run <> '' AND NOT coalesce(f.complete, 0))) AS partial
FROM run_tallies r JOIN machines m ON m.id = r.machine_id LEFT JOIN suite_runs f ON f.id = r.suite_run
GROUP BY 1, 2, 3 ORDER BY 1, 2, 4 DESC, 3""",
    "history": """
SELECT started_utc, substr(git_commit, 1, 8) AS commit_id, torch_version, cpu_model, gpu_name, mode, step, median_ns,
  ci_low_ns, ci_high_ns, outcome, flagged, partial
FROM results WHERE id IN (SELECT r.id FROM records r JOIN cases c ON c.id = r.case_id WHERE c.case_name = ?1)
ORDER BY started_utc, id, mode, step""",
    # Sides by machine, but for its torch version and commit: baseline (candidate = 0) and candidate.
    "speedup": """
WITH machine AS (
  SELECT id, cpu_model, gpu_name, threads,
    torch_version = ?1 OR length(?1) >= 7 AND git_commit LIKE ?1 || '%' AS baseline,
    torch_version = ?2 OR length(?2) >= 7 AND git_commit LIKE ?2 || '%' AS candidate FROM machines),
side AS (
  SELECT r.case_id, m.cpu_model, m.gpu_name, m.threads, m.baseline, m.candidate, x.mode, x.step, x.preset, x.median_ns,
    x.ci_low_ns, x.ci_high_ns, x.flagged,
    row_number() OVER (PARTITION BY r.case_id, m.cpu_model, m.gpu_name, m.threads, m.baseline, m.candidate, x.mode,
      x.step, x.preset ORDER BY r.started_utc DESC, x.id DESC) AS age
  FROM machine m JOIN {pairs} p ON p.machine_id = m.id
    CROSS JOIN records r ON r.case_id = p.case_id AND r.machine_id = p.machine_id CROSS JOIN measurements x ON {measured}
  WHERE m.baseline OR m.candidate)
SELECT c.case_name, b.mode, b.step, b.median_ns AS baseline_ns, n.median_ns AS candidate_ns,
  b.median_ns / n.median_ns AS speedup,
  CASE WHEN b.ci_low_ns > n.ci_high_ns OR n.ci_low_ns > b.ci_high_ns THEN 'apart'
    WHEN b.ci_low_ns IS NULL OR n.ci_low_ns IS NULL THEN 'unknown' ELSE 'meet' END AS intervals,
  trim(coalesce(b.flagged, '') || ' ' || coalesce(n.flagged, '')) AS flagged,
  coalesce(b.gpu_name, b.cpu_model) AS machine
FROM side b JOIN side n ON n.candidate AND n.age = 1 AND n.case_id = b.case_id AND n.cpu_model IS b.cpu_model
  AND n.gpu_name IS b.gpu_name AND n.threads IS b.threads AND n.mode = b.mode AND n.step IS b.step
  AND n.preset IS b.preset
JOIN cases c ON c.id = b.case_id WHERE b.baseline AND b.age = 1 ORDER BY speedup""",
    "suites": """
SELECT r.suite_run, coalesce(f.started_utc, min(r.started_utc)) AS started_utc, sum(r.count) AS records, f.planned,
  f.done_before,
  CASE WHEN f.complete THEN 'complete' WHEN f.id IS NULL THEN 'partial: cut off' ELSE 'partial' END AS state
FROM run_tallies r LEFT JOIN suite_runs f ON f.id = r.suite_run WHERE r.suite_run <> '' GROUP BY 1 ORDER BY 2""",
    "sources": "SELECT path, format, bytes, lines FROM sources ORDER BY id",
}


def _question(name, about, arguments=()):
    sql = _SQL[name].strip()
    for short, whole in (
        ("{latest}", _LATEST),
        ("{pairs}", _PAIRS),
        ("{measured}", database.MEASURED),
        ("{failed}", database.FAILED),
    ):
        sql = sql.replace(short, whole)
    return Question(name, arguments, about, sql)


QUESTIONS = [
    _question("latest", "the last run of each configuration on each machine"),
    _question("slowest", "the 20 longest medians, of the last runs"),
    _question("failures", "every run that neither passed nor was left out on purpose, newest first"),
    _question("outcomes", "how many runs ended how, by device and torch version"),
    _question("history", "all medians of one case, oldest first", ("CASE",)),
    _question(
        "speedup",
        "ratios of medians, of last runs with two torch versions or of two commits; tools:compare measures such a thing",
        ("BASELINE", "CANDIDATE"),
    ),
    _question("suites", "the suites' runs: what was planned, and whether all of it is there"),
    _question("sources", "the files that were imported"),
]


def named(name):
    return next((question for question in QUESTIONS if question.name == name), None)


def listed():
    return "\n".join("%-28s %s" % (" ".join((q.name, *q.arguments)), q.about) for q in QUESTIONS)
