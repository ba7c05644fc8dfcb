"""Results for a Conbench server, one on each line: POST a line to /api/benchmark-results/. For export only.

After conbench/entities/benchmark_result.py and hardware.py of conbench/conbench, where numbers of a machine that a record does not
have are 0. A value of `data` is the median of one process. A run that failed has an `error`. The repository is that of
$CONBENCH_PROJECT_REPOSITORY, as for Conbench's own tools; without it, or with changes that are not committed, a result belongs to no commit.
"""

import os

from tools.results.formats import document as d
from tools.results.formats import trackers

NAME = "conbench"
TITLE = "results for a Conbench server, for export"
LOSSES = {
    **d.LOSSES,
    "samples (of them: the median of each process)": trackers.LOSSES["samples"],
    "runs that were not timed (left out)": d.untimed,
}
_REPOSITORY = "CONBENCH_PROJECT_REPOSITORY"
_UNKNOWN = ("cpu_l1d_cache_bytes", "cpu_l1i_cache_bytes", "cpu_l2_cache_bytes", "cpu_frequency_max_hz")


def _machine(record_):
    environment = record_.get("environment", {})
    gpu, cpus = environment.get("gpu_name"), int(environment.get("cpu_count", 0))
    return {
        "name": environment.get("node") or d.machine(record_) or "unknown",
        "architecture_name": "",
        "kernel_name": environment.get("kernel", ""),
        "os_name": environment.get("os", ""),
        "os_version": "",
        "cpu_model_name": environment.get("cpu_model", ""),
        **dict.fromkeys(_UNKNOWN, 0),
        "cpu_l3_cache_bytes": int(environment.get("cpu_cache_bytes", 0)),
        "cpu_core_count": cpus,
        "cpu_thread_count": cpus,
        "memory_bytes": int(environment.get("memory_bytes", 0)),
        "gpu_count": 1 if gpu else 0,
        "gpu_product_names": [gpu] if gpu else [],
    }


def _repository():
    name = os.environ.get(_REPOSITORY, "")
    return name if not name or "://" in name else "https://github.com/" + name


def rows_of(record_):
    case, environment = record_["benchmark_case"], record_.get("environment", {})
    settings = record_.get("configuration", {}).get("settings", {})
    run = record_.get("launch", {}).get("suite_run") or record_.get("started_utc") or "unknown"
    common = {
        "run_id": run,
        "batch_id": run,
        "run_reason": "assay",
        "timestamp": record_.get("started_utc") or d.utc(0),
        "machine_info": _machine(record_),
        "context": d.present({"torch_version": environment.get("torch_version"), "compiler": environment.get("compiler")}),
        "validation": {"type": "assay", "success": record_["outcome"] == "PASS", "outcome": record_["outcome"]},
    }
    if _repository() and environment.get("git_commit") and not environment.get("git_dirty"):
        common["github"] = {"repository": _repository(), "commit": environment["git_commit"]}
    tags = {"name": case["name"], "device": d.device(record_), **{k: str(v) for k, v in settings.items()}}
    wrong = {} if record_["outcome"] in trackers.KEPT else {"error": {"outcome": record_["outcome"], "message": d.message(record_)}}
    rows = []
    for m in [m for m in record_.get("measurements", ()) if m.get("median_ns")]:
        data = m.get("process_medians_ns") or [m["median_ns"]]
        stats = {"data": data, "unit": "ns", "times": [], "time_unit": "s", "iterations": len(data)}
        own = d.present({"mode": m.get("mode"), "step": m.get("step")})
        info = {"flagged": " ".join(trackers.flagged(m))}
        rows.append({**common, "tags": d.present({**tags, **own}), "info": d.present(info), "stats": stats, **wrong})
    return rows or ([{**common, "tags": d.present(tags), "info": {}, **wrong}] if wrong else [])


def render(parts):
    return "".join(d.dump(row) + "\n" for _, rows in parts for row in rows)
