"""check: whether results files are whole and right, without a database.

report = check("runs.jsonl", "runs.jsonl")      # report.text(), report.problems
"""

import os

from tools.results import passed_over
from tools.results import record as records
from tools.results.errors import Problem
from tools.results.formats import assay, registry
from tools.results.line_file import LineFile
from tools.results.splitting import Splitter

_MOST_PRINTED = 20


class Report:
    def __init__(self, path, form):
        self.path, self.form = path, form
        self.records = self.footers = self.alone = 0
        self.problems = []

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


def check(path, shown):
    path = os.path.realpath(path)
    found = registry.detect(path, shown)
    report = Report(shown, found.NAME)
    if found is assay:
        _check_own(path, report)
    else:
        document = registry.read(found, path, shown)
        for place, record in registry.records(found, document, os.path.basename(shown)):
            report.records += 1
            try:
                records.of(record)
            except records.Refused as refused:
                report.add(place, refused.kind, str(refused))
        for problem in document.problems:
            report.add(*problem)
        report.alone = report.records
    return report


def _check_own(path, report):
    file, splitter, seen, runs = LineFile(path), Splitter(), {}, {}
    for piece in file.pieces():
        data, digest = piece.read()
        lines = data.split(b"\n")
        for number, line in enumerate(lines, file.lines + 1):
            if not line.strip():
                continue
            try:
                passed_over.whole(line)
                _line(number, records.parse(line), report, splitter, seen, runs)
            except records.Refused as refused:
                report.add(number, refused.kind, str(refused))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                report.add(number, Problem.MALFORMED, "not a record: %s" % error)
        file.passed(piece, len(lines) - 1, digest)
    if file.torn:
        report.add(
            file.lines + 1,
            Problem.TORN,
            "%d bytes without the end of a line: the writer died or is still writing" % file.torn,
        )
    for name, run in runs.items():
        _whole(name, run, report)


def _line(number, record, report, splitter, seen, runs):
    if records.is_footer(record):
        report.footers += 1
        footer = records.footer(record)
        run = runs.setdefault(footer.id, _Run())
        if run.footer:
            report.add(number, Problem.DUPLICATE, "a second footer of the suite's run %s" % footer.id)
        run.footer = (number, footer)
        return
    report.records += 1
    first = seen.setdefault(splitter.split(record).key, number)
    if first != number:
        report.add(number, Problem.DUPLICATE, "the same record as in line %d; an import takes it once" % first)
    launch = record.launch
    if not launch.suite_run:
        report.alone += 1
        return
    run = runs.setdefault(launch.suite_run, _Run())
    started = record.started_utc or ""
    if started < run.last_started:
        report.add(
            number,
            Problem.ORDER,
            "started %s, before the record above it of the same suite's run (%s): the clock was set back"
            % (started, run.last_started),
        )
    run.last_started = max(started, run.last_started)
    run.fingerprints.add(launch.fingerprint or number)


def _whole(name, run, report):
    if not run.footer:
        report.add(
            0,
            Problem.MISSING,
            "the suite's run %s has no footer: it was cut off after %d configurations; started again it goes on"
            % (name, len(run.fingerprints)),
        )
        return
    line, footer = run.footer
    planned, before = footer.planned, footer.done_before
    if len(run.fingerprints) + before < planned:
        report.add(
            line,
            Problem.MISSING,
            "of %d planned configurations of the suite's run %s there are %d, and %d were done before it"
            % (planned, name, len(run.fingerprints), before),
        )
    elif not footer.complete:
        report.add(line, Problem.MISSING, "the footer of the suite's run %s says that it is not complete" % name)
