"""Results of runs in a database: import them, ask about them, write them in other suites' formats.

commands:
  import    files of results into the database, each record once; if a file grew, import it again
  query     SQL, or a question by name (query --list); can only read
  export    records out of the database, in any of the formats
  check     whether files of results are whole: torn lines, duplicates, runs without an end; needs no database

examples:
  tools/bazel run //tools:results -- import runs.jsonl
  tools/bazel run //tools:results -- query outcomes
  tools/bazel run //tools:results -- query "select case_name, mode, median_ns from results where dtype = 'BF16'"
  tools/bazel run //tools:results -- query history resnet18_fp32_b1 --format=csv
  tools/bazel run //tools:results -- export --format=parquet --output=runs.parquet --where="outcome = 'PASS'"
  tools/bazel run //tools:results -- check runs.jsonl

Names of files are relative to the folder where you type this. The database is results.sqlite there, or what --database names. A
line is refused if it is malformed, or if a time is NaN, infinite or negative. A message says where it is. The other lines are
imported. Exit codes: 0 right; 1 a file has wrong lines; 2 the machine or the setup: a torn last line, a suite's run that was cut
off, another schema version, a file that cannot be read or written, a query such as speedup that finds nothing to compare; 3 the command line or the SQL. If both 1 and 2 are true, it is 1.
"""

import argparse
import gc
import itertools
import os

from artifacts.fetch.ending import ended
from artifacts.fetch.redaction import printable, redact
from tools.results import checking, database, exporting, query, named_queries
from tools.results.command_line import Parser, beside, user_folder
from tools.results.errors import OK, SURROUNDINGS, USAGE, Stop, exit_code
from tools.results.formats import registry
from tools.results.importing import Importer

_MOST_PRINTED = 20
_RESULTS = (".jsonl", ".json", ".csv")  # names of files that may hold results


def parse(arguments):
    raw = argparse.RawDescriptionHelpFormatter
    read = {form.NAME for form in registry.READ}
    formats = "formats that are read:\n%s\nformats that are written: %s, and all of the above but %s" % (
        "\n".join("  %-18s %s" % (form.NAME, form.TITLE) for form in registry.READ),
        ", ".join(name for name in exporting.FORMATS if name not in read),
        ", ".join(form.NAME for form in registry.READ if form.NAME not in exporting.FORMATS),
    )
    parser = Parser(prog="results", description=__doc__, epilog=formats, formatter_class=raw, allow_abbrev=False)
    where = {"metavar": "FILE", "help": "default: results.sqlite; before or after the command"}
    parser.add_argument("--database", default="results.sqlite", **where)
    commands = parser.add_subparsers(dest="command", required=True, metavar="{import,query,export,check}")

    def command(name, text, database_too=True):
        made = commands.add_parser(
            name, help=text, description=__doc__, epilog=formats, formatter_class=raw, allow_abbrev=False
        )
        if database_too:
            made.add_argument("--database", default=argparse.SUPPRESS, **where)
        return made.add_argument

    add = command("import", "files into the database")
    add("files", nargs="+", metavar="FILE")
    add("--from", default="", metavar="FORMAT", dest="form", help="the files' format (default: by their content)")
    add(
        "--samples",
        choices=("yes", "no"),
        default="yes",
        help="no: columns only, which is smaller and faster; no way back to the record's rest",
    )
    add = command("query", "ask the database")
    add("question", nargs="*", metavar="SQL|QUESTION [ARGUMENT...]")
    add("--list", action="store_true", help="the questions that have a name, and the columns")
    add("--format", choices=query.FORMATS, default="table")
    add = command("export", "records out of the database")
    add("--format", required=True, metavar="FORMAT")
    add("--output", required=True, metavar="FILE", help="-: standard output")
    add("--where", default="", metavar="SQL", help="a condition on the columns of the view `runs` (parquet: `results`)")
    add("--samples", choices=("yes", "no"), default="yes")
    add("--anonymous", action="store_true", help="without what says who measured, on which host, and in which folders")
    add = command("check", "are files whole?", database_too=False)
    add("files", nargs="+", metavar="FILE")
    return parser.parse_args(arguments)


class Program:
    def __init__(self, here, out, err):
        self._here, self._out, self._err = here, out, err

    def run(self, flags):
        return getattr(self, "_" + flags.command)(flags)

    def _path(self, given):
        return given if given == "-" else os.path.join(self._here, given)

    def _shown(self, given):
        """Its path, as short as possible."""
        return os.path.normpath(given)

    def _say(self, text):
        print(redact(text), file=self._err, flush=True)

    def _problems(self, problems):
        for problem in problems[:_MOST_PRINTED]:
            self._say(str(problem))
        if len(problems) > _MOST_PRINTED:
            self._say("and %d more; `check` counts them by kind" % (len(problems) - _MOST_PRINTED))

    def _import(self, flags):
        missing = [given for given in flags.files if not os.path.exists(self._path(given))]
        if missing:
            near = beside(self._path(missing[0]), lambda path: path.endswith(_RESULTS) and not database.is_one(path))
            raise Stop(SURROUNDINGS, "%s: no such file; nothing was imported%s" % (", ".join(missing), near))
        problems = []
        gc.disable()  # rows have no circles, and there are many
        with database.writing(self._path(flags.database)) as connection:
            importer = Importer(connection, keep=flags.samples == "yes")
            reports = [importer.file(self._path(given), given, flags.form) for given in flags.files]
        for report in reports:
            print(
                "%s: %s, %d new records, %d known, %d footers, %d refused"
                % (printable(report.path), report.format, report.new, report.known, report.footers, report.refused),
                file=self._out,
            )
            problems += report.problems
        self._out.flush()
        self._problems(problems)
        return exit_code(problems)

    def _query(self, flags):
        if flags.list:
            print(
                "%s\n\ncolumns of the view `results` (of `runs`: those before `mode`):\n%s"
                % (named_queries.listed(), database.described()),
                file=self._out,
            )
            return OK
        if not flags.question:
            raise Stop(USAGE, "query: want SQL or a question by name; query --list has them")
        question, arguments = self._asked(flags.question)
        connection = database.reading(self._path(flags.database))
        names, found = query.rows(connection, question.sql, arguments)
        first = next(found, None)
        if first is None and question.nothing:
            raise Stop(SURROUNDINGS, "query %s: %s" % (" ".join(flags.question), question.nothing))
        query.write(names, found if first is None else itertools.chain([first], found), flags.format, self._out, question.long)
        return OK

    @staticmethod
    def _asked(words):
        question = named_queries.named(words[0])
        if question:
            if len(words) - 1 != len(question.arguments):
                raise Stop(USAGE, "query: usage: query %s" % " ".join((question.name, *question.arguments)))
            return question, words[1:]
        if len(words) > 1 or " " not in words[0].strip():
            raise Stop(
                USAGE,
                "query: no question is called %r; quote SQL as one argument, or take one of\n%s"
                % (words[0], named_queries.listed()),
            )
        return named_queries.Question("", (), "", words[0], ""), ()

    def _export(self, flags):
        connection = database.reading(self._path(flags.database))
        path, samples = self._path(flags.output), flags.samples == "yes"
        for line in exporting.export(connection, flags.format, path, flags.where, samples, flags.anonymous, self._out):
            self._say("results: " + line)
        return OK

    def _check(self, flags):
        problems = []
        for given in flags.files:
            report = checking.check(self._path(given), given)
            print(redact(report.text()), file=self._out)
            problems += report.problems
        return exit_code(problems)


def main(argv, environment, out, err):
    """The exit code."""

    def work():
        return Program(user_folder(environment), out, err).run(parse(argv))

    return ended("results", work, out, err, interrupted="stopped; the database is as it was")
