"""Stops a change that makes results worse, or other than expected. Compares results with the
expected result of every case, and with the registry.

  tools/bazel run //tools:run_suite -- -k '^mlp_' --preset=quick --out=OUT
  tools/bazel run //tools:gate -- --expected=ci/expected/quick.toml OUT
  tools/bazel run //tools:gate -- --expected=ci/expected/quick.toml OUT --update        # writes ci/expected/quick.tsv
  tools/bazel run //tools:gate -- --expected=ci/expected/quick.toml OUT --commit="$(git rev-parse HEAD)" \\
      --compared=compare.json --summary=gate.md --junit=gate.xml --annotations=github --comment=comment.md

  tools/bazel run //tools:gate -- --expected=inductor_huggingface_training.csv results.sqlite      # PyTorch's list, or Intel's

RESULTS are files of records (--record), folders of run_suite (--out), and databases of tools:results. A case is green if registry, expectations and
results all have it, in the same state. If one of the three lacks it, it is red. docs/gate.md has the rules and the
files' form. Relative paths are those of the folder where this is typed.

Exit codes: 0 green; 1 the product, or what is expected of it, is wrong; 2 the machine or the setup is wrong: a
result is missing, cut off, NOT_VERIFIED, or from another machine or commit; 3 the command line or a file of expectations is wrong.
If 1 and 2 both apply, the code is 1.
"""

import argparse
import datetime
import difflib
import gc
import os
import re
import shlex

from artifacts.fetch.ending import ended
from artifacts.format import atomic_file
from tools.gate import comment, comparisons, expectations, judging, lists, outputs, runs, updating
from tools.gate.registry import Registry
from tools.results import database, query
from tools.results.command_line import Parser, results_file, short_help, user_folder
from tools.results.errors import BROKEN, OK, SURROUNDINGS, USAGE, WRONG, Stop

_REGISTRY = "benchmarks/registry.json"  # in the runfiles


_SHORT_HELP = short_help(
    """Compares new results with the expected result of every case. The gate is red if a result is worse than expected.
It is also red if a result is better: to expect the better result from now on, run the gate with --update.

  tools/bazel run //tools:run_suite -- -k '^mlp_' --preset=quick --out=OUT
  tools/bazel run //tools:gate -- --expected=mine.toml OUT               are the results in the folder OUT as expected?
  tools/bazel run //tools:gate -- --expected=mine.toml OUT --update      writes mine.tsv: these results are now expected

""",
    {
        "What is expected": {
            "--expected=FILE.toml": "which cases and devices; the expected results stand in FILE.tsv beside it",
            "--update": "writes the results into FILE.tsv, and says what that changes",
            "--plan": "prints the run_suite commands that make the results",
        },
        "Which results": {
            "OUT ...": "folders of run_suite, files of records, databases of //tools:results",
            "--commit=SHA": "counts only results of this commit",
            "--compared=FILE.json": "also judges times, by the verdicts that //tools:compare --json=FILE.json wrote",
            "--shown=FILE.json": "shows such times in the comment (--comment), and does not judge them",
        },
        "What is printed": {
            "--format=text|csv|json": "what was found",
            "--summary=FILE.md, --junit=FILE.xml": "the same for a CI",
            "--annotations=github": "the same for GitHub",
            "--comment=FILE.md --page=URL": "a comment for a pull request, with what is slower and faster",
        },
    },
    "Exit code: 0 green. Red: 1 worse, or not as expected; 2 a result is missing, cut off, NOT_VERIFIED,\nor from another machine or commit. 3 the command line is wrong.\n",
)


def _date(text):
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError("%s: want a date such as 2026-01-31" % text) from None


def _given(text):
    """An empty one comes of a variable that is not set; to take it for no flag would gate less than was asked for."""
    if not text:
        raise argparse.ArgumentTypeError("is empty")
    return text


def _commit(text):
    if not re.fullmatch("[0-9a-f]{7,40}", text):
        raise argparse.ArgumentTypeError("%r: want a commit's digits, as of git rev-parse HEAD" % text)
    return text


def parse(arguments):
    shape = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog="gate", description=__doc__, short=_SHORT_HELP, formatter_class=shape, allow_abbrev=False)
    add = parser.add_argument
    add("results", nargs="*", type=_given, metavar="RESULTS", help="files of records, folders of run_suite, databases")
    add(
        "--expected",
        required=True,
        type=_given,
        metavar="FILE.toml",
        help="what is expected; the rows are in FILE.tsv beside it. Or another suite's list, FILE.csv",
    )
    add(
        "--plan",
        action="store_true",
        help="print what run_suite takes to run the scope's cases, a line for each device and flags",
    )
    add(
        "--where",
        default="",
        metavar="SQL",
        help="with another suite's list: a condition on the columns of the view `runs`",
    )
    add(
        "--update", action="store_true", help="write the rows of these results into FILE.tsv, and say what that changes"
    )
    add(
        "--counters",
        type=_given,
        metavar="LIST",
        help="with --update: these exact counters, too, for example forward.allocations",
    )
    add("--commit", type=_commit, metavar="SHA", help="count no results of another commit, or of a tree with changes")
    add(
        "--compared",
        action="append",
        type=_given,
        default=[],
        metavar="FILE.json",
        help="what tools:compare --json=FILE.json decided: its times are judged, too",
    )
    add(
        "--shown",
        action="append",
        type=_given,
        default=[],
        metavar="FILE.json",
        help="with --comment: what tools:compare decided on a shared machine, where its times decide nothing",
    )
    add("--registry", type=_given, metavar="FILE.json", help="a registry of cases (default: that of this tree)")
    add("--today", type=_date, metavar="DATE", help="the day by which waivers are judged (default: today's, UTC)")
    add("--format", choices=("text", *query.FORMATS[1:]), default="text", help="how the findings are printed on standard output")
    add("--summary", type=_given, metavar="FILE.md", help="append Markdown to it, as for $GITHUB_STEP_SUMMARY")
    add("--junit", type=_given, metavar="FILE.xml", help="write one test a case")
    add("--comment", type=_given, metavar="FILE.md", help="write a comment for a pull request, of at most 65,536 characters")
    add("--page", type=_given, metavar="URL", help="with --comment: the address of the report, which it links to")
    add("--annotations", choices=("none", "github"), default="none", help="print GitHub's annotations, too")
    flags = parser.parse_args(arguments)
    if bool(flags.results) == flags.plan:
        parser.error("RESULTS: want files or folders of results; with --plan none")
    if (flags.page or flags.shown) and not flags.comment:
        parser.error("--page and --shown are for --comment")
    if flags.counters and not flags.update:
        parser.error("--counters is for --update; a counter that a row has is always looked at")
    return flags


class Program:
    def __init__(self, here, flags, out, err):
        self._here, self._flags, self._out, self._err = here, flags, out, err

    def _path(self, given):
        return os.path.join(self._here, given)

    def run(self):
        flags = self._flags
        self._today = flags.today or datetime.datetime.now(datetime.timezone.utc).date()
        if flags.expected.endswith(".csv"):
            return self._judge_list()
        if flags.where:
            raise Stop(USAGE, "--where is for another suite's list, a FILE.csv; a scope chooses by its own fields")
        self._expected = expectations.read(self._path(flags.expected), flags.expected)
        registry = flags.registry or _REGISTRY
        self._registry = Registry(self._path(registry) if flags.registry else registry, registry)
        self._check_scope()
        if not judging.wanted_keys(self._expected, self._registry):
            raise Stop(USAGE, "%s: [scope] chooses no case of the registry" % flags.expected)
        if flags.plan:
            return self._plan()
        self._commands = self._made_commands()
        gc.disable()  # what is read has no circles, and there is much of it
        asked = (row.counters for row in self._expected.rows.values())
        reader = runs.Reader(set((flags.counters or "").split(",")).union(*asked))
        for given in flags.results:
            shown = results_file(self._here, given)
            reader.file(self._path(shown), shown)
        return self._update(reader) if flags.update else self._judge(reader)

    def _check_scope(self):
        rows = {key.case for key in self._expected.rows}
        for field, word in self._registry.unmatched(self._expected.scope, rows):
            near = difflib.get_close_matches(word, self._registry.cases, 1) if field == "cases" else []
            text = "%s: [scope] %s: %s matches no case of the registry" % (self._flags.expected, field, word)
            raise Stop(USAGE, text + ("; the nearest name is %s" % near[0] if near else ""))

    def _plan(self):
        lines = {}
        for key in sorted(judging.wanted_keys(self._expected, self._registry)):
            lines.setdefault(key[1:], []).append("--only=" + key.case)
        for (device, more), names in lines.items():
            print(shlex.join(["--device=" + device.lower(), *more.split(), *names]), file=self._out)
        return OK

    def _made_commands(self):
        flags = self._flags
        update = "tools/bazel run //tools:gate -- --update --expected=%s %s" % (
            shlex.quote(flags.expected),
            " ".join(map(shlex.quote, flags.results)),
        )
        first = flags.results[0]
        return judging.Commands(update, first if os.path.isdir(self._path(first)) else os.path.dirname(first) or ".")

    def _judge_list(self):
        flags = self._flags
        if len(flags.results) != 1 or flags.update or flags.compared or flags.commit:
            raise Stop(
                USAGE, "--expected=%s: another suite's list is held against one database, as it is" % flags.expected
            )
        judgement = judging.Judgement()
        lists.judge(
            judgement,
            database.reading(self._path(flags.results[0])),
            self._path(flags.expected),
            flags.expected,
            flags.where,
        )
        return self._said(judgement, flags.expected, [])

    def _judge(self, reader):
        flags = self._flags
        judgement = judging.judge(
            self._expected, self._registry, reader.runs, self._today, self._commands, flags.commit
        )
        for problem in reader.problems:
            judgement.add("NOT_WHOLE", problem.message, problem.fix, file=problem.file, code=problem.code)
        slower = comparisons.SlowerWaivers(self._expected)
        compared = [comparisons.add(judgement, self._path(given), given, slower) for given in flags.compared]
        slower.end(judgement)
        return self._said(judgement, self._expected.path, self._expected.waivers, filter(None, compared))

    def _comment(self, judgement, path, compared):
        shown, notes = list(compared), []
        for given in self._flags.shown:
            try:
                found = comparisons.of_file(self._path(given), given)
                shown.append(found)
                notes += ["%s: %s." % (given, text) for text, _ in comparisons.problems(found)]
                notes.append("The times of %s are not judged: other programs share its machine." % given)
            except (*BROKEN, Stop) as error:
                notes.append("%s: no result of //tools:compare: %s" % (given, error))
        return comment.made(judgement, path, shown, self._flags.page or "", " ".join(notes))

    def _said(self, judgement, path, waivers, compared=()):
        flags = self._flags
        if flags.format == "text":
            outputs.text(judgement, self._out)
        else:
            query.write(outputs.COLUMNS, outputs.rows(judgement), flags.format, self._out)
        if flags.annotations == "github":
            for line in outputs.github(judgement):
                print(line, file=self._err)
        if flags.junit:
            atomic_file.write(self._path(flags.junit), outputs.junit(judgement))
        if flags.comment:
            atomic_file.write(self._path(flags.comment), self._comment(judgement, path, compared).encode())
        if flags.summary:
            with open(self._path(flags.summary), "a", encoding="utf-8") as f:
                f.write(outputs.markdown(judgement, path, waivers, self._today))
        return judgement.code

    def _update(self, reader):
        flags = self._flags
        if reader.problems:
            first = reader.problems[0]
            raise Stop(first.code, "%s; nothing was written; %s" % (first.message, first.fix))
        more = [name for name in (flags.counters or "").split(",") if name]
        known = {*runs.OF_RUN, *runs.OF_STEP}
        for name in more:
            if name.rpartition(".")[2] not in known or ("." in name) != (name.rpartition(".")[2] in runs.OF_STEP):
                raise Stop(
                    USAGE,
                    "--counters=%s: there are %s; with a step before it, forward.flops, %s"
                    % (name, ", ".join(runs.OF_RUN), ", ".join(runs.OF_STEP)),
                )
        commits = judging.commits(judging.here(self._expected, reader.runs, flags.commit)[0])
        if len(commits) > 1:
            raise Stop(SURROUNDINGS, "%s; nothing was written; %s" % judging.of_commits(commits))
        update = updating.rows_of(self._expected, self._registry, reader.runs, flags.commit, more)
        for line in update.changes:
            print(outputs.clean(line), file=self._out)
        if update.refused:
            raise Stop(WRONG, "nothing was written:\n  %s" % "\n  ".join(update.refused[:20]))
        text = expectations.table(update.rows, flags.expected)
        atomic_file.write(expectations.table_path(self._path(flags.expected)), text.encode())
        print(
            "%s: %d rows, %d changes" % (self._expected.table_path, len(update.rows), len(update.changes)),
            file=self._out,
        )
        # Cases that the new rows leave red, such as one without a result, are named now and not by the next run.
        self._expected = self._expected._replace(rows={row.key: row for row in update.rows})
        return self._judge(reader)


def main(argv, environment, out, err):
    """The exit code."""

    def work():
        return Program(user_folder(environment), parse(argv), out, err).run()

    return ended("gate", work, out, err)
