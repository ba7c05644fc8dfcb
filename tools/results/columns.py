"""Which field of a record is which column of the database, both ways.

    record = rebuilt(case, machine, record, measurements)     of tuples in the order of CASE_NAMES and so on, which
                                                              splitting.py makes: what the columns hold, and no more

A table here is a list of (column, type, parent of the field, field). Cases and machines repeat from record to record,
so each is a table of its own, and a record names its row. Types are SQLite's; FLAG is an INTEGER, LONG a 64-bit
integer, which JSON of Protocol Buffers has as a string.
"""

import json

TEXT, REAL, INTEGER, LONG, FLAG = "TEXT", "REAL", "INTEGER", "LONG", "FLAG"
_CASE, _EXECUTION, _ENVIRONMENT, _VERDICT = "benchmark_case", "benchmark_case.execution", "environment", "verdict"

CASE = [
    ("case_name", TEXT, _CASE, "name"),
    ("model", TEXT, _CASE, "model"),
    ("operator", TEXT, "benchmark_case.operator_call", "name"),
    ("dtype", TEXT, _CASE, "dtype"),
    ("batch", LONG, _CASE, "batch"),
    ("case_mode", TEXT, _CASE, "mode"),
    ("device", TEXT, "", "device"),
    ("backend", TEXT, _EXECUTION, "backend"),
    ("memory_format", TEXT, _EXECUTION, "memory_format"),
    ("autocast", TEXT, _EXECUTION, "autocast"),
    ("matmul_precision", TEXT, _EXECUTION, "matmul_precision"),
    ("deterministic", FLAG, _EXECUTION, "deterministic"),
    ("threads_asked", INTEGER, _EXECUTION, "threads"),
    ("accumulation", LONG, _EXECUTION, "accumulation"),
    ("grad_scaler", FLAG, _EXECUTION, "grad_scaler"),
    ("seed", TEXT, _CASE, "seed"),
    ("label", TEXT, _CASE, "label"),
    ("configuration", TEXT, "configuration", "digest"),
    ("rule", TEXT, _VERDICT, "rule"),
    ("reference", TEXT, "verdict.reference", "provenance"),
    ("reference_sha256", TEXT, "verdict.reference", "sha256"),
]
MACHINE = [
    ("cpu_model", TEXT, _ENVIRONMENT, "cpu_model"),
    ("cpu_count", INTEGER, _ENVIRONMENT, "cpu_count"),
    ("threads", INTEGER, _ENVIRONMENT, "threads"),
    ("governor", TEXT, _ENVIRONMENT, "governor"),
    ("memory_bytes", LONG, _ENVIRONMENT, "memory_bytes"),
    ("kernel", TEXT, _ENVIRONMENT, "kernel"),
    ("os", TEXT, _ENVIRONMENT, "os"),
    ("torch_version", TEXT, _ENVIRONMENT, "torch_version"),
    ("cpu_capability", TEXT, _ENVIRONMENT, "cpu_capability"),
    ("gpu_name", TEXT, _ENVIRONMENT, "gpu_name"),
    ("gpu_driver", TEXT, _ENVIRONMENT, "gpu_driver"),
    ("cuda_runtime", TEXT, _ENVIRONMENT, "cuda_runtime"),
    ("cudnn_version", TEXT, _ENVIRONMENT, "cudnn_version"),
    ("gpu_memory_bytes", LONG, _ENVIRONMENT, "gpu_memory_bytes"),
    ("compute_capability", TEXT, _ENVIRONMENT, "compute_capability"),
    ("tf32_matmul", FLAG, _ENVIRONMENT, "tf32_matmul"),
    ("tf32_cudnn", FLAG, _ENVIRONMENT, "tf32_cudnn"),
    ("git_commit", TEXT, _ENVIRONMENT, "git_commit"),
    ("git_dirty", FLAG, _ENVIRONMENT, "git_dirty"),
    ("compiler", TEXT, _ENVIRONMENT, "compiler"),
    ("node", TEXT, _ENVIRONMENT, "node"),
]
RECORD = [
    ("outcome", TEXT, "", "outcome"),
    ("error", TEXT, "", "error"),
    ("started_utc", TEXT, "", "started_utc"),
    ("duration_s", REAL, "", "duration_s"),
    ("repetition", LONG, "", "repetition"),
    ("verdict", TEXT, _VERDICT, "outcome"),
    ("message", TEXT, _VERDICT, "message"),
    ("verified_batch", LONG, _VERDICT, "verified_batch"),
    ("process_first_call_s", REAL, _VERDICT, "first_call_s"),
    ("load_1m", REAL, _ENVIRONMENT, "load_1m"),
    ("parameter_bytes", LONG, "memory", "parameter_bytes"),
    ("buffer_bytes", LONG, "memory", "buffer_bytes"),
    ("parameter_count", LONG, "memory", "parameters"),
    ("process_peak_bytes", LONG, "memory", "peak_host_bytes"),
    ("fingerprint", TEXT, "launch", "fingerprint"),
    ("suite_run", TEXT, "launch", "suite_run"),
    ("process_elapsed_s", REAL, "launch", "elapsed_s"),
    ("exit_code", INTEGER, "launch", "exit_code"),
    ("signal", TEXT, "launch", "signal"),
    ("imported_format", TEXT, "imported", "format"),
]
# The worst of all outputs of a verdict; these follow RECORD's own columns.
WORST = [("rms_error", REAL), ("max_error", REAL)]
MEASUREMENT = [
    ("mode", TEXT, "", "mode"),
    ("step", TEXT, "", "step"),
    ("preset", TEXT, "", "preset"),
    ("median_ns", REAL, "", "median_ns"),
    ("ci_low_ns", REAL, "", "ci_low_ns"),
    ("ci_high_ns", REAL, "", "ci_high_ns"),
    ("p10_ns", REAL, "", "p10_ns"),
    ("p90_ns", REAL, "", "p90_ns"),
    ("p99_ns", REAL, "", "p99_ns"),
    ("minimum_ns", REAL, "", "minimum_ns"),
    ("mean_ns", REAL, "", "mean_ns"),
    ("cpu_ns", REAL, "", "cpu_ns"),
    ("first_call_ns", REAL, "", "first_call_ns"),
    ("warmup_ns", REAL, "", "warmup_ns"),
    ("enqueue_ns", REAL, "", "enqueue_ns"),
    ("steady", FLAG, "", "steady"),
    ("calls_per_sample", LONG, "", "calls_per_sample"),
    ("stop_reason", TEXT, "", "stop_reason"),
    ("elapsed_s", REAL, "", "elapsed_s"),
    ("flops_per_call", REAL, "", "flops_per_call"),
    ("bytes_per_call", REAL, "", "bytes_per_call"),
    ("operators_per_call", INTEGER, "", "operators_per_call"),
    ("peak_device_bytes", LONG, "", "peak_device_bytes"),
    ("peak_host_bytes", LONG, "", "peak_host_bytes"),
    ("leaked_bytes", LONG, "", "leaked_bytes"),
    ("injected_share", REAL, "", "injected_share"),
    ("unit", TEXT, "", "unit"),
    ("units_per_call", REAL, "", "units_per_call"),
    ("headline", FLAG, "", "headline"),
]
# These follow MEASUREMENT's own columns: how many samples, and the names of the checks that FLAGGED them.
COUNTED = [("samples", INTEGER), ("flagged", TEXT)]


# These follow CASE's own columns: the folder of the label; JSON; JSON of what of `execution` and `training` has no column;
# JSON of the configuration's settings but for the back end and its flags; words. And MACHINE's: JSON of the environment variables that change speed or results.
CASE_NAMES = [c[0] for c in CASE] + ["family", "parameters", "settings", "flags", "tags"]
MACHINE_NAMES = [c[0] for c in MACHINE] + ["variables"]
JSON = ("parameters", "settings", "flags", "variables")
IN_EXECUTION = frozenset(field for _, _, parent, field in CASE if parent == _EXECUTION)
# What makes two runs those of one configuration: the digest of a record's configuration, which says all that can change a
# number. The others tell apart records without one: another suite's, and those of before there was one.
CONFIGURATION = [c[0] for c in CASE if not c[2].startswith(_VERDICT)] + ["parameters", "settings", "flags", "tags"]
RECORD_NAMES = [c[0] for c in RECORD] + [c[0] for c in WORST]
MEASUREMENT_NAMES = [c[0] for c in MEASUREMENT] + [c[0] for c in COUNTED]


def _lay(message, columns, values):
    for (_, kind, parent, field), value in zip(columns, values):
        if value is None:
            continue
        owner = message
        for name in parent.split(".") if parent else ():
            owner = owner.setdefault(name, {})
        owner[field] = str(value) if kind == LONG else bool(value) if kind == FLAG else value


def rebuilt(case, machine, record, measurements):
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
    worst = {name: value for (name, _), value in zip(WORST, record[len(RECORD) :]) if value is not None}
    if worst:
        made.setdefault("verdict", {})["outputs"] = [{"name": "worst of all outputs", **worst}]
    made["measurements"] = []
    for values in measurements:
        measurement = {}
        _lay(measurement, MEASUREMENT, values)
        flagged = values[len(MEASUREMENT) + 1]
        if flagged:
            measurement["checks"] = [{"name": name, "status": "CHECK_FLAGGED"} for name in flagged.split(" ")]
        made["measurements"].append(measurement)
    return made
