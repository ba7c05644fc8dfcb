"""Records of results files as the gate sees them: whose result, with which outcome, from where, and what of it is exact.

    reader = Reader()
    reader.file("out/results.jsonl", "out/results.jsonl")    # of records, or a database of results
    for run in reader.runs: ...                              # Run, file by file, in the order of lines
    for problem in reader.problems: ...                      # NotWhole

Whether a file is whole, and its lines are records, tools/results/checking.py says.
"""

import hashlib
import operator
from typing import NamedTuple

import msgspec
import orjson

from defs.proto import record_types
from tools.gate import doubts
from tools.gate.expectations import ENVIRONMENT, Key, flags_text
from tools.results import checking, database, stored
from tools.results import record as records
from tools.results.errors import SURROUNDINGS, WRONG, Problem, Refused, Stop
from tools.results.projection import projection

_TIMED = "timed_is_verified"  # the check of runner/verdict/timed_check.h
_SECONDS = len("2026-11-23T12:00:00")  # of a start, always in UTC
_SHORT = 16  # hexadecimal digits of a digest: 64 bits tell two of them apart by accident
_FLAGS = "benchmarks/flags.json"


class Counter(NamedTuple):
    meaning: str
    path: str = ""  # of the field that it is; without one, a function below makes it


# The exact counters that there are. Those of a step are called STEP.NAME: forward.flops.
OF_RUN = {
    "configuration": Counter("digest of what is measured, and how"),
    "reference": Counter("digest of the outputs that are right"),
    "compared": Counter("elements that were compared with it"),
    "rms_limit": Counter("the widest limit of an output, in its standard deviations"),
    "max_limit": Counter("likewise"),
    "limits": Counter("digest of rule, limits and compared elements of each output"),
    "parameter_bytes": Counter("of the model", "memory.parameter_bytes"),
    "buffer_bytes": Counter("of the model", "memory.buffer_bytes"),
    "outputs": Counter("digest of what the verdict says of each output, which no change of their bits leaves as it was"),
    "tokens": Counter("digest of the tokens that were generated"),
}
OF_STEP = {
    "flops": Counter("operations of one call", "measurements.flops_per_call"),
    "bytes": Counter("the least that one call must read and write", "measurements.bytes_per_call"),
    "operators": Counter(
        "operators of one eager call that read or write memory: on CUDA each is a kernel or a few", "measurements.operators_per_call"
    ),
    "units": Counter("images, tokens or rows of one call", "measurements.units_per_call"),
    "timed": Counter("whether the timed call was verified: OK, NOT_RUN, or absent where its record does not say"),
    "attention": Counter("kernels of fused attention that ran", "measurements.attention_kernels"),
    "allocations": Counter("allocations of one call", "memory.steps.allocations"),
    "allocated_bytes": Counter("by one call", "memory.steps.allocated_bytes"),
    "peak_bytes": Counter("most that one call has at once", "memory.steps.peak_bytes"),
}
# Not written unless asked for: they depend on the instruction set, the number of threads or the allocator.
OF_ONE_MACHINE = ("outputs", "tokens", "attention", "allocations", "allocated_bytes", "peak_bytes")


class _Fields:
    """The counters of a table that are fields of one part of a record."""

    def __init__(self, table, part, of_one_machine):
        chosen = {
            name: counter.path.removeprefix(part)
            for name, counter in table.items()
            if counter.path and counter.path.startswith(part) and (name in OF_ONE_MACHINE) == of_one_machine
        }
        self._getters = [(name, operator.attrgetter(path)) for name, path in chosen.items()]

    def of(self, part):
        return [(name, value(part)) for name, value in self._getters]


_RUN, _STEP = _Fields(OF_RUN, "", False), _Fields(OF_STEP, "measurements.", False)
_ALLOCATED = _Fields(OF_STEP, "memory.steps.", True)
_OUTPUT = "name rms_error max_error cosine worst_index worst_got rms_limit max_limit elements_compared".split()
_Record = projection(
    record_types.Record,
    [
        *"outcome device error started_utc flags benchmark_case.name benchmark_case.verify configuration.digest".split(),
        *"workload.outputs.name workload.outputs.rule workload.outputs.limit_factor workload.outputs.least_share launch.fingerprint generated.ids".split(),
        *"verdict.message verdict.rule verdict.runs verdict.passed_runs verdict.reference.sha256 memory.steps.step".split(),
        *("verdict.outputs." + name for name in _OUTPUT),
        *("environment." + name for name in (*ENVIRONMENT, "git_commit", "git_dirty")),
        *("measurements." + path for path in "mode step checks.name checks.status checks.detail".split()),
        *(counter.path for table in (OF_RUN, OF_STEP) for counter in table.values() if counter.path),
    ],
)


class Run(NamedTuple):
    key: Key
    outcome: str
    message: str
    environment: tuple  # in the order of ENVIRONMENT
    commit: str  # with + where the tree had changes
    build: str  # runs of the same have the same code and settings
    started: str
    counters: dict  # name -> text, of a run that passed
    doubts: tuple  # likewise: what its record says against the pass
    file: str
    source: str  # file and line


class NotWhole(NamedTuple):
    code: int
    file: str
    message: str
    fix: str


_AGAIN = "run the suite again: it goes on where it was cut off"
_NEW = "run the suite of this version into a new folder"
_APART = "run the suite into a new folder"
_MEND = "mend the line, or run the suite into a new folder: records are appended, never edited"
_NAME = "name a file of records (--record), a folder of run_suite (--out), or a database of results"


class Reader:
    def __init__(self, counters=()):
        """`counters`: names of those that are looked at; of OF_ONE_MACHINE no others are read."""
        self.runs, self.problems = [], []
        self._of_one_machine = {name.rpartition(".")[2] for name in counters}.intersection(OF_ONE_MACHINE)
        self._flags, self._looks = {}, _not_in_configuration()

    def file(self, path, shown):
        before = len(self.runs)
        try:
            (self._database if database.is_one(path) else self._records)(path, shown)
        except Stop as stop:
            self._problem(shown, str(stop), _NAME)
            return
        if len(self.runs) == before:
            self._problem(shown, "%s: holds no record" % shown, _AGAIN)
        self._check_order(self.runs[before:], shown)

    def _check_order(self, runs, shown):
        """The build whose lines come later is newer. If the clock says otherwise, nobody knows which is newer."""
        newest, backwards = {}, []
        for run in runs:
            place = (run.key, run.environment)
            last = newest.get(place)
            back = last is not None and run.started[:_SECONDS] < last.started[:_SECONDS]
            if back and run.started and last.build != run.build:
                backwards.append((run, last))
            if not back or last.build != run.build:
                newest[place] = run
        for run, last in backwards[:1]:
            text = "%s: %s started %s, before another build's run above it (%s, %s), so nobody knows which build is newer" % (
                run.source,
                run.key,
                run.started[:_SECONDS],
                last.source,
                last.started[:_SECONDS],
            )
            others = len(backwards) - 1
            self._problem(shown, text + ("; so did %d other%s" % (others, "s" * (others > 1)) if others else ""), _APART)

    def _problem(self, shown, message, fix, code=SURROUNDINGS):
        self.problems.append(NotWhole(code, shown, message, fix))

    def _records(self, path, shown):
        def each(line, document):
            record = msgspec.convert(document, _Record, strict=False)
            self.runs.append(self._run(record, shown, "%s:%d" % (shown, line)))

        report = checking.check(path, shown, each)
        if report.form != checking.assay.NAME:
            raise Stop(SURROUNDINGS, "%s: %s; want this suite's records" % (shown, report.form))
        for problem in report.problems:
            # A run that was cut off is made good by the one that went on with it.
            if not (problem.kind == Problem.MISSING and report.ends_whole):
                again = _NEW if problem.kind == Problem.SCHEMA else _AGAIN
                fix = again if problem.code == SURROUNDINGS else _MEND
                self._problem(shown, str(problem), fix, problem.code)

    def _database(self, path, shown):
        kept = stored.Stored(database.reading(path), "", samples=False)
        found = []
        for number, record in enumerate(kept.records(), 1):
            source = "%s, record %d" % (shown, number)
            try:
                records.parse(orjson.dumps(record))  # an import of before may have looked at less
            except Refused as refused:
                self._problem(shown, "%s: %s" % (source, refused), _MEND, WRONG)
                continue
            found.append(self._run(msgspec.convert(record, _Record, strict=False), shown, source))
            if kept.from_columns:
                raise Stop(SURROUNDINGS, "%s: has records without their flags, imported with --samples=no" % shown)
        self.runs += found

    def _run(self, record, shown, source):
        environment = record.environment
        commit = environment.git_commit + ("+" if environment.git_dirty else "")
        return Run(
            self._key(record),
            record.outcome,
            record.verdict.message or record.error,
            tuple([getattr(environment, name) for name in ENVIRONMENT]),
            commit,
            record.launch.fingerprint or "%s %s" % (commit, record.configuration.digest),
            record.started_utc,
            _counters(record, self._of_one_machine) if record.outcome == "PASS" else {},
            doubts.of(record) if record.outcome == "PASS" else (),
            shown,
            source,
        )

    def _key(self, record):
        seen = tuple(record.flags)
        flags = self._flags.get(seen)
        if flags is None:
            words = flags_text(record.flags).split(" ") if record.flags else []
            flags = self._flags[seen] = " ".join([w for w in words if w[2:].partition("=")[0] not in self._looks])
        return Key(record.benchmark_case.name, record.device, flags)


def _not_in_configuration():
    """The flags that change no number, by the table of all of them, and --device, which a key has of its own. A flag that the
    table lacks is a back end's, which does."""
    with open(_FLAGS, "rb") as f:
        return {flag["name"] for flag in orjson.loads(f.read()) if not flag["in_configuration"]} | {"device"}


def _whole(value):
    return "%d" % value if value == int(value) else repr(value)


def _digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:_SHORT]


# Fields of a case's parameters of verification.
_LIMITS = sorted({f.name for f in msgspec.structs.fields(record_types.VerifyParameters)} - {"batch", "provenance"})
_LIMITS_OF = operator.attrgetter(*_LIMITS)


def _limits(record):
    """A change of any limit of any output changes it, also behind a wider one. Rules other than RELATIVE_TO_STD have theirs
    in the case alone."""
    if not record.verdict.outputs:
        return ""
    of_case = [item for item in zip(_LIMITS, _LIMITS_OF(record.benchmark_case.verify)) if item[1]]
    specified = {
        output.name: (output.rule, output.limit_factor, *filter(None, [output.least_share])) for output in record.workload.outputs
    }
    outputs = [
        (output.name, specified.get(output.name), output.rms_limit, output.max_limit, output.elements_compared)
        for output in record.verdict.outputs
    ]
    return _digest(repr((record.verdict.rule, of_case, outputs)))


def _figures(output):
    """A change of one bit of a compared element changes one of them, at full precision."""
    return (output.name, output.rms_error, output.max_error, output.cosine, output.worst_index, output.worst_got)


def _counters(record, of_one_machine):
    """The counters that are set: a record leaves out 0 and empty ones. Counters in OF_ONE_MACHINE are read only if named, since
    they take as long as all others."""
    outputs = record.verdict.outputs
    found = {
        "configuration": record.configuration.digest[:_SHORT],
        "reference": record.verdict.reference.sha256[:_SHORT],
        "compared": sum([output.elements_compared for output in outputs]),
        "rms_limit": max([output.rms_limit for output in outputs], default=0),
        "max_limit": max([output.max_limit for output in outputs], default=0),
        "limits": _limits(record),
        **dict(_RUN.of(record)),
    }
    for m in record.measurements:
        for name, value in _STEP.of(m):
            _add(found, "%s.%s" % (m.step, name), value)
        _add(found, m.step + ".timed", _timed(m))
    if of_one_machine:
        for name, value in _of_one_machine(record):
            if name.rpartition(".")[2] in of_one_machine:
                _add(found, name, value)
    return {name: value if isinstance(value, str) else _whole(value) for name, value in found.items() if value}


def _timed(measurement):
    return next((c.status.replace("CHECK_", "", 1) for c in measurement.checks if c.name == _TIMED), "absent")


def _of_one_machine(record):
    outputs, tokens = map(_figures, record.verdict.outputs), [row.ids for row in record.generated]
    yield "outputs", _digest(repr([*outputs])) if record.verdict.outputs else ""
    yield "tokens", _digest(repr(tokens)) if tokens else ""
    for m in record.measurements:
        yield m.step + ".attention", "+".join(sorted(m.attention_kernels))
    for step in record.memory.steps:
        for name, value in _ALLOCATED.of(step):
            yield "%s.%s" % (step.step, name), value


def _add(found, name, value):
    """If two modes of one step differ, both values are the counter, so that it equals neither."""
    before = found.setdefault(name, value)
    if before != value:
        found[name] = "%s|%s" % (before, value)
