"""The gate's rules: registry, expectations and results against each other.

    judgement = judge(expected, registry, runs, today, commands, commit)      # Judgement: findings, and what each key came to
    judgement.findings.append(Finding(...)); judgement.code

Nothing that is absent is ever a pass: a case has to be chosen from the registry, expected, and run, all three.
"""

import difflib
from typing import NamedTuple, Optional

from defs.proto import record_types
from tools.gate import doubts
from tools.gate.expectations import ENVIRONMENT, GOOD, LONGEST_WAIVER, Key
from tools.results.errors import OK, SURROUNDINGS, WRONG

# Outcomes that say something of the machine, and nothing of the product.
SURROUNDING_OUTCOMES = frozenset(name for name, code in record_types.EXIT_CODES.items() if code == SURROUNDINGS)
SAYS_NOTHING = SURROUNDING_OUTCOMES | {"NOT_VERIFIED"}

KINDS = {
    # kind: (exit code, what it means)
    "FAILED": (WRONG, "a case did not end as expected, or was timed at other work; exit code 2 where the machine is at fault"),
    "BETTER": (WRONG, "a case passes that was expected to fail"),
    "COUNTER": (WRONG, "an exact counter has another value"),
    "FLAKY": (WRONG, "runs of one build, or accuracy runs of one run, ended differently"),
    "UNEXPECTED": (WRONG, "a case of the scope, or a result, has no row"),
    "VANISHED": (WRONG, "a row's case is not in the registry, or the scope does not choose it"),
    "EXPIRED": (WRONG, "a waiver's date is over, or too far ahead"),
    "UNUSED": (WRONG, "a waiver waives nothing"),
    "OVERLAP": (WRONG, "two waivers waive one case"),
    "NOT_WAIVED": (WRONG, "a row expects a failure that no waiver explains"),
    "TOO_MANY_FLAKY": (WRONG, "more cases are waived as flaky than most_flaky"),
    "SLOWER": (WRONG, "tools:compare found the candidate slower"),
    "MISSING": (SURROUNDINGS, "a row's case has no result"),
    "ELSEWHERE": (SURROUNDINGS, "the result is of another GPU, driver, LibTorch or commit"),
    "COMMITS": (SURROUNDINGS, "the results are of several commits"),
    "NOTHING": (SURROUNDINGS, "there is no result at all"),
    "NOT_WHOLE": (SURROUNDINGS, "a file is torn, cut off, not readable or out of order; exit code 1 where a line is wrong"),
    "NOT_COMPARED": (SURROUNDINGS, "a comparison decided nothing"),
}


class Finding(NamedTuple):
    kind: str
    message: str  # what is wrong, with names
    fix: str  # what to do
    key: Optional[Key] = None
    file: str = ""  # where to point
    line: int = 0
    code: int = 0

    @property
    def exit_code(self):
        return self.code or KINDS[self.kind][0]


class Judgement:
    def __init__(self):
        self.findings = []
        self.states = {}  # Key -> "passed", "skipped", "waived", "known" (of a list), or the kind of its last finding
        self.waived = {}  # Key -> Waiver
        self.notes = []
        self.runs = 0

    def add(self, kind, message, fix, key=None, file="", line=0, code=0):
        self.findings.append(Finding(kind, message, fix, key, file, line, code))
        if key is not None:
            self.states[key] = kind

    @property
    def code(self):
        codes = {finding.exit_code for finding in self.findings}
        return WRONG if WRONG in codes else SURROUNDINGS if codes else OK


class Commands(NamedTuple):
    """The commands that a fix says to type."""

    update: str
    results: str  # a folder of results, or a place for one

    def run(self, key):
        return "run it: tools/bazel run //tools:run_suite -- --only=%s %s --out=%s" % (
            key.case,
            _flags(key),
            self.results,
        )


def _flags(key):
    return " ".join(filter(None, ["--device=" + key.device.lower(), key.flags]))


def wanted_keys(expected, registry):
    scope = expected.scope
    names = registry.chosen(scope)
    return {Key(name, device, flags) for name in names for device in scope.devices for flags in scope.flags}


def here(expected, runs, commit):
    """(key -> runs that count, key -> why others do not). Those that count are, of each machine and file, all of the newest
    build: that of the last line. Which of two files is newer no file says, so both count."""
    wanted = {
        device: [(name, place, fields[name]) for place, name in enumerate(ENVIRONMENT) if name in fields]
        for device, fields in expected.environment.items()
    }
    counted, elsewhere, reasons = {}, {}, {}
    for run in runs:
        no_device = run.outcome == "NO_DEVICE"  # has nothing of a GPU to look at, and is itself what is wrong
        seen = (run.key.device, run.environment, run.commit, no_device)
        why = reasons.get(seen)
        if why is None:
            why = reasons[seen] = _why_elsewhere(run, () if no_device else wanted.get(run.key.device, ()), commit)
        if why:
            elsewhere[run.key] = (run, *why)
            continue
        builds = counted.setdefault(run.key, {}).setdefault((run.environment, run.file), {})
        builds[run.build] = [*builds.pop(run.build, ()), run]  # the last one is the newest
    return {key: [r for builds in places.values() for r in [*builds.values()][-1]] for key, places in counted.items()}, elsewhere


def commits(counted):
    return sorted({run.commit for group in counted.values() for run in group})


def of_commits(found):
    """(what is wrong, what to do) where the results that count are of several."""
    return (
        "the results are of %d commits: %s" % (len(found), ", ".join(commit or "unknown" for commit in found)),
        "say of which one they are to be, --commit=SHA, or run all of the suite again",
    )


def _why_elsewhere(run, wanted, commit):
    for name, place, allowed in wanted:
        if run.environment[place] not in allowed:
            got = run.environment[place] or "none"
            return (
                "%s is %s, not %s" % (name, got, " or ".join(allowed)),
                "run it on that machine; if this one is right, write %s = %r into [environment.%s]"
                % (name, got, run.key.device),
            )
    if commit and not (run.commit.startswith(commit) and run.commit.isalnum()):  # one with changes ends in +
        return (
            "it is of commit %s, not %s" % (run.commit or "unknown", commit),
            "run it again at that commit, in a clean tree",
        )
    return ()


def judge(expected, registry, runs, today, commands, commit=None):
    judgement = Judgement()
    judgement.runs = len(runs)
    wanted = wanted_keys(expected, registry)
    counted, elsewhere = here(expected, runs, commit)
    if not runs:
        judgement.add(
            "NOTHING",
            "no result at all",
            "run the suite: tools/bazel run //tools:run_suite -- --out=%s …" % commands.results,
        )
    waivers = _Waivers(expected, registry, judgement)
    for key in sorted(wanted | set(expected.rows) | set(counted) | set(elsewhere)):
        row, results = expected.rows.get(key), counted.get(key)
        if row is None:
            _without_row(
                key,
                key in wanted,
                results or ([elsewhere[key][0]] if key in elsewhere else None),
                expected,
                judgement,
                commands,
            )
        elif key not in wanted:
            _vanished(row, expected, registry, judgement, commands)
        elif results:
            waivers.judge(row, results, commands)
        else:
            waivers.set_aside(key)
            _without_result(row, elsewhere.get(key), judgement, expected, commands)
    waivers.end(today)
    found = commits(counted)
    if len(found) > 1:
        judgement.add("COMMITS", *of_commits(found))
    return judgement


def _without_result(row, elsewhere, judgement, expected, commands):
    key, place = row.key, (row.key, expected.table_path, row.line)
    if elsewhere:
        run, why, fix = elsewhere
        judgement.add("ELSEWHERE", "%s: %s does not count: %s" % (key, run.source, why), fix, *place)
    elif judgement.runs:
        judgement.add("MISSING", "%s: no result" % (key,), commands.run(key), *place)
    else:
        judgement.states[key] = "MISSING"  # which one finding says of all


def _without_row(key, chosen, results, expected, judgement, commands):
    got = "it ended as %s (%s)" % (results[-1].outcome, results[-1].source) if results else "it has no result yet"
    if chosen:
        message, fix = (
            "%s: the scope chooses it, and no row says what is expected; %s" % (key, got),
            "if that is right: " + commands.update if results else "%s; then %s" % (commands.run(key), commands.update),
        )
    else:
        message = "%s: a result that no row expects and the scope does not choose; %s" % (key, got)
        fix = "widen [scope] of %s and then %s; or leave it out of these results" % (expected.path, commands.update)
    judgement.add("UNEXPECTED", message, fix, key, expected.table_path)


def _vanished(row, expected, registry, judgement, commands):
    key = row.key
    if key.case in registry.cases:
        why = "the scope of %s does not choose it" % expected.path
    else:
        near = difflib.get_close_matches(key.case, registry.cases, 1) if len(judgement.findings) < 20 else ()
        why = "the registry has no such case" + ("; the nearest is %s" % near[0] if near else "")
    fix = "bring it back; if it went on purpose: " + commands.update
    judgement.add("VANISHED", "%s: %s" % (key, why), fix, key, expected.table_path, row.line)


def worst(results):
    """The run that decides: a failure of the product if there is one, else the last run that says something of the product,
    else the last run. A later run makes good one that the surroundings ended. It never makes good a failure of the product."""
    of_product = _of_product(results)
    failed = [run for run in of_product if run.outcome not in GOOD]
    return (failed or of_product or results)[-1]


def _of_product(results):
    return [run for run in results if run.outcome not in SAYS_NOTHING]


class _Waivers:
    """Judges a row's results by what waivers allow, and keeps count of which waivers did."""

    def __init__(self, expected, registry, judgement):
        self._expected, self._registry, self._judgement = expected, registry, judgement
        self._used = set()  # ids of those that were needed, or of which there is no telling
        self._flaky = 0

    def set_aside(self, key):
        """Whether a waiver of this key is needed is not to be judged."""
        self._used.update(id(w) for w in self._covering(key))

    def _covering(self, key):
        """The waivers of outcomes that cover the key; comparisons.py has those of times."""
        return [w for w in self._expected.waivers if w.covers(key) and not w.slower]

    def judge(self, row, results, commands):
        key, add = row.key, self._judgement.add
        place = {"key": key, "file": self._expected.table_path, "line": row.line}
        waiver = self._of(key, place)
        known = (waiver.outcome, *waiver.flaky) if waiver else ()
        if row.outcome not in GOOD and not (waiver and waiver.outcome == row.outcome):
            fix = "write a waiver with outcome = %r into %s, or expect PASS" % (row.outcome, self._expected.path)
            add("NOT_WAIVED", "%s: expected to be %s, which no waiver explains" % (key, row.outcome), fix, **place)
            return
        run = worst(results)
        if run.outcome not in (row.outcome, *known):
            self._otherwise(row, results, run, waiver, commands, place)
        elif run.outcome in GOOD:
            self._doubts(row, results, waiver, place)
            self._judgement.states.setdefault(key, "passed" if run.outcome == "PASS" else "skipped")
            self._counters(row, results, commands, place)
        else:
            self._used.add(id(waiver))
            self._judgement.states.setdefault(key, "waived")
            self._judgement.waived[key] = waiver

    def _of(self, key, place):
        covering = self._covering(key)
        if len(covering) > 1:
            lines = " and ".join(str(w.line) for w in covering)
            message = "%s: waived in lines %s of %s" % (key, lines, self._expected.path)
            self._judgement.add("OVERLAP", message, "keep one of them", **place)
        waiver = covering[0] if covering else None
        if waiver and waiver.flaky:  # which may well pass this time
            self._used.add(id(waiver))
            self._flaky += 1
        return waiver

    def _otherwise(self, row, results, run, waiver, commands, place):
        """The worst run did not end as expected."""
        key, add, toml = row.key, self._judgement.add, self._expected.path
        alike = [r for r in results if (r.environment, r.build) == (run.environment, run.build)]
        if len({r.outcome for r in _of_product(alike)}) > 1:
            outcomes = ", ".join("%s (%s)" % (r.outcome, r.source) for r in alike)
            fix = "find the cause; until then a waiver with flaky = [%r]" % run.outcome
            add("FLAKY", "%s: runs of one build ended differently: %s" % (key, outcomes), fix, **place)
        elif run.outcome == "PASS":
            self.set_aside(key)  # its waiver is spoken of here
            first = "take its waiver out of %s:%d, and " % (toml, waiver.line) if waiver else ""
            message = "%s: expected %s, and it passes (%s)" % (key, row.outcome, run.source)
            add("BETTER", message, "good: %s%s" % (first, commands.update), **place)
        else:
            code = SURROUNDINGS if run.outcome in SAYS_NOTHING else WRONG
            said = ": " + run.message if run.message else ""
            expected = row.outcome
            if waiver and waiver.outcome:  # which is spoken of here
                self.set_aside(key)
                expected = waiver.outcome + ", as its waiver has it in %s:%d" % (toml, waiver.line)
            message = "%s: %s, expected %s (%s)%s" % (key, run.outcome, expected, run.source, said)
            add("FAILED", message, self._shown(key), code=code, **place)

    def _doubts(self, row, results, waiver, place):
        """Each once, however many runs of the case there are."""
        found = {}
        for run in results:
            for doubt in run.doubts:
                found.setdefault(doubt[:2], (doubt, run))
        for doubt, run in found.values():
            if doubts.waived(doubt, waiver):
                self._used.add(id(waiver))
                self._judgement.states.setdefault(row.key, "waived")
                self._judgement.waived[row.key] = waiver
                continue
            message, fix = "%s: %s (%s)" % (row.key, doubt.message, run.source), self._shown(row.key)
            if not doubt.check:
                fix = "a majority makes no failure good: find the cause; until then a waiver with flaky = ['FAIL_ACCURACY']"
            self._judgement.add(doubt.kind, message, fix, code=WRONG, **place)

    def _shown(self, key):
        return "see it: tools/bazel run %s -- %s" % (self._registry.cases[key.case].label, _flags(key))

    def _counters(self, row, results, commands, place):
        """Compares the counters of runs that passed; others have none."""
        for name, want in row.counters.items():
            for run in results:
                got = run.counters.get(name) if run.outcome == "PASS" else want
                if got != want:
                    shown = got or ("absent" if want != "absent" else "not measured")
                    message = "%s: %s is %s, expected %s (%s)" % (row.key, name, shown, want, run.source)
                    self._judgement.add("COUNTER", message, "if that is right: " + commands.update, **place)
                    break

    def end(self, today):
        e, add = self._expected, self._judgement.add
        for waiver in e.waivers:
            place = {"file": e.path, "line": waiver.line}
            said = "%s:%d: waiver of %s, owner %s" % (e.path, waiver.line, waiver.case, waiver.owner)
            if waiver.expires < today:
                add(
                    "EXPIRED",
                    "%s: expired on %s" % (said, waiver.expires),
                    "mend what it is about (%s), or agree with its owner on a new date" % waiver.link,
                    **place,
                )
            elif waiver.expires > today + LONGEST_WAIVER:
                add(
                    "EXPIRED",
                    "%s: until %s, more than %d days ahead" % (said, waiver.expires, LONGEST_WAIVER.days),
                    "write a date that is nearer",
                    **place,
                )
            if id(waiver) not in self._used and not waiver.slower:
                add("UNUSED", "%s: no result needed it" % said, "take it out", **place)
        if self._flaky > e.most_flaky:
            add(
                "TOO_MANY_FLAKY",
                "%d cases are waived as flaky, most_flaky is %d" % (self._flaky, e.most_flaky),
                "mend some",
                file=e.path,
            )
