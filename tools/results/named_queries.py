"""Questions that have a name: query latest, query history CASE.

question = named_queries.named("history")
query.rows(connection, question.sql, ["resnet18_fp32_b1"])
"""

from typing import NamedTuple

from tools.results import columns, database


class Question(NamedTuple):
    name: str
    arguments: tuple
    about: str
    sql: str
    nothing: str  # what an answer without rows means, where that is no answer
    long: tuple = ()  # columns of sentences, which a table leaves out


# Runs are of one configuration where all that a case says of its call is equal, and on one machine where these are: its
# commit, compiler, kernel and torch version are what changes from run to run. `alike` are configurations of one program
# that differ in their back end alone, which other suites write into names and tags, too.
MACHINE = ["cpu_model", "cpu_count", "threads", "gpu_name", "variables", "node"]
_NAMING = ["case_name", "backend", "label", "configuration", "tags"]
GROUPS = """
WITH configuration AS (
  SELECT id, dense_rank() OVER (ORDER BY %s) AS number, dense_rank() OVER (ORDER BY %s) AS alike FROM cases),
place AS (SELECT id, dense_rank() OVER (ORDER BY %s) AS number FROM machines)""" % (
    ", ".join(columns.CONFIGURATION),
    ", ".join(["coalesce(model, case_name)"] + [name for name in columns.CONFIGURATION if name not in _NAMING]),
    ", ".join(MACHINE),
)
# The last run of each configuration on each machine: that of each row of cases and machines is found by the index, so
# that no other runs are read.
_LATEST = (
    GROUPS
    + """,
last AS (
  SELECT r.id, row_number() OVER (PARTITION BY f.number, p.number ORDER BY r.started_utc DESC, r.id DESC) AS age,
    f.number AS configuration, f.alike, p.number AS place
  FROM (SELECT DISTINCT case_id, machine_id FROM figure_tallies) t
    JOIN configuration f ON f.id = t.case_id JOIN place p ON p.id = t.machine_id
    JOIN records r ON r.id = (SELECT id FROM records WHERE case_id = t.case_id AND machine_id = t.machine_id
      ORDER BY started_utc DESC, id DESC LIMIT 1)),
latest AS (SELECT * FROM last WHERE age = 1)"""
)

_REPLIES = {"right": ("equal", "close"), "wrong": ("wrong",), "lost": ("lost",), "doubled": ("doubled",)}


def _counted(name):
    """A record leaves out a count that is 0."""
    counts = " + ".join("coalesce(s.%s_replies, 0)" % kind for kind in _REPLIES[name])
    return "iif(s.record, %s, NULL) AS %s" % (counts, name)


# LoadGen judges a server by its bound alone.
_JUDGED = "CASE WHEN s.scenario <> 'server' OR s.bound_ns > 0 THEN iif(s.valid, 'VALID', 'INVALID') END"

_SQL = {
    "latest": """{latest}
SELECT r.started_utc, r.case_name, called_of(o.case_id) AS called, r.mode, r.step, r.median_ns, r.ci_low_ns, r.ci_high_ns,
  r.units_per_s, r.unit, r.outcome, r.flagged, r.device, nullif(lower(coalesce(r.backend, 'eager')), 'eager') AS backend,
  coalesce(r.gpu_name, r.cpu_model) AS machine, r.torch_version, substr(r.git_commit, 1, 8) AS commit_id
FROM latest l CROSS JOIN results r ON r.id = l.id CROSS JOIN records o ON o.id = l.id
ORDER BY r.case_name, r.device, machine, called, r.backend, r.mode, r.step""",
    # It takes the first mode that the run has of each step. The lengths of prompt and continuation are those of the measured calls, else of the
    # case's name (_s128_gen32). llama-bench's cases are called as their tests, and count all tokens of a test.
    "tokens": """{latest},
token AS (
  SELECT r.id, r.case_id, r.machine_id, r.outcome, r.parameter_count, r.parameter_bytes + coalesce(r.buffer_bytes, 0) AS bytes,
    c.case_name, coalesce(nullif(c.batch, 0), 1) AS batch, x.id AS measurement, x.step, x.median_ns, x.units_per_call, x.flagged,
    CASE WHEN c.backend = 'llama.cpp' THEN replace(substr(c.case_name, length(c.model) + 2), '/', ' ') END AS named,
    row_number() OVER (PARTITION BY r.id, x.step ORDER BY instr('wall cold hot throughput', x.mode)) AS place
  FROM latest l CROSS JOIN records r ON r.id = l.id CROSS JOIN measurements x ON {measured} JOIN cases c ON c.id = r.case_id
  WHERE c.case_mode = 'GENERATE' AND x.unit = 'token' AND x.preset IS NULL AND x.median_ns > 0{chosen}),
length AS (
  SELECT id, coalesce(max(CASE step WHEN 'prefill' THEN units_per_call END) / batch,
      nullif(CAST(substr(case_name, instr(case_name, '_s') + 2) AS INTEGER), 0)) AS prompt,
    coalesce(max(CASE step WHEN 'generate' THEN units_per_call END) / batch,
      nullif(CAST(substr(case_name, instr(case_name, '_gen') + 4) AS INTEGER), 0)) AS new
  FROM token WHERE place = 1 GROUP BY id),
counted AS (
  SELECT t.*, CASE WHEN t.step = 'generate' AND t.named IS NULL THEN t.units_per_call + coalesce(n.prompt, 0) * t.batch ELSE t.units_per_call END AS tokens,
    coalesce(t.named, CASE t.step WHEN 'decode' THEN '' ELSE 'pp' || coalesce(CAST(n.prompt AS INTEGER), '') END
      || CASE t.step WHEN 'prefill' THEN '' WHEN 'generate' THEN '+' ELSE '' END
      || CASE t.step WHEN 'prefill' THEN '' ELSE 'tg' || coalesce(CAST(n.new AS INTEGER), '') END
      || CASE t.step WHEN 'decode' THEN coalesce(' @ d' || CAST(n.prompt AS INTEGER), '') ELSE '' END) AS test
  FROM token t JOIN length n ON n.id = t.id WHERE t.place = 1)
SELECT coalesce(c.model, c.case_name) AS model, t.parameter_count AS parameters, t.bytes, lower(c.dtype)
    || coalesce('+amp_' || lower(c.autocast), '') AS dtype, c.batch,
  nullif(json_extract(c.flags, '$.lowering'), 'none') AS lowering, lower(coalesce(c.backend, 'eager')) AS backend, called_of(t.case_id) AS called, t.test,
  1e9 * t.tokens / t.median_ns AS tokens_per_s,
  (SELECT sqrt(max(avg(s.rate * s.rate) - avg(s.rate) * avg(s.rate), 0) * count(*) / nullif(count(*) - 1, 0))
    FROM (SELECT 1e9 * t.tokens / value AS rate FROM samples, json_each(samples_json(nanoseconds))
      WHERE samples.measurement = t.measurement AND value > 0) s) AS deviation_per_s,
  CASE WHEN t.outcome <> 'PASS' THEN t.outcome WHEN t.flagged IS NOT NULL THEN 'FLAGGED ' || t.flagged ELSE 'usable' END AS state,
  coalesce(m.gpu_name, m.cpu_model) || CASE WHEN m.gpu_name IS NULL THEN ', ' || m.threads || ' threads' ELSE '' END AS machine
FROM counted t JOIN cases c ON c.id = t.case_id JOIN machines m ON m.id = t.machine_id
ORDER BY model, c.dtype, c.batch, lowering, backend, called, machine, t.case_name, instr('prefill decode generate', t.step)""",
    # A run under load that ended before it served has a row, too.
    "served": """{latest}
SELECT c.case_name, called_of(r.case_id) AS called, coalesce(s.scenario, json_extract(c.flags, '$.scenario')) AS scenario,
  nullif(s.asked_qps, 0) AS asked_qps, s.queries_per_s, s.requests_per_s, s.p50_ns, s.p90_ns, s.certified_p90_ns, s.p99_ns,
  s.certified_p99_ns, s.p999_ns, s.certified_p999_ns, s.bound_ns, s.bound_share, s.within_bound,
  CASE WHEN s.bound_ns > 0 THEN CASE WHEN coalesce(s.within_bound, 0) < s.bound_share THEN 'no' ELSE 'yes' END END AS kept,
  s.tokens_per_s, s.first_token_p50_ns, s.first_token_p99_ns, s.per_token_p50_ns, s.per_token_p99_ns, s.goodput,
  s.workers, s.max_batch, s.busy_share, %s, %s AS validity, iif(%s = 'INVALID', s.invalid_reason, NULL) AS invalid_reason,
  s.flagged, s.peak, r.outcome, nullif(lower(coalesce(c.backend, 'eager')), 'eager') AS backend,
  coalesce(m.gpu_name, m.cpu_model) || CASE WHEN m.gpu_name IS NULL THEN ', ' || m.threads || ' threads' ELSE '' END AS machine,
  r.started_utc, r.id AS run
FROM latest l CROSS JOIN records r ON r.id = l.id LEFT JOIN rates s ON s.record = r.id
  JOIN cases c ON c.id = r.case_id JOIN machines m ON m.id = r.machine_id
WHERE s.record IS NOT NULL OR coalesce(json_extract(c.flags, '$.scenario'), '') <> ''
ORDER BY c.case_name, machine, called, r.id, s.asked_qps, s.place"""
    % (", ".join(map(_counted, _REPLIES)), _JUDGED, _JUDGED),
    "sizes": """{latest}
SELECT c.case_name, called_of(r.case_id) AS called, coalesce(x.size, 'all, as dealt') AS size, x.size_weight AS weight, x.samples * coalesce(x.calls_per_sample, 1) AS calls,
  x.median_ns, x.p90_ns, x.unit, 1e9 * x.units_per_call / x.median_ns AS units_per_s, x.alone_ns, x.size_ratio AS over_alone,
  x.first_call_ns, x.made_s, x.compilations, r.outcome, x.flagged,
  nullif(lower(coalesce(c.backend, 'eager')), 'eager') AS backend,
  coalesce(m.gpu_name, m.cpu_model) AS machine, r.started_utc
FROM latest l CROSS JOIN records r ON r.id = l.id CROSS JOIN measurements x ON {measured}
  JOIN cases c ON c.id = r.case_id JOIN machines m ON m.id = r.machine_id
WHERE x.size_weight > 0 ORDER BY c.case_name, machine, called, r.id, x.size IS NOT NULL, x.id""",
    "slowest": """{latest}
SELECT c.case_name, x.mode, x.step, x.median_ns, x.first_call_ns, x.flagged, c.device,
  coalesce(m.gpu_name, m.cpu_model) AS machine, r.started_utc
FROM latest l CROSS JOIN records r ON r.id = l.id CROSS JOIN measurements x ON {measured}
  JOIN cases c ON c.id = r.case_id JOIN machines m ON m.id = r.machine_id
ORDER BY x.median_ns DESC LIMIT 20""",
    "backends": """{latest}
SELECT coalesce(c.model, c.case_name) AS program, c.dtype, c.batch, c.case_mode, x.mode, x.step,
  lower(coalesce(c.backend, 'eager')) AS backend, x.median_ns,
  max(CASE WHEN lower(coalesce(c.backend, 'eager')) = 'eager' THEN x.median_ns END)
    OVER (PARTITION BY l.alike, l.place, x.mode, x.step, x.preset) / x.median_ns AS over_eager,
  r.outcome, x.flagged, coalesce(m.gpu_name, m.cpu_model, c.device) AS machine
FROM latest l CROSS JOIN records r ON r.id = l.id CROSS JOIN measurements x ON {measured}
  JOIN cases c ON c.id = r.case_id JOIN machines m ON m.id = r.machine_id
ORDER BY 1, 2, 3, 4, 12, 5, 6, 7""",
    "failures": """
SELECT started_utc, case_name, outcome, coalesce(error, message) AS reason, device,
  coalesce(gpu_name, cpu_model) AS machine, torch_version, partial, source, line
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
    # Sides by torch version and commit: baseline (candidate = 0) and candidate.
    "speedup": """{groups},
machine AS (
  SELECT id, coalesce(gpu_name, cpu_model) AS name,
    torch_version = ?1 OR length(?1) >= 7 AND git_commit LIKE ?1 || '%' AS baseline,
    torch_version = ?2 OR length(?2) >= 7 AND git_commit LIKE ?2 || '%' AS candidate FROM machines),
side AS (
  SELECT f.number AS configuration, p.number AS place, m.name, m.baseline, m.candidate, r.case_id, x.mode, x.step,
    x.preset, x.median_ns, x.ci_low_ns, x.ci_high_ns, x.flagged,
    row_number() OVER (PARTITION BY f.number, p.number, m.baseline, m.candidate, x.mode, x.step, x.preset
      ORDER BY r.started_utc DESC, x.id DESC) AS age
  FROM machine m JOIN (SELECT DISTINCT case_id, machine_id FROM figure_tallies) t ON t.machine_id = m.id
    JOIN configuration f ON f.id = t.case_id JOIN place p ON p.id = m.id
    CROSS JOIN records r ON r.case_id = t.case_id AND r.machine_id = t.machine_id CROSS JOIN measurements x ON {measured}
  WHERE (m.baseline OR m.candidate) AND x.median_ns IS NOT NULL)
SELECT c.case_name, b.mode, b.step, b.median_ns AS baseline_ns, n.median_ns AS candidate_ns,
  b.median_ns / n.median_ns AS speedup,
  CASE WHEN b.ci_low_ns > n.ci_high_ns OR n.ci_low_ns > b.ci_high_ns THEN 'apart'
    WHEN b.ci_low_ns IS NULL OR n.ci_low_ns IS NULL THEN 'one has none' ELSE 'overlap' END AS intervals,
  trim(coalesce(b.flagged, '') || ' ' || coalesce(n.flagged, '')) AS flagged, b.name AS machine
FROM side b JOIN side n ON n.candidate AND n.age = 1 AND n.configuration = b.configuration AND n.place = b.place
  AND n.mode = b.mode AND n.step IS b.step AND n.preset IS b.preset
JOIN cases c ON c.id = b.case_id WHERE b.baseline AND b.age = 1 ORDER BY speedup""",
    "suites": """
SELECT r.suite_run, coalesce(f.started_utc, min(r.started_utc)) AS started_utc, sum(r.count) AS records, f.planned,
  f.done_before,
  CASE WHEN f.complete THEN 'complete' WHEN f.id IS NULL THEN 'partial: cut off' ELSE 'partial' END AS state
FROM run_tallies r LEFT JOIN suite_runs f ON f.id = r.suite_run WHERE r.suite_run <> '' GROUP BY 1 ORDER BY 2""",
    # `slower`: the geometric mean, over the configurations that other machines have run too, of how much longer they take here
    # than in the mean of all. Of other machines' numbers none enters a median, and of runs that failed or are flagged none the mean.
    "machines": """{latest},
median AS (
  SELECT m.id AS machine, l.configuration, x.mode, x.step, x.flagged,
    CASE WHEN x.flagged IS NULL AND r.outcome IN ({usable}) THEN ln(x.median_ns) END AS logarithm
  FROM latest l CROSS JOIN records r ON r.id = l.id CROSS JOIN measurements x ON {measured}
    JOIN machines m ON m.id = r.machine_id WHERE x.median_ns > 0{chosen}),
apart AS (
  SELECT *, logarithm - avg(logarithm) OVER alike AS apart, count(logarithm) OVER alike AS machines FROM median
  WINDOW alike AS (PARTITION BY configuration, mode, step))
SELECT m.node, m.cpu_model, m.cpu_count, m.gpu_name, m.kernel, m.governor, count(*) AS medians,
  sum(a.flagged IS NOT NULL) AS flagged, sum(a.machines > 1 AND a.apart IS NOT NULL) AS shared,
  exp(avg(CASE WHEN a.machines > 1 THEN a.apart END)) AS slower
FROM apart a JOIN machines m ON m.id = a.machine
GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY slower DESC, 1""",
    "sources": "SELECT path, format, bytes, lines FROM sources ORDER BY id",
}


def _question(name, about, arguments=(), nothing="", usable="'PASS'", chosen="", latest=_LATEST, long=()):
    sql = _SQL[name].strip()
    for short, whole in (
        ("{latest}", latest),
        ("{groups}", GROUPS),
        ("{measured}", database.MEASURED),
        ("{failed}", database.FAILED),
        ("{usable}", usable),
        ("{chosen}", chosen),
    ):
        sql = sql.replace(short, whole)
    return Question(name, arguments, about, sql.strip(), nothing, long)


QUESTIONS = [
    _question("latest", "the last run of each configuration on each machine"),
    _question("tokens", "tokens a second of generation cases, of the last runs, as llama-bench has them"),
    _question("served", "runs under load (--scenario), of the last runs: a row for each rate", long=("invalid_reason",)),
    _question("sizes", "runs whose sizes vary (--vary), of the last runs: a row for each size, and one for all calls"),
    _question("slowest", "the 20 longest medians, of the last runs"),
    _question("backends", "the last runs of each program by back end, and how much faster than eager each is"),
    _question("failures", "every run that neither passed nor was left out on purpose, newest first"),
    _question("outcomes", "how many runs ended how, by device and torch version"),
    _question("history", "all medians of one case, oldest first", ("CASE",)),
    _question(
        "speedup",
        "ratios of medians, of last runs with two torch versions or of two commits; tools:compare measures such a thing",
        ("BASELINE", "CANDIDATE"),
        "nothing to compare: no configuration has a median of both on one machine; `query outcomes` has the torch versions,"
        " `query latest` the commits",
    ),
    _question("suites", "the suites' runs: what was planned, and whether all of it is there"),
    _question("machines", "the machines, and which of them is slow at what others have run too"),
    _question("sources", "the files that were imported"),
]

# The machines of a report's runs. Its arguments are JSON lists: ids of cases and machines, and outcomes that may enter a mean.
MACHINES_OF = _question(
    "machines",
    "",
    ("CASES", "MACHINES", "OUTCOMES"),
    usable="SELECT value FROM json_each(?3)",
    chosen=""" AND r.case_id IN (SELECT value FROM json_each(?1))
      AND r.machine_id IN (SELECT value FROM json_each(?2))""",
)

# The tokens a second of a report's runs. Its arguments: ids of records as a JSON list, and a mode, or "" for the first that there is.
TOKENS_OF = _question(
    "tokens",
    "",
    ("RECORDS", "MODE"),
    chosen=" AND ?2 IN ('', x.mode)",
    latest="WITH latest AS (SELECT value AS id FROM json_each(?1))",
)


# The rates of a report's runs. Its argument: ids of records as a JSON list.
SERVED_OF = _question("served", "", ("RECORDS",), latest="WITH latest AS (SELECT value AS id FROM json_each(?1))")


def named(name):
    return next((question for question in QUESTIONS if question.name == name), None)


def listed():
    return "\n".join("%-28s %s" % (" ".join((q.name, *q.arguments)), q.about) for q in QUESTIONS)
