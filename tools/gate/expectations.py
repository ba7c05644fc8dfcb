"""The expected results: FILE.toml, which people write, and FILE.tsv beside it, which `--update` writes.

    expected = read("ci/expected/quick.toml", shown)     # Stop, exit code 3, with the file, the line and the fix
    expected.rows[Key("mlp_fp32_b1", "CPU", "")]         # Row
    text = table(expected.rows.values(), shown)          # of FILE.tsv

Rows are a table of tabs, one line a case, so that a diff shows case by case what changes, two branches that add cases merge,
and 10,000 rows are read in 0.05 s. What needs sentences is
TOML, for which Python has a reader: which cases and devices the rows are about, and waivers.
"""

import datetime
import os
import re
from typing import Annotated, Literal, NamedTuple, Optional, Union

import msgspec

from tools.gate import doubts
from tools.results import record as records
from tools.results.errors import SURROUNDINGS, USAGE, Stop
from tools.results.formats.registry import text as text_of

HEAD = ("case", "device", "flags", "outcome", "counters")
# Outcomes that need no waiver: the second one is declared, with its reason, in the case's own table.
GOOD = ("PASS", "SKIPPED_DECLARED")
# The longest time that a waiver may be ahead of its end: whoever owns it looks at it again after that.
LONGEST_WAIVER = datetime.timedelta(days=90)
# Fields of a record's environment that a file may ask for, and those that it must ask for: accuracy on another GPU, with another
# driver or another LibTorch says nothing about this one.
ENVIRONMENT = (
    "gpu_name",
    "gpu_driver",
    "cuda_runtime",
    "cudnn_version",
    "compute_capability",
    "torch_version",
    "cpu_model",
    "cpu_capability",
    "os",
    "kernel",
)
_NEEDED = {"CPU": ("torch_version",), "CUDA": ("gpu_name", "gpu_driver", "torch_version")}

_Text = Annotated[str, msgspec.Meta(pattern=r"\S")]
_Texts = Annotated[list[str], msgspec.Meta(min_length=1)]


class Key(NamedTuple):
    case: str
    device: str  # as a record spells it: CPU, CUDA
    flags: str  # those that can change a number, in alphabetical order; "" for the case as its table has it

    def __str__(self):
        return " ".join(filter(None, (self.case, self.device, self.flags)))


class Row(NamedTuple):
    key: Key
    outcome: str
    counters: dict  # name -> text of an exact value (runs.py)
    line: int = 0


class Scope(msgspec.Struct, forbid_unknown_fields=True):
    """Which cases of the registry have a row, for each device and each of the flags."""

    cases: _Texts  # regular expressions of whole names
    devices: Annotated[list[Literal["CPU", "CUDA"]], msgspec.Meta(min_length=1)]
    exclude: list[str] = []
    tags: list[str] = []  # a case has one of them
    exclude_tags: list[str] = []
    flags: _Texts = msgspec.field(default_factory=lambda: [""])


class Waiver(msgspec.Struct, forbid_unknown_fields=True):
    """A known failure, which has `outcome`; a flaky case, which has one of `flaky` now and then; a case that passes and whose
    checks `flagged` are known to say that its number is of other work; or one that may be slower in the modes `slower`."""

    case: _Text  # a regular expression of whole names
    owner: _Text
    reason: _Text
    link: Annotated[str, msgspec.Meta(pattern=r"^https?://\S+$")]
    expires: datetime.date  # the last day on which it holds
    device: Optional[Literal["CPU", "CUDA"]] = None
    flags: Optional[str] = None
    outcome: str = ""
    flaky: list[str] = []
    flagged: list[str] = []
    slower: list[str] = []  # as tools:compare has them: "wall", "wall/decode"
    line: int = 0

    def covers(self, key):
        return (
            re.fullmatch(self.case, key.case) is not None
            and self.device in (None, key.device)
            and self.flags in (None, key.flags)
        )


class _File(msgspec.Struct, forbid_unknown_fields=True):
    scope: Scope
    environment: dict[str, dict[str, Union[str, list[str]]]]
    most_flaky: Annotated[int, msgspec.Meta(ge=0)] = 0
    waiver: list[Waiver] = []


class Expected(NamedTuple):
    path: str  # of FILE.toml and FILE.tsv, as the user calls them
    table_path: str
    scope: Scope
    environment: dict  # device -> field -> texts, one of which a record must have
    most_flaky: int
    waivers: list
    rows: dict  # Key -> Row


def table_path(path):
    return path[: -len(".toml")] + ".tsv"


def read(path, shown):
    if not path.endswith(".toml"):
        raise Stop(USAGE, "--expected=%s: want the FILE.toml; the table beside it is found by its name" % shown)
    if not os.path.exists(path):
        raise Stop(SURROUNDINGS, "%s: No such file; docs/gate.md shows one, and --update writes the table beside it" % shown)
    given = text_of(path, shown)
    file = _toml(given, shown)
    _check_scope(file.scope, shown)
    for number, waiver in enumerate(file.waiver):
        waiver.line = _line_of_waiver(given, number)
        _check_waiver(waiver, "%s:%d: waiver" % (shown, waiver.line))
    rows = _rows(path, table_path(shown))
    return Expected(shown, table_path(shown), file.scope, _environment(file, shown), file.most_flaky, file.waiver, rows)


def _toml(given, shown):
    try:
        return msgspec.toml.decode(given, type=_File)
    except msgspec.ValidationError as error:
        said = str(error)
        place = re.search(r"\$\.waiver\[(\d+)\]", said)
        line = ":%d" % _line_of_waiver(given, int(place.group(1))) if place else ""
        raise Stop(USAGE, "%s%s: %s; docs/gate.md shows a whole file" % (shown, line, said)) from None
    except (msgspec.DecodeError, RecursionError) as error:
        place = re.search(r"line (\d+)", str(error))
        line = given.split("\n")[int(place[1]) - 1] if place else ""
        date = "; a date is a day of the calendar, without quotes: expires = 2026-12-31" * line.startswith("expires")
        raise Stop(USAGE, "%s: not TOML: %s%s" % (shown, error, date)) from None


def _line_of_waiver(given, number):
    heads = [i for i, line in enumerate(given.split("\n"), 1) if re.match(r"\s*\[\[\s*waiver\s*\]\]", line)]
    return heads[number] if number < len(heads) else 0


def _check_expression(expression, place):
    try:
        re.compile(expression)
    except re.error as error:
        raise Stop(USAGE, "%s: %r is no regular expression: %s" % (place, expression, error)) from None


def _check_scope(scope, shown):
    for expression in scope.cases + scope.exclude:
        _check_expression(expression, shown + ": scope")
    for flags in scope.flags:
        if flags != flags_text(flags.split()):
            raise Stop(USAGE, "%s: scope: flags %r; write them %r" % (shown, flags, flags_text(flags.split())))


def _check_waiver(waiver, place):
    _check_expression(waiver.case, place)
    if bool(waiver.outcome) + bool(waiver.flaky) + bool(waiver.flagged) + bool(waiver.slower) != 1:
        wanted = "one of `outcome`, of a known failure, `flaky`, a list of outcomes, `flagged`, a list of checks, and `slower`, a list of modes"
        raise Stop(USAGE, "%s: %s" % (place, wanted))
    for check in waiver.flagged:
        if check not in doubts.OTHER_WORK:
            names = ", ".join(doubts.OTHER_WORK)
            raise Stop(USAGE, "%s: %r is no check that can be waived; one of %s" % (place, check, names))
    for outcome in [waiver.outcome] if waiver.outcome else waiver.flaky:
        if outcome not in records.OUTCOMES or outcome in GOOD:
            names = ", ".join(sorted(records.OUTCOMES - {*GOOD}))
            raise Stop(USAGE, "%s: %r is no outcome that can be waived; one of %s" % (place, outcome, names))


def _environment(file, shown):
    wanted = {}
    for device, fields in file.environment.items():
        if device not in _NEEDED:
            raise Stop(USAGE, "%s: [environment.%s]: no device; one of %s" % (shown, device, ", ".join(_NEEDED)))
        unknown = sorted(set(fields) - set(ENVIRONMENT))
        if unknown:
            raise Stop(
                USAGE,
                "%s: [environment.%s]: unknown %s; there are %s" % (shown, device, unknown[0], ", ".join(ENVIRONMENT)),
            )
        wanted[device] = {name: [text] if isinstance(text, str) else text for name, text in fields.items()}
    for device in file.scope.devices:
        missing = [name for name in _NEEDED[device] if not wanted.get(device, {}).get(name)]
        if missing:
            raise Stop(
                USAGE,
                "%s: [environment.%s] does not say %s; without it a result from elsewhere would count"
                % (shown, device, " and ".join(missing)),
            )
    return wanted


def _rows(path, shown):
    rows = {}
    try:
        lines = text_of(table_path(path), shown).split("\n")
    except Stop as stop:
        if "No such file" in str(stop):
            return rows  # before the first --update; then each case of the scope is one without a row
        raise
    if "�" in "".join(lines):
        raise Stop(USAGE, "%s: not UTF-8" % shown)
    numbered = [(n, line.rstrip("\r")) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    if numbered and tuple(numbered[0][1].split("\t")) != HEAD:
        raise Stop(USAGE, "%s:%d: the first line is not %s, with tabs" % (shown, numbered[0][0], " ".join(HEAD)))
    for number, line in numbered[1:]:
        row = _row(line.split("\t"), number, "%s:%d" % (shown, number))
        first = rows.setdefault(row.key, row)
        if first is not row:
            raise Stop(USAGE, "%s:%d: %s is in line %d, too; remove one" % (shown, number, row.key, first.line))
    return rows


def _row(cells, number, place):
    if len(cells) != len(HEAD):
        raise Stop(USAGE, "%s: %d cells between tabs, and the table has %d" % (place, len(cells), len(HEAD)))
    case, device, flags, outcome, counters = cells
    if not case or device not in _NEEDED:
        raise Stop(USAGE, "%s: %r on %r; want a case and one of %s" % (place, case, device, ", ".join(_NEEDED)))
    if outcome not in records.OUTCOMES:
        raise Stop(USAGE, "%s: outcome %r; one of %s" % (place, outcome, ", ".join(sorted(records.OUTCOMES))))
    found = {}
    for word in counters.split():
        name, equals, value = word.partition("=")
        if not (name and equals and value) or name in found:
            raise Stop(USAGE, "%s: counter %r; want NAME=VALUE, each name once" % (place, word))
        if name.endswith(("_ns", "_s", "time", "latency", "median")):
            raise Stop(
                USAGE, "%s: counter %r is a time; times are gated by tools:compare, --compared=FILE" % (place, name)
            )
        found[name] = value
    return Row(Key(case, device, "" if flags == "-" else flags), outcome, found, number)


def flags_text(words):
    """`--b=2 --a=1` and `-a 1 --b 2` as one text: "--a=1 --b=2"."""
    flags = []
    for word in words:
        if word.startswith("-") or not flags:
            name, equals, value = word.lstrip("-").partition("=")
            flags.append("--" + name.replace("_", "-") + equals + value)
        else:
            flags[-1] += "=" + word
    return " ".join(sorted(flags))


def table(rows, shown):
    lines = [
        "# Exact: tools/bazel run //tools:gate -- --update --expected=%s RESULTS rewrites it." % shown,
        "\t".join(HEAD),
    ]
    for row in sorted(rows):
        counters = " ".join("%s=%s" % item for item in sorted(row.counters.items()))
        lines.append("\t".join([row.key.case, row.key.device, row.key.flags or "-", row.outcome, counters]))
    return "\n".join(lines) + "\n"
