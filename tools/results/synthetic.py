"""Many records that could be real: one of a run on a machine (testdata/run.jsonl) with other names, times and figures.

for line in lines(1000000, samples=False): ...      # bytes of a line each; the same for the same seed
"""

import itertools
import random

import orjson

_RUN = "tools/results/testdata/run.jsonl"
_MODELS = ("resnet18", "resnet50", "bert_base", "bert_large", "gpt2", "vit_b_16", "unet", "mlp", "t5_small", "dlrm")
_DTYPES = ("FP32", "BF16", "FP16")
_BATCHES = ("1", "8", "16", "64")
COMMITS = ["%040x" % (0x9E3779B97F4A7C15F39CC0605CEDC834 * (i + 1) % 16**40) for i in range(50)]
_OUTCOMES = ["PASS"] * 97 + ["FAIL_ACCURACY", "OUT_OF_MEMORY", "TIMEOUT"]
_FIGURES = (
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
)


def lines(count, samples, suite_run="", seed=0):
    """Records of a suite's run in the order of time, two a second; `suite_run`: that they belong to."""
    with open(_RUN, "rb") as f:
        run = orjson.loads(f.readline())
    if not samples:
        for measurement in run["measurements"]:
            del measurement["samples_ns"], measurement["clock_mhz"]  # as `export --samples=no` does
    for check in (c for m in run["measurements"] for c in m["checks"] if c["status"] == "CHECK_FLAGGED"):
        check["status"] = "CHECK_NOTED"  # of a machine in use; flagged samples would enter no mean
    figures = [(m, {name: m[name] for name in _FIGURES if name in m}) for m in run["measurements"]]
    chance = random.Random(seed)
    cases = list(itertools.product(_MODELS, _DTYPES, _BATCHES))
    for number in range(count):
        model, dtype, batch = cases[number % len(cases)]
        case = run["benchmark_case"]
        case.update(name="%s_%s_b%s" % (model, dtype.lower(), batch), model=model, dtype=dtype, batch=batch)
        factor = chance.lognormvariate(0, 0.1) * (1 + number % len(cases))
        for measurement, own in figures:
            measurement.update((name, value * factor) for name, value in own.items())
        run["outcome"] = chance.choice(_OUTCOMES)
        run["environment"].update(git_commit=COMMITS[number * 50 // count], load_1m=round(chance.random() * 4, 2))
        run.update(started_utc=_moment(number), duration_s=1 + chance.random())
        run["launch"] = {"fingerprint": "%064x" % number, "suite_run": suite_run or "run%d" % (number // 1000)}
        yield orjson.dumps(run) + b"\n"


def _moment(number):
    second = number // 2
    day, rest = divmod(second, 86400)
    return "2026-%02d-%02dT%02d:%02d:%02d+00:00" % (
        1 + day // 28,
        1 + day % 28,
        rest // 3600,
        rest // 60 % 60,
        rest % 60,
    )


def footer(suite_run, planned, complete=True):
    run = {"id": suite_run, "started_utc": _moment(0), "duration_s": 5.0, "planned": str(planned), "complete": complete}
    return orjson.dumps({"schema_version": 2, "suite_run": run}) + b"\n"
