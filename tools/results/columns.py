"""Which field of a record is which column of the database, both ways.

    record = rebuilt(case, machine, record, measurements, served)     of tuples in the order of CASE_NAMES and so on, which
                                                              splitting.py makes: what the columns hold, and no more

A table here is a list of Column. A new one is a row: its type is that of the field in record.proto. Cases and machines repeat from
record to record, so each is a table of its own, and a record names its row. Types are SQLite's; FLAG is an INTEGER, LONG a
64-bit integer, which JSON of Protocol Buffers has as a string.
"""

import json
from typing import NamedTuple

from defs.proto import record_types
from tools.results import projection

TEXT, REAL, INTEGER, LONG, FLAG = "TEXT", "REAL", "INTEGER", "LONG", "FLAG"
KINDS = {
    str: TEXT,
    record_types.UInt64: TEXT,  # of which SQLite's integers hold a half
    float: REAL,
    record_types.Int32: INTEGER,
    record_types.Int64: LONG,
    bool: FLAG,
}


EXECUTION = "benchmark_case.execution."


class Column(NamedTuple):
    name: str
    kind: str
    path: str  # of the field


def _table(message, rows):
    """Of (column, path), or of paths alone where both are the same."""
    pairs = [(row, row) if isinstance(row, str) else row for row in rows]
    return [Column(name, KINDS[projection.kind_of(message, path)], path) for name, path in pairs]


CASE = _table(
    record_types.Record,
    [
        ("case_name", "benchmark_case.name"),
        ("model", "benchmark_case.model"),
        ("operator", "benchmark_case.operator_call.name"),
        ("dtype", "benchmark_case.dtype"),
        ("batch", "benchmark_case.batch"),
        ("case_mode", "benchmark_case.mode"),
        "device",
        ("backend", "benchmark_case.execution.backend"),
        ("memory_format", "benchmark_case.execution.memory_format"),
        ("autocast", "benchmark_case.execution.autocast"),
        ("matmul_precision", "benchmark_case.execution.matmul_precision"),
        ("deterministic", "benchmark_case.execution.deterministic"),
        ("threads_asked", "benchmark_case.execution.threads"),
        ("accumulation", "benchmark_case.execution.accumulation"),
        ("grad_scaler", "benchmark_case.execution.grad_scaler"),
        ("seed", "benchmark_case.seed"),
        ("label", "benchmark_case.label"),
        ("configuration", "configuration.digest"),
        ("rule", "verdict.rule"),
        ("reference", "verdict.reference.provenance"),
        ("reference_sha256", "verdict.reference.sha256"),
    ],
)
MACHINE = _table(
    record_types.Record,
    [
        ("cpu_model", "environment.cpu_model"),
        ("cpu_count", "environment.cpu_count"),
        ("threads", "environment.threads"),
        ("governor", "environment.governor"),
        ("memory_bytes", "environment.memory_bytes"),
        ("kernel", "environment.kernel"),
        ("os", "environment.os"),
        ("torch_version", "environment.torch_version"),
        ("cpu_capability", "environment.cpu_capability"),
        ("gpu_name", "environment.gpu_name"),
        ("gpu_driver", "environment.gpu_driver"),
        ("cuda_runtime", "environment.cuda_runtime"),
        ("cudnn_version", "environment.cudnn_version"),
        ("gpu_memory_bytes", "environment.gpu_memory_bytes"),
        ("compute_capability", "environment.compute_capability"),
        ("tf32_matmul", "environment.tf32_matmul"),
        ("tf32_cudnn", "environment.tf32_cudnn"),
        ("git_commit", "environment.git_commit"),
        ("git_dirty", "environment.git_dirty"),
        ("compiler", "environment.compiler"),
        ("node", "environment.node"),
    ],
)
RECORD = _table(
    record_types.Record,
    [
        "outcome",
        "error",
        "started_utc",
        "duration_s",
        "repetition",
        ("verdict", "verdict.outcome"),
        ("message", "verdict.message"),
        ("verified_batch", "verdict.verified_batch"),
        ("process_first_call_s", "verdict.first_call_s"),
        ("load_1m", "environment.load_1m"),
        ("parameter_bytes", "memory.parameter_bytes"),
        ("buffer_bytes", "memory.buffer_bytes"),
        ("parameter_count", "memory.parameters"),
        ("process_peak_bytes", "memory.peak_host_bytes"),
        ("fingerprint", "launch.fingerprint"),
        ("suite_run", "launch.suite_run"),
        ("process_elapsed_s", "launch.elapsed_s"),
        ("exit_code", "launch.exit_code"),
        ("signal", "launch.signal"),
        ("imported_format", "imported.format"),
    ],
)
# The worst of all outputs of a verdict; these follow RECORD's own columns.
WORST = _table(record_types.OutputVerdict, ["rms_error", "max_error"])
MEASUREMENT = _table(
    record_types.Measurement,
    [
        "mode",
        "step",
        "preset",
        "median_ns",
        "ci_low_ns",
        "ci_high_ns",
        "p10_ns",
        "p90_ns",
        "p99_ns",
        "minimum_ns",
        "mean_ns",
        "cpu_ns",
        "first_call_ns",
        "warmup_ns",
        "enqueue_ns",
        "steady",
        "calls_per_sample",
        "stop_reason",
        "elapsed_s",
        "flops_per_call",
        "bytes_per_call",
        "operators_per_call",
        "peak_device_bytes",
        "peak_host_bytes",
        "leaked_bytes",
        "injected_share",
        "unit",
        "units_per_call",
        "instructions_per_call",
        ("joules_per_call", "energy.joules_per_call"),
        ("watts", "energy.watts"),
        ("idle_watts", "energy.idle_watts"),
        ("size", "varied.size"),
        ("size_weight", "varied.weight"),
        ("alone_ns", "varied.alone_ns"),
        ("size_ratio", "varied.ratio"),
        ("size_ratio_low", "varied.ratio_low"),
        ("size_ratio_high", "varied.ratio_high"),
        ("made_s", "varied.made_s"),
        ("compilations", "varied.compilations"),
        "headline",
    ],
)
# One rate of a record under load (--scenario). A field whose name a column of the run has gets another name.
SERVED = _table(
    record_types.Served,
    [
        "scenario",
        "generator",
        "asked_qps",
        "queries_per_s",
        "requests_per_s",
        "queries",
        "requests",
        ("served_s", "duration_s"),
        "workers",
        "max_batch",
        "max_wait_s",
        ("served_samples", "samples"),
        ("load_seed", "seed"),
        "mean_ns",
        "max_ns",
        "bound_ns",
        "bound_share",
        "within_bound",
        "equal_replies",
        "close_replies",
        "wrong_replies",
        "lost_replies",
        "doubled_replies",
        "late_p99_ns",
        "busy_share",
        "valid",
        "invalid_reason",
        "peak",
        "tokens",
        "tokens_per_s",
        "goodput",
    ],
)
# These follow SERVED's own columns: for each list and each share a percentile's `ns` and `certified_ns`; the names of the checks that FLAGGED it.
LATENCIES = {"percentiles": "", "first_token": "first_token_", "per_token": "per_token_", "between_tokens": "between_tokens_"}  # what their names begin with
PERCENTILES = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p999": 0.999}
# These follow MEASUREMENT's own columns: how many samples, and the names of the checks that FLAGGED them.
COUNTED = [("samples", INTEGER), ("flagged", TEXT)]


# These follow CASE's own columns: the folder of the label; JSON; JSON of what of `execution` and `training` has no column;
# JSON of the configuration's settings but for the back end and its flags; words. And MACHINE's: JSON of the environment variables that change speed or results.
CASE_NAMES = [c[0] for c in CASE] + ["family", "parameters", "settings", "flags", "tags"]
MACHINE_NAMES = [c[0] for c in MACHINE] + ["variables"]
JSON = ("parameters", "settings", "flags", "variables")
IN_EXECUTION = frozenset(c.path.removeprefix(EXECUTION) for c in CASE if c.path.startswith(EXECUTION))
# Two runs are of one configuration if this is equal: the digest of a record's configuration, which says all that can change a
# number. The others tell apart records without one: another suite's, and those of before there was one.
CONFIGURATION = [c[0] for c in CASE if not c.path.startswith("verdict.")] + ["parameters", "settings", "flags", "tags"]
RECORD_NAMES = [c[0] for c in RECORD] + [c[0] for c in WORST]
MEASUREMENT_NAMES = [c[0] for c in MEASUREMENT] + [c[0] for c in COUNTED]
OF_PERCENTILES = [(text % (of + name), REAL) for of in LATENCIES.values() for name in PERCENTILES for text in ("%s_ns", "certified_%s_ns")]
OF_SERVED = [*OF_PERCENTILES, ("flagged", TEXT)]
SERVED_NAMES = [c[0] for c in SERVED] + [c[0] for c in OF_SERVED]


def _lay(message, columns, values):
    for (_, kind, path), value in zip(columns, values):
        if value is None:
            continue
        owner = message
        *parents, field = path.split(".")
        for name in parents:
            owner = owner.setdefault(name, {})
        owner[field] = str(value) if kind == LONG else bool(value) if kind == FLAG else value


def _flagged(names):
    return [{"name": name, "status": "CHECK_FLAGGED"} for name in names.split(" ")]


def rebuilt(case, machine, record, measurements, served=()):
    """A record of what the columns hold."""
    made = {"schema_version": 2}
    _lay(made, CASE, case)
    _lay(made, MACHINE, machine)
    _lay(made, RECORD, record)
    *_, parameters, settings, flags, tags = case
    if parameters:
        made["benchmark_case"]["parameters"] = json.loads(parameters)
    if settings:
        settings = json.loads(settings)
        made["benchmark_case"].setdefault("execution", {}).update(settings.pop("execution", {}))
        made["benchmark_case"].update(settings)
    if flags:
        made["configuration"]["settings"] = json.loads(flags)
    if machine[-1]:
        made.setdefault("environment", {})["variables"] = json.loads(machine[-1])
    if tags:
        made["benchmark_case"]["tags"] = tags.split(" ")
        named = dict(tag.split("=", 1) for tag in made["benchmark_case"]["tags"] if "=" in tag)
        if "device" in named:
            made.pop("device", None)
        if "backend" in named:
            made["benchmark_case"].pop("execution", None)
    worst = {column.name: value for column, value in zip(WORST, record[len(RECORD) :]) if value is not None}
    if worst:
        made.setdefault("verdict", {})["outputs"] = [{"name": "worst of all outputs", **worst}]
    made["measurements"] = []
    for values in measurements:
        measurement = {}
        _lay(measurement, MEASUREMENT, values)
        flagged = values[len(MEASUREMENT) + 1]
        if flagged:
            measurement["checks"] = _flagged(flagged)
        made["measurements"].append(measurement)
    if served:
        made["served"] = [_rebuilt_rate(values) for values in served]
    return made


def _rebuilt_rate(values):
    rate, figures = {}, iter(values[len(SERVED) : -1])
    _lay(rate, SERVED, values)
    for field in LATENCIES:
        found = [(share, next(figures), next(figures)) for share in PERCENTILES.values()]
        known = [{"share": s, "ns": ns, "certified_ns": most} for s, ns, most in found if ns is not None]
        rate.update({field: known} if known else {})
    if values[-1]:
        rate["checks"] = _flagged(values[-1])
    return rate
