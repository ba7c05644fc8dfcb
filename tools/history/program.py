"""The history of a case: its own noise, where its level changed, with which commit and environment, and which commit
it was.

commands:
  add       files of records, or folders of run_suite, into the database of results (tools:results import)
  show      a row for each series: one configuration, mode and step on one machine
  bisect    the commit that made a case slower, by A/B measurements between commits

examples:
  tools/bazel run //tools:history -- add OUT
  tools/bazel run //tools:history -- show
  tools/bazel run //tools:history -- show '^resnet18_fp32' --points
  tools/bazel run //tools:history -- bisect //benchmarks/mlp:mlp_fp32_b64 --good=v1 --bad=HEAD
  tools/bazel run //tools:history -- bisect //benchmarks/mlp:mlp_fp32_b64          # between the commits of its last slow-down

docs/results.md says what the columns are. Exit codes: 0 right, for bisect a commit was found; 1 a file has wrong lines; 2 the machine
or the setup: no such case in the database, nothing that became slower, commits that cannot be told apart; 3 the command line.
"""

import argparse
import collections
import os
import re

from artifacts.fetch.ending import ended
from artifacts.fetch.redaction import redact
from tools.history import bisecting, series
from tools.results import database, query
from tools.results import program as results
from tools.results.command_line import Parser, expression, results_file, user_folder
from tools.results.errors import OK, SURROUNDINGS, USAGE, Stop

_COMPARE = "tools/compare/compare"  # in the runfiles
_SERIES = (
    "case_name",
    "device",
    "flags",
    "mode",
    "step",
    "machine",
    "points",
    "median_ns",
    "noise_percent",
    "last_percent",
    "change_percent",
    "from_commit",
    "to_commit",
    "environment",
    "left_out",
)
_POINTS = (
    "case_name",
    "mode",
    "step",
    "machine",
    "day",
    "commit_id",
    "median_ns",
    "runs",
    "step_percent",
    "change_percent",
    "environment",
)


def parse(arguments):
    raw = argparse.RawDescriptionHelpFormatter
    parser = Parser(prog="history", description=__doc__, formatter_class=raw, allow_abbrev=False)
    where = {"metavar": "FILE", "help": "default: results.sqlite"}
    parser.add_argument("--database", default="results.sqlite", **where)
    commands = parser.add_subparsers(dest="command", required=True, metavar="{add,show,bisect}")

    def command(name, text):
        made = commands.add_parser(name, help=text, description=__doc__, formatter_class=raw, allow_abbrev=False)
        made.add_argument("--database", default=argparse.SUPPRESS, **where)
        return made.add_argument

    add = command("add", "results into the database")
    add("results", nargs="+", metavar="RESULTS")
    add("--samples", choices=("yes", "no"), default="yes", help="no: without samples, which is smaller and faster")
    add = command("show", "series, their noise and changes")
    add("case", nargs="?", type=expression, default=".", metavar="REGEX", help="of names of cases")
    add("--mode", default="", help="of this mode alone, for example wall")
    add("--points", action="store_true", help="a row for each point")
    add("--format", choices=query.FORMATS, default="table")
    add = command("bisect", "which commit made it slower")
    add("label", metavar="//PACKAGE:CASE")
    add(
        "--good",
        default="",
        metavar="REVISION",
        help="when it was fast (default: before its last change in the database)",
    )
    add("--bad", default="", metavar="REVISION", help="when it is slow (default: behind that change)")
    add("--mode", default="wall", help="which is measured (default: wall)")
    add(
        "--machine",
        type=expression,
        default="",
        metavar="REGEX",
        help="of the CPU's or GPU's name, where the database has slow-downs on several",
    )
    add("--repository", default="", metavar="FOLDER", help="default: this tree")
    add("--compare", default=_COMPARE, metavar="PROGRAM", help="in the place of tools:compare")
    add(
        "--compare-flags",
        default="",
        metavar="WORDS",
        help="for tools:compare: --compare-flags='--pairs=30 --budget=1'",
    )
    return parser.parse_args(arguments)


def _percent(ratio):
    return None if ratio is None else round(100 * ratio, 2)


def _commit(commit):
    return commit[:8] + commit[40:]  # with its +


class Program:
    def __init__(self, here, environment, out, err):
        self._here, self._environment, self._out, self._err = here, environment, out, err

    def run(self, flags):
        return getattr(self, "_" + flags.command)(flags)

    def _path(self, given):
        return os.path.join(self._here, given)

    def _add(self, flags):
        files = [results_file(self._here, given) for given in flags.results]
        words = ["import", *files, "--samples=" + flags.samples, "--database=" + flags.database]
        return results.main(words, {"BUILD_WORKING_DIRECTORY": self._here}, self._out, self._err)

    def _series(self, flags, chosen, mode):
        return series.read(database.reading(self._path(flags.database)), chosen, mode)

    def _show(self, flags):
        found = self._series(flags, re.compile(flags.case).search, flags.mode)
        if not found:
            raise Stop(
                SURROUNDINGS,
                "show: the database has no time of such a case%s; `add` results first"
                % (" in mode " + flags.mode if flags.mode else ""),
            )
        if flags.format == "table" and not any(one.points for one in found):
            raise Stop(SURROUNDINGS, _without_points(found))
        rows = [row for one in found for row in (_points(one) if flags.points else [_row(one)])]
        query.write(_POINTS if flags.points else _SERIES, iter(rows), flags.format, self._out)
        return OK

    def _bisect(self, flags):
        if not re.fullmatch(r"//[^\s:]*:[^\s:]+", flags.label):
            raise Stop(USAGE, "bisect: %r is no label of a case, such as //benchmarks/mlp:mlp_fp32_b64" % flags.label)
        if bool(flags.good) != bool(flags.bad):
            raise Stop(USAGE, "bisect: give --good and --bad, or neither")
        folder = (
            self._path(flags.repository)
            if flags.repository
            else self._environment.get("BUILD_WORKSPACE_DIRECTORY") or self._here
        )
        repository = bisecting.Repository(folder)
        good, bad = (flags.good, flags.bad) if flags.good else self._slow_down(flags)
        good, bad = repository.commit(good, "--good"), repository.commit(bad, "--bad")
        words = ["--modes=" + flags.mode, *flags.compare_flags.split()]
        environment = {**self._environment, "BUILD_WORKSPACE_DIRECTORY": folder}
        compare = bisecting.Compare(os.path.abspath(flags.compare), flags.label, words, environment)
        found = bisecting.Search(repository, compare, self._say).run(good, bad)
        return self._told(repository, flags, found)

    def _say(self, text):
        print(redact(text), file=self._out, flush=True)

    def _slow_down(self, flags):
        """The commits on both sides of the last slow-down of the case in the database, which is of one machine."""
        found = [
            (one.points[change.place].day, one.points[change.place - 1].commit, one.points[change.place].commit, _where(one))
            for one in self._series(flags, lambda _: True, flags.mode)
            if one.label == flags.label and re.search(flags.machine, one.machine or "", re.I)
            for change in one.changes()
            if change.ratio > 1
        ]
        if not found:
            raise Stop(
                SURROUNDINGS,
                "bisect: the database has no slow-down of %s in mode %s; --good and --bad say where to look"
                % (flags.label, flags.mode),
            )
        machines = sorted({where for *_, where in found})
        if len(machines) > 1:
            raise Stop(
                USAGE,
                "bisect: the database has slow-downs of %s on %d machines: %s; --machine=REGEX chooses this one, or --good and --bad say where to look"
                % (flags.label, len(machines), ", ".join(machines)),
            )
        day, good, bad, where = max(found)
        self._say("the slow-down of %s on %s" % (day, where))
        if "+" in good + bad or "unknown" in (good, bad) or good == bad:
            raise Stop(
                SURROUNDINGS,
                "bisect: it became slower between %s and %s, which are no two commits of their own; --good and --bad say where to look"
                % (good, bad),
            )
        return good, bad

    def _told(self, repository, flags, found):
        told = [repository.told(commit) for commit in found.among]
        if len(told) > 1:
            self._say(
                "one of these %d commits, of which the others could not be judged (%d comparisons):"
                % (len(told), found.comparisons)
            )
            for line in told:
                self._say("  " + line)
            return SURROUNDINGS
        self._say(
            "first slower commit, after %d comparisons:\n  %s\n  against its parent: %s"
            % (found.comparisons, told[0], found.against_parent)
        )
        if found.against_parent.verdict != bisecting.SLOWER:
            self._say(
                "which alone is not slower than its parent: it became slower by and by; ask again with --good=%s^ and more pairs"
                % found.first[:12]
            )
            return SURROUNDINGS
        parent = repository.commit(found.first + "^", "--good")
        sides = ("git:%s %s" % (parent[:12], flags.label), "git:%s %s" % (found.first[:12], flags.label))
        self._say("again: tools/bazel run //tools:compare -- --baseline='%s' --candidate='%s'" % sides)
        return OK


def _without_points(found):
    """Why there is nothing to show."""
    reasons = collections.Counter()
    for one in found:
        reasons.update(one.left_out)
    counted = ", ".join("%d %s" % (count, reason) for reason, count in sorted(reasons.items()))
    message = "show: no time to show: all of %d series are left out: %s" % (len(found), counted)
    if "FLAGGED" in reasons:
        question = "select case_name, mode, flagged from results where flagged is not null"
        message += (
            "\na FLAGGED time is no evidence; which check flagged it, and what disturbs this machine:"
            '\n  tools/bazel run //tools:results -- query "%s"\n  tools/bazel run //tools:check_machine' % question
        )
    if reasons.keys() - {"FLAGGED"}:
        message += "\nwhy others failed: tools/bazel run //tools:results -- query failures"
    return message


def _where(one):
    return " ".join(filter(None, ((one.device or "").lower(), one.machine)))


def _environment(one, place):
    return "; ".join(one.differences(place)) or None


def _row(one):
    left_out = ", ".join("%d %s" % (count, reason) for reason, count in sorted(one.left_out.items())) or None
    head = (one.case_name, one.device, one.flags, one.mode, one.step, one.machine, len(one.points))
    if not one.points:
        return (*head, None, None, None, None, None, None, None, left_out)
    changes = one.changes()
    level = changes[-1].after if changes else one.points[-1].median_ns
    change = (None, None, None, None)
    if changes:
        last = changes[-1]
        change = (
            _percent(last.ratio - 1),
            _commit(one.points[last.place - 1].commit),
            _commit(one.points[last.place].commit),
            _environment(one, last.place),
        )
    return (*head, level, _percent(one.noise()), _percent(one.last_step()), *change, left_out)


def _points(one):
    changes = {change.place: change for change in one.changes()}
    for place, point in enumerate(one.points):
        step = point.median_ns / one.points[place - 1].median_ns - 1 if place else None
        change = changes[place].ratio - 1 if place in changes else None
        environment = _environment(one, place) if place else None
        yield (
            one.case_name,
            one.mode,
            one.step,
            one.machine,
            point.day,
            _commit(point.commit),
            point.median_ns,
            point.runs,
            _percent(step),
            _percent(change),
            environment,
        )


def main(argv, environment, out, err):
    """The exit code."""

    def work():
        return Program(user_folder(environment), environment, out, err).run(parse(argv))

    return ended("history", work, out, err)
