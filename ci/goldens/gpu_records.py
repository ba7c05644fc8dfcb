"""Rewrites benchmarks/harness/record/testdata/simulated_gpu.jsonl: tools/bazel run //ci/goldens:gpu_records_update

Records of GPU runs, for tests of what reads records. The runner makes them, on the simulated cards of
benchmarks/harness/simulated_gpu: outcomes, errors and fields are those of a real run; times are made up, and the same in each run.
Values that depend on the machine that ran this are replaced by fixed ones. Peaks are written by hand: measuring them would have the CPU
compute what only a GPU can in time. Run it after a change of what the runner records, and read the diff.

A real GPU would add more, which is in no record here: throttling and temperatures that change (environment.facts_after), a checked driver.
"""

import json
import os
import subprocess
import sys
import tempfile

GOLDENS = "benchmarks/harness/record/testdata/simulated_gpu.jsonl"
PLUGIN = "benchmarks/harness/simulated_gpu/libsimulated_gpu.so"
_ALL_MODES = "--modes=wall,throughput,cold,hot,graph,enqueue"
# Card, program of the case, flags.
RUNS = (
    ("H100", "benchmarks/mlp/mlp_fp32_b64", (_ALL_MODES,)),
    ("H100", "benchmarks/mlp/mlp_bf16_b64", ()),
    ("H100", "benchmarks/mlp/mlp_fp32_b8_train", ("--modes=wall,cold",)),
    ("H100", "benchmarks/gpt2/gpt2_tiny_fp32_b1_s64_gen16", ("--modes=wall,cold",)),
    ("H100", "benchmarks/operators/mm_fp32_m256_k256_n256", ()),
    ("H200", "benchmarks/mlp/mlp_fp32_b64", ()),
    ("H200", "benchmarks/mlp/mlp_bf16_b64", ()),
)
# Operations and bytes a second. Three quarters of what the cards' data sheets say.
_PEAKS = {
    "H100": {"FP32": 50e12, "BF16": 740e12, "memory": 2.5e12},
    "H200": {"FP32": 50e12, "BF16": 740e12, "memory": 3.6e12},
}
_HOST = {
    "cpu_model": "Simulated Host",
    "cpu_count": 16,
    "threads": 8,
    "load_1m": 0.1,
    "memory_bytes": str(128 << 30),
    "memory_available_bytes": str(120 << 30),
    "kernel": "6.1.0",
    "os": "Debian GNU/Linux 12 (bookworm)",
    "cpu_capability": "AVX2",
    "cpu_cache_bytes": str(32 << 20),
    "git_commit": "0123456789abcdef0123456789abcdef01234567",
    "compiler": "gcc 12.2.0",
    "governor": "performance",
    "variables": {"allocator": "retain"},
}


def run(card, program, *flags):
    """The output of the program."""
    words = ["--device=cuda", "--cuda-plugin=" + os.path.abspath(PLUGIN), "--budget=0.005", *flags]
    # Its own clock does not see how long the CPU takes; threads that wait for each other on a busy machine take a minute.
    runfiles = os.environ.get("TEST_SRCDIR", os.path.dirname(os.getcwd()))
    environment = {**os.environ, "ASSAY_SIMULATED_GPU": card, "OMP_NUM_THREADS": "1", "RUNFILES_DIR": runfiles}
    return subprocess.run([os.path.abspath(program), *words], check=True, stdout=subprocess.PIPE, env=environment).stdout.decode()


def made(card, program, flags, folder):
    """The record of one run, as the runner wrote it."""
    path = os.path.join(folder, "record.jsonl")
    run(card, program, *flags, "--record=" + path)
    with open(path, encoding="utf-8") as f:
        return json.loads(f.read())


def _peaks(card, record):
    dtype = record["benchmark_case"]["dtype"]
    named = (("compute", dtype, dtype), ("stream", "FP32", "memory"), ("read", "FP32", "memory"))
    return [
        {
            "name": name,
            "dtype": of,
            "per_s": _PEAKS[card][key],
            "ci_low_per_s": 0.99 * _PEAKS[card][key],
            "ci_high_per_s": 1.01 * _PEAKS[card][key],
            "probe": "written by hand",
        }
        for name, of, key in named
    ]


def normalised(record, card, number):
    """Without what depends on the machine, and with peaks."""
    environment = {**record["environment"], **_HOST}
    for name in ("facts_after", "git_dirty"):
        environment.pop(name, None)
    environment["noise"] = [sentence for sentence in environment["noise"] if sentence.startswith("gpu")]
    environment["facts"] = [fact for fact in environment["facts"] if fact["name"].startswith("gpu")]
    own = [flag for flag in record["flags"] if not flag.startswith("--record=")]
    started = "2026-01-%02dT12:%02d:00+00:00" % (5, number)
    fixed = {"environment": environment, "flags": own, "started_utc": started, "duration_s": 2.5, "starts_s": [1.25], "weights_s": 0.5}
    record = {**record, **fixed, "peaks": _peaks(card, record)}
    record.pop("load_s", None)  # of eager: some microseconds
    record["verdict"]["first_call_s"] = 0.25
    return record


def records(runs=RUNS):
    with tempfile.TemporaryDirectory() as folder:
        for number, (card, program, flags) in enumerate(runs):
            inner = os.path.join(folder, str(number))
            os.mkdir(inner)
            yield normalised(made(card, program, flags, inner), card, number)


def main():
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        sys.exit("start it with: tools/bazel run //ci/goldens:gpu_records_update")
    lines = [json.dumps(record, separators=(",", ":"), ensure_ascii=False, sort_keys=True) + "\n" for record in records()]
    with open(os.path.join(workspace, GOLDENS), "w", encoding="utf-8") as f:
        f.writelines(lines)
    print("%s: %d records" % (GOLDENS, len(lines)))


if __name__ == "__main__":
    main()
