"""Reports of results: tables, pictures, and one page of HTML that needs no network.

  tools/bazel run //tools:report -- FOLDER                               a suite's --out: its page, FOLDER/report.html
  tools/bazel run //tools:report -- LAST_WEEK TODAY                      two folders: what changed, with a decision for each case
  tools/bazel run //tools:report -- a.jsonl b.csv --report=summary       files of this suite's and other suites' formats, mixed
  tools/bazel run //tools:report -- results.sqlite --report=speedup --format=png --out=speedup.png
  tools/bazel run //tools:report -- FOLDER --report=latest_grouped --backends=eager,torchscript --format=csv

  tools/bazel run //tools:report -- compare.json --format=svg --out=compare.svg      what compare --json=FILE wrote

reports, and the program whose report each follows: latest, latest_grouped, histogram, speedup (pytorch/xla's aggregate.py); summary
(TorchDynamo); combined (Intel); stability (TorchBench); targets (OpenXLA); tokens (llama-bench); analyzer (pytorch/xla's
result_analyzer.py). This suite's own: served (runs under load), sizes (--vary), traces (replays of execution traces), machines, samples,
changes (two sources). Formats: table, csv, json, markdown; ascii, svg, png, of reports that have a picture; html, of all at once.

A mean takes only runs that passed and that no check has flagged, and the output says how many were left out. Ratios are of one
machine. docs/report.md says how each figure is made. Exit codes: 0 right; 1 a file has wrong lines, or --report=changes: a case failed in
the newer source; 2 the machine or the setup: nothing to report, no baseline, or a file is cut off or cannot be read or written; 3 the
command line is wrong.
"""

import argparse
import contextlib
import io
import os
import tempfile

import numpy as np

from artifacts.fetch.ending import ended
from artifacts.fetch.redaction import printable, redact
from artifacts.format import atomic_file
from tools.report import (
    changes,
    comparison,
    distributions,
    language,
    machines,
    page,
    pictures,
    points,
    served,
    sizes,
    speedups,
    summaries,
    tables,
    tiers,
    traces,
    trends,
)
from tools.results import database, exporting
from tools.results.command_line import RESULTS_FILE, Parser, expression, short_help, user_folder
from tools.results.errors import OK, SURROUNDINGS, USAGE, WRONG, Stop, exit_code
from tools.results.importing import Importer

_DATABASE, _PAGE = "results.sqlite", "report.html"
_ANALYZER, _MACHINES, _SAMPLES, _CHANGES = "analyzer", "machines", "samples", "changes"
_REPORTS = (*trends.REPORTS, *summaries.REPORTS, language.REPORT, served.REPORT, sizes.REPORT, traces.REPORT, _MACHINES, _SAMPLES, _CHANGES, _ANALYZER)
_PICTURES = ("ascii", "svg", "png")
_MOST_PRINTED = 20
_TERMINAL_COLUMNS = 100


_SHORT_HELP = short_help(
    """Makes tables, pictures and a page of results.

  tools/bazel run //tools:report -- FOLDER                           a folder of run_suite --out: writes FOLDER/report.html
  tools/bazel run //tools:report -- LAST_WEEK TODAY                  two folders: what changed, with a decision for each case
  tools/bazel run //tools:report -- a.jsonl b.csv --report=summary   files of this suite and of other suites

""",
    {
        "What is made": {
            "--report=NAME": "which report: summary, latest, stability, tokens, served, sizes, traces, changes, ...",
            "--format=FORMAT": "default: html, or table with --report; others: csv, json, markdown, ascii, svg, png",
            "--out=FILE": "default: FOLDER/report.html if the format is html; else standard output",
        },
        "Which runs": {
            "-k, --filter=REGEX": "models or cases whose name matches; may be repeated",
            "-x, --exclude=REGEX": "not these",
            "--dtype=DTYPE": "fp32, bf16, fp16 and so on; fp32+amp_bf16: with autocast to bf16",
            "--test=inference|training|generation": "default: all three; run_suite calls them eval, train and generate",
            "--machine=REGEX": "name of the CPU or the GPU",
        },
        "What is compared": {
            "--backends=NAME,...": "speedups are over the first one; default: eager, then all others",
            "--baseline=oldest|latest|NAME": "speedups are over this run: the oldest (default), the latest, or a commit's",
            "--across": "also compares runs of two machines",
        },
    },
    "Exit code: 0 right; 1 a file has wrong lines, or two sources are compared and a case of the newer one failed;\n2 a file or a baseline is missing; 3 the command line is wrong.\n",
)


def _positive(text):
    value = float(text)
    if not 0 < value < 1000:
        raise argparse.ArgumentTypeError("%s: want a number between 0 and 1000" % text)
    return value


def parse(arguments):
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog="report", description=__doc__, short=_SHORT_HELP, formatter_class=raw, allow_abbrev=False)
    add = parser.add_argument
    add("sources", nargs="*", metavar="FOLDER|FILE|DATABASE", help="any number of folders, files of results and databases")
    add("--report", choices=_REPORTS, default="", help="default: the page, and the summary on standard output; of two folders or databases: changes")
    add("--format", choices=(*tables.FORMATS, *_PICTURES, "html"), default="", help="default: table; without --report: html")
    add("--out", default="", metavar="FILE", help="default: standard output; html: report.html in FOLDER or beside the database (files: in the current folder)")
    formats = "the files' format, as //tools:results import takes it (default: by their content)"
    add("--from", default="", metavar="FORMAT", dest="form", help=formats)
    add(
        "--database",
        default="",
        metavar="FILE",
        help="keeps what is imported (default for one folder: FOLDER/results.sqlite; for other sources: nothing is kept)",
    )
    add("-k", "--filter", action="append", default=[], type=expression, metavar="REGEX", help="models or cases; may be repeated")
    add("-x", "--exclude", action="append", default=[], type=expression, metavar="REGEX")
    add("--filter-by-tier", action="append", default=[], type=int, metavar="N", help="models of a tier of pytorch/xla")
    add("--exclude-by-tier", action="append", default=[], type=int, metavar="N")
    add("--test", choices=("inference", "training", "generation"), default="")
    add("--dtype", default="", type=str.lower, help="fp32, bf16, fp16 and so on; fp32+amp_bf16: with autocast to bf16")
    add("--suite", default="", help="assay, or the name of another suite: torchbench")
    add("--machine", "--accelerator", default="", type=expression, metavar="REGEX", help="matches the name of the CPU or GPU: a100")
    add("--mode", default="", help="the mode of measuring; default: the first of wall, cold, hot and throughput that a run has")
    add("--metric", choices=("exec", "compile"), default="exec", help="what pytorch/xla's reports are about")
    add(
        "--backends",
        action="append",
        default=[],
        metavar="NAME,...",
        help="the first is the baseline's; default: eager, then all",
    )
    add("--baseline", default=speedups.OLDEST, metavar="oldest|latest|NAME", help="NAME: the runs of this commit, torch version or run of run_suite")
    add("--each", action="store_true", help="latest: the last run of each model, even if the last campaign does not have it")
    add("--unverified", action="store_true", help="also takes runs that were not verified; other suites often have such runs")
    add("--across", action="store_true", help="also compares runs of two machines")
    add("--threshold", type=_positive, default=7.0, metavar="PERCENT", help="stability: (max - min) / min; changes: which ratios count")
    add("--rounds", type=int, default=15, metavar="N", help="stability: how many of the last runs it takes")
    add("--title", default="", help="a second line of a picture's title")
    add("--fig-width", type=_positive, default=9.0, metavar="INCHES")
    add("--fig-height", type=_positive, default=6.75, metavar="INCHES")
    flags = parser.parse_args(arguments)
    if not flags.sources:
        raise Stop(USAGE, "a report of what? Give a suite's folder (its --out), files of results, or a database; --help explains")
    if flags.rounds < 2:
        raise Stop(USAGE, "--rounds=%d: a spread is of 2 rounds or more" % flags.rounds)
    flags.backends = [name.strip() for text in flags.backends for name in text.split(",") if name.strip()]
    flags.bare = not flags.report and not flags.format  # then two folders are compared with each other
    if not flags.format:
        flags.format = "table" if flags.report else "html"
    flags.report = flags.report or ("" if flags.format == "html" else "summary")
    _check_pair(flags)
    return flags


def _check_pair(flags):
    if flags.report == _ANALYZER and flags.format not in ("csv", "table"):
        raise Stop(USAGE, "--report=analyzer is CSV; --format=%s is not for it" % flags.format)
    if flags.report == _CHANGES and (flags.format == "html" or len(flags.sources) != 2):
        raise Stop(USAGE, "--report=changes is a table or a picture of two sources: OLD NEW --report=changes")
    if flags.format in _PICTURES and flags.report in ("combined", "targets", language.REPORT, _MACHINES):
        raise Stop(USAGE, "--report=%s has no picture; --format=table, csv, json or markdown" % flags.report)
    if flags.format == "png" and not flags.out:
        raise Stop(USAGE, "--format=png: where to? --out=FILE.png")


class Program:
    def __init__(self, here, out, err):
        self._here, self._out, self._err = here, out, err
        self._problems, self._keys, self._code = [], [], OK

    def run(self, flags):
        found = self._comparison(flags)
        if found:
            self._compared(flags, found)
        else:
            with contextlib.ExitStack() as kept:
                connection, folder = self._opened(flags, kept)
                self._write(flags, connection, folder)
        self._out.flush()
        for problem in self._problems[:_MOST_PRINTED]:
            print(redact(str(problem)), file=self._err)
        if len(self._problems) > _MOST_PRINTED:
            print("and %d more" % (len(self._problems) - _MOST_PRINTED), file=self._err)
        codes = {exit_code(self._problems), self._code}
        return WRONG if WRONG in codes else max(codes)

    def _path(self, given):
        return os.path.join(self._here, given)

    def _comparison(self, flags):
        """What //tools:compare found, where its JSON is the only source."""
        paths = [self._path(given) for given in flags.sources]
        if len(paths) != 1 or not os.path.isfile(paths[0]):
            return None
        return comparison.read(paths[0], flags.sources[0])

    def _compared(self, flags, found):
        table = comparison.table(found)
        if flags.format == "html":
            path = self._path(flags.out or _PAGE)
            with _writable(path), atomic_file.opened(path) as f:
                page.write_comparison(f, found, flags.title or table.title)
            print(printable(os.path.abspath(path)), file=self._out)
        elif flags.format in _PICTURES:
            self._picture(table, flags)
        else:
            self._tables([table], flags)

    def _opened(self, flags, kept):
        """(a connection that can read, the folder that the page belongs to)."""
        paths = [self._path(given) for given in flags.sources]
        missing = [given for given, path in zip(flags.sources, paths) if not os.path.exists(path)]
        if missing:
            raise Stop(SURROUNDINGS, "%s: no such file or folder" % ", ".join(missing))
        if flags.bare and len(paths) == 2 and all(os.path.isdir(path) or database.is_one(path) for path in paths):
            flags.report, flags.format = _CHANGES, "table"
        if len(paths) == 1 and database.is_one(paths[0]):
            return database.reading(paths[0]), os.path.dirname(os.path.abspath(paths[0]))
        files = [self._file(given, path, kept) for given, path in zip(flags.sources, paths)]
        where, form = self._path(flags.database) if flags.database else "", flags.form
        folder = self._here
        if len(paths) == 1 and os.path.isdir(paths[0]):
            where, form, folder = where or os.path.join(paths[0], _DATABASE), "", paths[0]
        if flags.report == _CHANGES:
            self._keys = [_keys(path, form, self._temporary(kept)) for _, path in files]
        return self._imported(files, where, form, kept), folder

    def _file(self, given, path, kept):
        """(what the user calls it, its path) of a source's JSON lines."""
        if database.is_one(path):
            lines = os.path.join(self._temporary(kept), "results.jsonl")
            for line in exporting.export(database.reading(path), "assay", lines, "", True, False, self._out)[:-1]:
                print(redact("report: %s: %s" % (given, line)), file=self._err)
            return given, lines
        if not os.path.isdir(path):
            return given, path
        file = os.path.join(path, RESULTS_FILE)
        if not os.path.exists(file):
            raise Stop(
                SURROUNDINGS,
                "%s: holds no %s, which run_suite --out=%s makes; give the files themselves" % (given, RESULTS_FILE, given),
            )
        return os.path.join(given, RESULTS_FILE), file

    @staticmethod
    def _temporary(kept):
        return kept.enter_context(tempfile.TemporaryDirectory(prefix="assay_report_"))

    def _imported(self, files, where, form, kept):
        if not where:
            where = os.path.join(self._temporary(kept), _DATABASE)
        with database.writing(where) as connection:
            importer = Importer(connection, keep=True)
            for shown, path in files:
                self._problems += importer.file(path, shown, form).problems
        return database.reading(where)

    def _write(self, flags, connection, folder):
        if flags.report == _ANALYZER:
            path = self._path(flags.out) if flags.out else "-"
            for line in exporting.export(connection, "csv", path, "", True, False, self._out):
                print(redact("report: " + line), file=self._err)
            return
        whole = points.read(connection, _selection(flags))
        if not len(whole):
            raise Stop(SURROUNDINGS, "nothing to report: there are no runs%s" % self._why_none(connection, flags))
        if flags.format == "html":
            self._page(flags, connection, whole, folder)
            return
        made = self._changes(flags, connection, whole) if flags.report == _CHANGES else report(whole, flags, connection)
        if flags.format in _PICTURES:
            self._picture(next((table for table in made if table.picture and table.picture.series), made[0]), flags)
            return
        self._tables(made, flags)

    def _changes(self, flags, connection, whole):
        keys = dict(connection.execute("SELECT id, key FROM records"))
        old, new = ([keys[record] in side for record in whole.record.tolist()] for side in self._keys)
        names = [os.path.normpath(given) for given in flags.sources]
        options = changes.Options(tuple(names), flags.threshold / 100)
        self._code = changes.code(whole, np.array(new, bool))
        masks = [np.array(side, bool) for side in (old, new)]
        under_load = served.changes(*(whole.chosen(mask) for mask in masks), connection)
        return changes.report(whole, *masks, options) + under_load

    def _tables(self, made, flags):
        if flags.out:
            text = io.StringIO()
            tables.write(made, flags.format, text, self._err)
            with _writable(self._path(flags.out)):
                atomic_file.write(self._path(flags.out), text.getvalue().encode())
            print(printable(os.path.abspath(self._path(flags.out))), file=self._out)
            return
        tables.write(made, flags.format, self._out, self._err)

    def _why_none(self, connection, flags):
        count = connection.execute("SELECT count(*) FROM records").fetchone()[0]
        if count:
            return ": none of %d is asked for by --filter, --exclude, --test, --dtype, --suite, --machine and tiers" % count
        if self._problems:
            return "; " + str(self._problems[0])
        return " in %s; run_suite --out=FOLDER writes some, and a case's --record=FILE" % self._sources(flags)

    def _sources(self, flags):
        first = os.path.basename(os.path.normpath(self._path(flags.sources[0]))) or "runs"
        return first if len(flags.sources) == 1 else "%s and %d more" % (first, len(flags.sources) - 1)

    def _page(self, flags, connection, whole, folder):
        options = page.Options(
            flags.title or "Results of " + self._sources(flags),
            flags.unverified,
            tuple(flags.backends),
            flags.baseline,
            flags.across,
            flags.mode,
        )
        path = self._path(flags.out) if flags.out else os.path.join(folder, _PAGE)
        with _writable(path), atomic_file.opened(path) as f:
            page.write(f, whole, connection, options)
        summary, _, *several = report(whole, argparse.Namespace(**{**vars(flags), "report": "summary"}), connection)
        tables.write([summary, *several], "table", self._out, self._err)
        print(printable(os.path.abspath(path)), file=self._out)

    def _picture(self, table, flags):
        picture = table.picture._replace(width=flags.fig_width, height=flags.fig_height)
        if not picture.series:
            raise Stop(SURROUNDINGS, "nothing to draw: %s" % "; ".join(table.notes))
        if flags.title:
            picture = picture._replace(title=picture.title + " | " + flags.title)
        for note in table.notes:
            print("note  " + printable(note), file=self._err)
        if flags.format == "ascii":
            self._out.write(pictures.ascii(picture, _TERMINAL_COLUMNS))
            return
        drawn = getattr(pictures, flags.format)(picture)
        if not flags.out:
            self._out.write(drawn.decode())
            return
        with _writable(self._path(flags.out)):
            atomic_file.write(self._path(flags.out), drawn)
        print(printable(os.path.abspath(self._path(flags.out))), file=self._out)


def _keys(path, form, folder):
    """Keys of a source's records: one that both sources hold is in the database once."""
    where = os.path.join(folder, _DATABASE)
    with database.writing(where) as connection:
        Importer(connection, keep=False).file(path, path, form)
        return {key for (key,) in connection.execute("SELECT key FROM records")}


@contextlib.contextmanager
def _writable(path):
    try:
        yield
    except OSError as error:
        folder = os.path.dirname(os.path.abspath(path))
        mend = "is %s a folder that you may write to? --out=FILE names another" % folder
        if os.path.isdir(path):
            mend = "--out is a file: --out=%s" % os.path.join(path, _PAGE)
        elif not os.path.isdir(folder):
            mend = "make the folder first"
        raise Stop(SURROUNDINGS, "%s: %s; nothing was written; %s" % (path, error.strerror, mend)) from None


def _selection(flags):
    return points.Selection(
        filter=tuple(flags.filter),
        exclude=tuple(flags.exclude),
        models=tiers.models(flags.filter_by_tier),
        without=tiers.models(flags.exclude_by_tier),
        test=flags.test,
        dtype=flags.dtype,
        suite=flags.suite,
        machine=flags.machine,
        mode=flags.mode,
        unverified=flags.unverified,
        across=flags.across,
    )


def report(whole, flags, connection):
    """The tables of a report, each with the sentence that says what was left out."""
    if flags.report == _SAMPLES:
        return distributions.samples(whole, connection, flags.format in _PICTURES)
    if flags.report in trends.REPORTS:
        options = speedups.Options(tuple(flags.backends), flags.baseline, flags.metric, flags.each)
        made = [trends.REPORTS[flags.report](whole.compiling() if flags.metric == "compile" else whole, options)]
    elif flags.report == language.REPORT:
        made = [language.table(whole, connection, flags.mode)]
    elif flags.report == served.REPORT:
        return served.of_report(whole, connection)
    elif flags.report == sizes.REPORT:
        return sizes.of_report(whole, connection)
    elif flags.report == traces.REPORT:
        return traces.of_report(whole, connection)
    elif flags.report == _MACHINES:
        made = [machines.table(whole, connection, flags.unverified)]
    else:
        options = summaries.Options(tuple(flags.backends), flags.across, flags.threshold / 100, flags.rounds)
        made = summaries.REPORTS[flags.report](whole, options)
        if flags.report == "summary":
            made += language.if_any(whole, connection, flags.mode)
            made += served.tables(whole, connection)
            made += sizes.tables(whole, connection)
            made += traces.tables(whole, connection)
            made += machines.if_several(whole, connection, flags.unverified)
    notes = made[0].notes + [tables.about_left_out(made[0].left_out, flags.unverified)]
    return [made[0]._replace(notes=notes), *made[1:]]


def main(argv, environment, out, err):
    """The exit code."""

    def work():
        return Program(user_folder(environment), out, err).run(parse(argv))

    return ended("report", work, out, err)
