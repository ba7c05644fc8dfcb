"""TorchBench (pytorch/benchmark), userbenchmark's metrics-*.json: `name`, `environ` and `metrics`, a number for each name.

    model=alexnet, test=eval, device=cuda, bs=8, extra_args=[], metric=latencies     of test_bench
    alexnet-eval_latency                                                             of cpu

The metrics of one model, test and arguments become one record. Latencies are milliseconds, memory is in GiB. A word in the place of
a number is a failure, but for what says that a model was left out. Names of other kinds are kept in `imported` of no record: they
are no times.
"""

import re

from tools.results import outcome_names
from tools.results.errors import Problem
from tools.results.formats import document as d

NAME = "torchbench_json"
TITLE = "pytorch/benchmark: metrics-*.json of a userbenchmark"
_LONG = re.compile(
    r"model=(?P<model>.+?), test=(?P<test>\w+), device=(?P<device>\w+), bs=(?P<batch>\w+), extra_args=(?P<args>.*), metric=(?P<metric>\w+)"
)
_SHORT = re.compile(r"(?P<model>.+)-(?P<test>eval|train)(?P<args>(?:-[^_]+)?)_(?P<metric>latency|throughput|cmem|gmem)")
_LATENCIES = ("latencies", "latency")
_MEMORY = {"cpu_peak_mem": "peak_host_bytes", "cmem": "peak_host_bytes", "gpu_peak_mem": "peak_device_bytes", "gmem": "peak_device_bytes"}
_LEFT_OUT = ("not_implemented", "notimplemented", "skip", "skipped")
_PRECISION = re.compile(r"\b(?:fp32|fp16|bf16|fp64)\b")
_MOMENT = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\.json$")


def misses(look):
    value = look.value if isinstance(look.value, dict) else {}
    absent = [name for name in ("environ", "metrics") if not isinstance(value.get(name), dict)]
    return "no object %s" % ", ".join(map("`%s`".__mod__, absent)) if absent else ""


def parse(text):
    value = d.load(text)
    rows = [(place, {"metric": name, "value": number}) for place, (name, number) in enumerate(value["metrics"].items(), 1)]
    problems = []
    if rows and not any(_named(row) for _, row in rows):
        problems = [(1, Problem.MALFORMED, "no metric is a latency, memory or accuracy of a model; the first is %.80r" % rows[0][1]["metric"])]
    return d.Document({k: v for k, v in value.items() if k != "metrics"}, rows, problems)


def _named(row):
    found = _LONG.fullmatch(row["metric"]) or _SHORT.fullmatch(row["metric"])
    return found.groupdict() if found else None


def group(document):
    groups = {}
    for place, row in document.rows:
        named = _named(row)
        if named:
            del named["metric"]
            groups.setdefault(tuple(named.items()), []).append((place, row))
    return list(groups.values())


def _outcome(values):
    """The outcome, and the error's text."""
    for metric, value in values.items():
        if metric == "accuracy" or isinstance(value, str):
            word = str(value)
            if word.lower() in _LEFT_OUT:
                return "SKIPPED_DECLARED", word
            outcome = outcome_names.from_name_in(outcome_names.TORCH_DYNAMO, word)
            if outcome != "PASS" or metric != "accuracy":
                return outcome or d.outcome_of_error(word), "%s is %.80r" % (metric, word)
            return outcome, None
    return "NOT_VERIFIED", None


def record(rows, head, source):
    named, values = _named(rows[0][1]), {_named(row)["metric"]: row["value"] for _, row in rows}
    environ, training = head["environ"], named["test"] == "train"
    device = named.get("device") or str(head.get("name") or "")
    args, moment = re.findall(r"[\w.=+-]+", named["args"]), _MOMENT.search(source)
    compilers = [word.lstrip("-") for word in args if word.lstrip("-") in ("inductor", "torchscript", "openxla", "aot_eager")]
    outcome, error = _outcome({name: v for name, v in values.items() if name != "memleak"})
    latency = next((values[name] for name in _LATENCIES if isinstance(values.get(name), (int, float))), None)
    measurement = None
    if latency:
        measurement = d.present({"mode": "wall", "step": "train_step" if training else "forward", "median_ns": latency * 1e6})
        measurement["stop_reason"] = "imported"
        peaks = {field: values[name] for name, field in _MEMORY.items() if isinstance(values.get(name), (int, float))}
        measurement.update({field: str(round(gib * 2**30)) for field, gib in peaks.items()})
    elif outcome == "NOT_VERIFIED":
        outcome, error = "CRASH", "no latency"
    batch, precision = named.get("batch") or "", _PRECISION.search(named["args"])
    parts = [named["model"], named["test"], device, "b" + batch if batch.isdigit() else "", *args]
    return d.record(
        "/".join(filter(None, parts)),
        named["model"] + "".join("/" + word for word in args),
        int(batch) if batch.isdigit() else None,
        outcome,
        dtype=d.DTYPES.get(precision[0]) if precision else None,
        mode="TRAIN" if training else "EVAL",
        tags=d.tags(suite="torchbench", backend=compilers[0] if compilers else "eager", device=None if device in d.DEVICES else device),
        device=d.DEVICES.get(device),
        error=error,
        measurements=[measurement] if measurement else None,
        started_utc="%s-%s-%sT%s:%s:%sZ" % moment.groups() if moment else None,
        environment=d.present(
            {
                "torch_version": environ.get("pytorch_version"),
                "git_commit": environ.get("pytorch_git_version"),
                "gpu_name": environ.get("device") if device == "cuda" else None,
            }
        ),
    )
