"""llama-bench of llama.cpp, -o json and -o jsonl: an entry for each test of each model and setting.

A test is called as there: pp512 is a prompt of 512 tokens, tg128 the generation of 128, pp512+tg128 both; behind it stands what
differs from the defaults. A sample is the time of the whole test, a token what it completes: units_per_call / median is t/s.
Nothing says whether the tokens are right.
"""

import os
import re

from tools.results.formats import document as d

NAME = "llama_bench"
TITLE = "llama-bench of llama.cpp: -o json, -o jsonl"
group = d.each_row
_DEFAULTS = {  # as llama-bench's own table, which shows what differs
    "n_batch": ("b", (2048,)),
    "n_ubatch": ("ub", (512,)),
    "type_k": ("ctk", ("f16",)),
    "type_v": ("ctv", ("f16",)),
    "n_gpu_layers": ("ngl", (99, -1)),
    "split_mode": ("sm", ("layer",)),
    "main_gpu": ("mg", (0,)),
    "no_kv_offload": ("nkvo", (0, False)),
    "flash_attn": ("fa", (0, False, -1)),
    "tensor_split": ("ts", ("0", "0.00")),
    "n_cpu_moe": ("ncmoe", (0,)),
    "embeddings": ("embd", (0, False)),
}
_OLD_BACKENDS = ("cuda", "vulkan", "metal", "sycl", "opencl", "rpc", "kompute")  # flags before there was `backends`
_DTYPE = re.compile(r"\b(BF16|F16|F32)$")


def misses(look):
    first = d.entries(look.value)
    absent = [name for name in ("n_prompt", "n_gen", "avg_ns") if name not in first]
    return "its first entry has no %s" % ", ".join(map("`%s`".__mod__, absent)) if absent else ""


def parse(text):
    rows, problems = d.json_lines(text)
    return d.Document({}, rows, problems)


def _test(row):
    prompt, generated = int(row["n_prompt"]), int(row["n_gen"])
    words = (["pp%d" % prompt] if prompt else []) + (["tg%d" % generated] if generated else [])
    depth = ["d%d" % row["n_depth"]] if row.get("n_depth") else []
    others = ["%s=%s" % (short, row[k]) for k, (short, usual) in _DEFAULTS.items() if k in row and row[k] not in usual]
    return "/".join(["+".join(words), *depth, *others])


def _model(row):
    file = os.path.basename(str(row.get("model_filename") or "").replace("\\", "/"))
    return re.sub(r"\.gguf$", "", file) or str(row.get("model_type") or "")


def _backends(row):
    return str(row.get("backends") or ",".join(name for name in _OLD_BACKENDS if row.get(name))).lower() or "cpu"


def record(rows, _head, _source):
    row = rows[0][1]
    backends, tokens = _backends(row), int(row["n_prompt"]) + int(row["n_gen"])
    on_gpu = backends not in ("cpu", "blas") and row.get("n_gpu_layers") != 0
    device = ("cuda" if "cuda" in backends else backends.split(",")[0]) if on_gpu else "cpu"
    samples = row.get("samples_ns") or []
    measurement = d.measured(
        "wall", "generate" if row["n_gen"] else "prefill", samples, calls_per_sample="1", unit="token", units_per_call=tokens
    )
    if not samples and row["avg_ns"]:
        measurement.update(median_ns=float(row["avg_ns"]), mean_ns=float(row["avg_ns"]))
    started = d.seconds_of(row.get("test_time"))
    dtype = _DTYPE.search(str(row.get("model_type") or ""))
    return d.record(
        "%s/%s" % (_model(row), _test(row)),
        _model(row),
        None,
        "NOT_VERIFIED" if "median_ns" in measurement else "CRASH",
        dtype=d.DTYPES.get(dtype[1].lower().replace("f16", "fp16").replace("f32", "fp32").replace("bfp", "bf")) if dtype else None,
        mode="GENERATE",
        tags=d.tags(suite="llama_bench", backend="llama.cpp", device=None if device in d.DEVICES else device),
        device=d.DEVICES.get(device),
        error=None if "median_ns" in measurement else "no times",
        measurements=[measurement] if "median_ns" in measurement else None,
        started_utc=d.utc(started) if started else None,
        environment=d.present(
            {
                "cpu_model": str(row.get("cpu_info") or "").strip(),
                "threads": row.get("n_threads"),
                "gpu_name": str(row.get("gpu_info") or "").strip() if on_gpu else None,
                "git_commit": row.get("build_commit"),
            }
        ),
    )
