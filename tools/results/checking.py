"""check: whether results files are whole and right, without a database.

report = check("runs.jsonl", "runs.jsonl")      # report.text(), report.problems
report = check("runs.jsonl", "runs.jsonl", each=lambda line, document: ...)     # of this suite: hears of each good record
"""

import os

from tools.results import columns, rows
from tools.results.errors import Problem
from tools.results.formats import assay, registry
from tools.results.importing import foreign
from tools.results.line_file import LineFile

_MOST_PRINTED = 20


class Report:
    def __init__(self, path, form):
        self.path, self.form = path, form
        self.records = self.footers = self.alone = 0
        self.problems = []
        self.ends_whole = False  # whether the last run of a suite in it is whole, so that it made good one that was cut off

    def add(self, line, kind, message):
        self.problems.append(Problem(self.path, line, kind, message))

    def text(self):
        kinds = {}
        for problem in self.problems:
            kinds[problem.kind] = kinds.get(problem.kind, 0) + 1
        found = ", ".join("%s: %d" % item for item in kinds.items()) or "nothing wrong"
        head = "%s: %s, %d records, %d of no suite, %d footers; %s" % (
            self.path,
            self.form,
            self.records,
            self.alone,
            self.footers,
            found,
        )
        lines = [head] + ["  %s" % problem for problem in self.problems[:_MOST_PRINTED]]
        if len(self.problems) > _MOST_PRINTED:
            lines.append("  and %d more" % (len(self.problems) - _MOST_PRINTED))
        return "\n".join(lines)


class _Run:
    """A file's records of one run of a suite."""

    def __init__(self):
        self.last_started, self.footer, self.fingerprints = "", None, set()


def check(path, shown, each=None):
    path = os.path.realpath(path)
    found = registry.detect(path, shown)
    report = Report(shown, found.NAME)
    if found is assay:
        _check_own(path, report, each)
    else:
        part = foreign(rows.Reader(keep=False), path, shown, found)
        report.alone = report.records = len(part.rows)
        for problem in part.problems:
            report.add(*problem)
    return report


def _check_own(path, report, each):
    file, seen, runs = LineFile(path), {}, {}
    reader = rows.Reader(keep=False, each=each and (lambda line, document: each(file.lines + line, document)))
    for piece in file.pieces():
        part = reader.piece(piece)
        for line, kind, message in part.problems:
            report.add(file.lines + line, kind, message)
        for key, line, _, _, values, *_ in part.rows:
            _record(file.lines + line, key, dict(zip(columns.RECORD_NAMES, values)), report, seen, runs)
        for line, name, _, _, planned, done_before, complete, _, _ in part.footers:
            _footer(file.lines + line, name, (planned, done_before, complete), report, runs)
        file.passed(piece, part.lines, part.digest)
    if file.torn:
        report.add(
            file.lines + 1,
            Problem.TORN,
            "%d bytes without the end of a line: the writer died or is still writing" % file.torn,
        )
    report.problems.sort(key=lambda problem: problem.line)
    for name, run in runs.items():
        before = len(report.problems)
        _whole(name, run, report)
        report.ends_whole = len(report.problems) == before


def _footer(number, name, footer, report, runs):
    report.footers += 1
    run = runs.setdefault(name, _Run())
    if run.footer:
        report.add(number, Problem.DUPLICATE, "a second footer of the suite's run %s" % name)
    run.footer = (number, *footer)


def _record(number, key, record, report, seen, runs):
    report.records += 1
    first = seen.setdefault(key, number)
    if first != number:
        report.add(number, Problem.DUPLICATE, "the same record as in line %d; an import takes it once" % first)
    if not record["suite_run"]:
        report.alone += 1
        return
    run = runs.setdefault(record["suite_run"], _Run())
    started = record["started_utc"] or ""
    if started < run.last_started:
        report.add(
            number,
            Problem.ORDER,
            "started %s, before the record above it of the same suite's run (%s): the clock was set back"
            % (started, run.last_started),
        )
    run.last_started = max(started, run.last_started)
    run.fingerprints.add(record["fingerprint"] or number)


def _whole(name, run, report):
    if not run.footer:
        report.add(
            0,
            Problem.MISSING,
            "the suite's run %s has no footer: it was cut off after %d configurations; started again it goes on"
            % (name, len(run.fingerprints)),
        )
        return
    line, planned, before, complete = run.footer
    if len(run.fingerprints) + before < planned:
        report.add(
            line,
            Problem.MISSING,
            "of %d planned configurations of the suite's run %s there are %d, and %d were done before it"
            % (planned, name, len(run.fingerprints), before),
        )
    elif not complete:
        report.add(line, Problem.MISSING, "the footer of the suite's run %s says that it is not complete" % name)
