"""Holds every figure that a runner prints against a hand count or against the record of the same run.

One case of each kind of program and each of its steps is measured, from the command line to Google Benchmark's table, its JSON and
the record:

- bytes, operations, units and memory of a call are those of a count by hand, which is written out below;
- medians, percentiles and means of the record are those of its samples;
- what the table and the JSON show is computed from the record once more.

No time is judged: whatever the machine does meanwhile, these figures belong together.
Arguments: the programs of the cases.
"""

import concurrent.futures
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
import unittest

_FP32, _INT64 = 4, 8

# ---------------------------------------------------------------------------------------------
# Counts by hand. A multiply-add is two operations. Bytes are those of memory that was there before the call and is read or
# written, each once, and of what the call leaves behind (benchmarks/harness/costs/byte_count.h).


def _mm(m, k, n):
    a, b, product = _FP32 * m * k, _FP32 * k * n, _FP32 * m * n
    return {
        "forward": {"bytes": a + b + product, "flops": 2 * m * k * n},
        "backward": {"bytes": product + 2 * (a + b), "flops": 4 * m * k * n},  # reads both, writes the gradient of each
    }


def _conv2d(b, i, o, h, w):
    image, weight, bias, result = b * i * h * w, o * i * 9, o, b * o * h * w
    # Padded by one: at the rims one of the three taps multiplies zeros.
    taps, inside = 9 * h * w, (3 * h - 2) * (3 * w - 2)
    return {
        "forward": {
            "bytes": _FP32 * (image + weight + bias + result),
            "flops": 2 * b * o * i * taps,
            "padding_flops": 2 * b * o * i * (taps - inside),
        }
    }


_IN, _HIDDEN, _OUT = 32, 512, 32  # of the mlp
_MLP_WEIGHTS = (_IN * _HIDDEN, _HIDDEN * _HIDDEN, _HIDDEN * _OUT)
_MLP_PARAMETERS = _FP32 * (sum(_MLP_WEIGHTS) + _HIDDEN + _HIDDEN + _OUT)


def _mlp(rows):
    """Three linear layers; between them ReLU in place, at the end a softmax."""
    return {
        "forward": {
            "bytes": _MLP_PARAMETERS + _FP32 * rows * (_IN + _OUT),
            "flops": 2 * rows * sum(_MLP_WEIGHTS),
            "units": rows,
        }
    }


def _mlp_training(rows):
    image, labels, hidden, probabilities = _FP32 * rows * _IN, _INT64 * rows, 2 * _FP32 * rows * _HIDDEN, _FP32 * rows * _OUT
    chosen, loss = _FP32 * rows, _FP32  # the loss is the mean of -log(the probability of the label)
    saved = hidden + probabilities + chosen
    forward = 2 * rows * sum(_MLP_WEIGHTS)
    backward = 2 * forward - 2 * rows * _MLP_WEIGHTS[0]  # the input has no gradient
    return {
        "forward": {"bytes": _MLP_PARAMETERS + image + labels + saved + loss, "flops": forward, "units": rows},
        # Reads what was saved and the weights that a gradient goes through, which are all but the first.
        "backward": {
            "bytes": _FP32 * sum(_MLP_WEIGHTS[1:]) + image + labels + saved + _MLP_PARAMETERS,
            "flops": backward,
            "units": rows,
        },
        # Reads parameters, momentum and gradients, and writes the first two.
        "optimizer": {"bytes": 5 * _MLP_PARAMETERS},
        # Reads and writes parameters and momentum; leaves gradients, probabilities and the loss.
        "train_step": {
            "bytes": 5 * _MLP_PARAMETERS + image + labels + probabilities + loss,
            "flops": forward + backward,
            "units": rows,
        },
    }


_FEATURES, _BLOCKS, _WORDS, _POSITIONS = 128, 2, 1024, 1024  # of gpt2_tiny
_BLOCK_WEIGHTS = 12 * _FEATURES**2  # 3 for query, key and value, 1 behind them, 4 and 4
_BLOCK_PARAMETERS = _BLOCK_WEIGHTS + 9 * _FEATURES + 4 * _FEATURES  # their biases; two norms
_GPT2_PARAMETERS = (_WORDS + _POSITIONS) * _FEATURES + _BLOCKS * _BLOCK_PARAMETERS + 2 * _FEATURES


def _gpt2_flops(rows, tokens, seen):
    """FLOPs of `tokens` of each row that look at `seen`, and of the scores of the last one."""
    blocks = _BLOCKS * (2 * rows * tokens * _BLOCK_WEIGHTS + 4 * rows * tokens * seen * _FEATURES)
    return blocks + 2 * rows * _FEATURES * _WORDS


def _gpt2_generation(rows, prompt, new):
    # The words' embeddings are the weights of the scores, too, so that all of them are read.
    read = _FP32 * (_GPT2_PARAMETERS - _POSITIONS * _FEATURES)
    position = _FP32 * _FEATURES
    kept = _FP32 * 2 * _BLOCKS * rows * _FEATURES  # keys and values of one token of each row
    logits = _FP32 * rows * _WORDS
    last = prompt + new - 1  # tokens in a full cache: the last new one is never fed
    return {
        # The cache was there before: what is written to it and read again counts twice.
        "prefill": {
            "bytes": read + prompt * position + _INT64 * rows * prompt + 2 * prompt * kept + logits,
            "flops": _gpt2_flops(rows, prompt, prompt),
            "units": rows * prompt,
        },
        "decode": {
            "bytes": read + position + _INT64 * rows + last * kept + kept + logits,
            "flops": _gpt2_flops(rows, 1, last),
            "units": rows,
        },
        "generate": {
            "bytes": read + last * position + _INT64 * rows * (prompt + new) + 2 * last * kept + logits,
            "flops": _gpt2_flops(rows, prompt, prompt) + sum(_gpt2_flops(rows, 1, seen) for seen in range(prompt + 1, last + 1)),
            "units": rows * new,
        },
    }


_COUNTS = {
    "relu_fp32_r64_c256": {"forward": {"bytes": 2 * _FP32 * 64 * 256}},
    "mm_fp32_m256_k256_n256": {"forward": _mm(256, 256, 256)["forward"]},
    "mm_fp32_m256_k256_n256_backward": _mm(256, 256, 256),
    "conv2d_fp32_b2_i16_o24_h14_w14": _conv2d(2, 16, 24, 14, 14),
    "mlp_fp32_b8": _mlp(8),
    "mlp_fp32_b8_train": _mlp_training(8),
    "gpt2_tiny_fp32_b8_s64_gen16": _gpt2_generation(8, 64, 16),
}

_MEMORY = {
    "mlp_fp32_b8": {"parameter_bytes": _MLP_PARAMETERS},
    "mlp_fp32_b8_train": {
        "parameter_bytes": _MLP_PARAMETERS,
        "gradient_bytes": _MLP_PARAMETERS,
        "optimizer_bytes": _MLP_PARAMETERS,  # momentum
        "saved_activation_bytes": 2 * _FP32 * 8 * _HIDDEN + _FP32 * 8 * _OUT + _FP32 * 8 + _FP32,
    },
    "gpt2_tiny_fp32_b8_s64_gen16": {
        "parameter_bytes": _FP32 * _GPT2_PARAMETERS,
        "cache_bytes": _FP32 * 2 * _BLOCKS * 8 * _FEATURES * (64 + 15),
    },
}

_AFTERWARDS = ("timed_is_verified", "tensors_freed", "weights_kept")  # checks that are made when the table is printed
_TRAINED = ["forward", "backward", "optimizer", "train_step"]
_STEPS = {"mlp_fp32_b8_train": _TRAINED, "gpt2_tiny_fp32_b8_s64_gen16": ["prefill", "decode", "generate"]}
_NS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
_BYTES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}


def _quantile(samples, share):
    """By linear interpolation between order statistics, as NumPy has it."""
    ordered = sorted(samples)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


class _Run:
    """A case measured once: its record, Google Benchmark's JSON, and what was printed."""

    def __init__(self, program):
        self.name = os.path.basename(program)
        folder = tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR"))
        files = [os.path.join(folder, name) for name in ("run.jsonl", "table.json")]
        steps = ["forward"] if self.name not in _STEPS else _STEPS[self.name]
        steps = ["forward", "backward"] if self.name.endswith("_backward") else steps
        # Chunks of calls where the step can be called many times in a row.
        modes = "wall" if "backward" in steps else "wall,throughput"
        words = ["--steps=" + ",".join(steps), "--modes=" + modes, "--budget=0.05", "--threads=2", "--record=" + files[0]]
        words += ["--benchmark_out=" + files[1], "--benchmark_out_format=json"]
        environment = {k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"}
        done = subprocess.run([os.path.abspath(program)] + words, capture_output=True, text=True, env=environment, check=False)
        if done.returncode != 0:
            raise AssertionError("%s: exit code %d\n%s%s" % (self.name, done.returncode, done.stdout, done.stderr))
        self.printed = done.stdout
        with open(files[0], encoding="utf-8") as f:
            self.record = json.load(f)
        with open(files[1], encoding="utf-8") as f:
            self.table = {row["name"]: row for row in json.load(f)["benchmarks"]}
        self.steps = steps

    def rows(self):
        """(name in the table, measurement) of each."""
        for m in self.record["measurements"]:
            yield "/".join([self.name, m["mode"]] + ([m["step"]] if m["step"] != "forward" else [])), m

    def line(self, head):
        found = re.search("^%s +(.*)$" % head, self.printed, re.MULTILINE)
        return found.group(1) if found else ""


def _expected_counters(name, m):
    """The counters that the table must show beside time and CPU, in units of one call."""
    median, counters = m["median_ns"], {}
    if m.get("units_per_call"):
        counters[m["unit"] + "s/s"] = m["units_per_call"] / (median * 1e-9)
    if m.get("flops_per_call"):
        counters["GFLOP/s"] = m["flops_per_call"] / median
    is_operator = not name.startswith(("mlp", "gpt2"))
    if is_operator or m["step"] == "decode":
        counters["GB/s"] = m["bytes_per_call"] / median
    if m.get("ci_high_ns"):
        counters["ci%"] = 100 * (m["ci_high_ns"] - m["ci_low_ns"]) / 2 / median
    for key in ("p10", "p90"):
        if m.get(key + "_ns"):
            counters[key] = m[key + "_ns"]
    return counters


def _rounded_by(value, half_width):
    """How far the printed figure may be from `value`: half of its last digit, which is of the size of the interval's half width."""
    if half_width == 0:
        return 5e-4 * value  # four digits
    first = math.floor(math.log10(value))
    return 0.5 * 10 ** min(max(math.floor(math.log10(value * half_width)), first - 5), first - 1)


class PrintedFiguresTest(unittest.TestCase):
    runs = []

    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cls.runs = list(pool.map(_Run, PROGRAMS))

    def each(self):
        return [(run, name, m) for run in self.runs for name, m in run.rows()]

    def test_every_case_and_step_is_measured(self):
        self.assertEqual({run.name for run in self.runs}, set(_COUNTS))
        for run in self.runs:
            self.assertEqual({m["step"] for _, m in run.rows()}, set(_COUNTS[run.name]))

    def test_bytes_operations_and_units_are_those_of_a_count_by_hand(self):
        for run, name, m in self.each():
            count = _COUNTS[run.name][m["step"]]
            for key in ("bytes", "flops", "padding_flops", "units"):
                with self.subTest(name, figure=key):
                    self.assertEqual(m.get(key + "_per_call", 0), count.get(key, 0))

    def test_memory_is_that_of_a_count_by_hand_and_is_printed(self):
        for run in self.runs:
            memory, line = run.record["memory"], run.line("memory")
            for key, want in _MEMORY.get(run.name, {}).items():
                self.assertEqual(int(memory.get(key, 0)), want, run.name + " " + key)
            shown = {words.strip(): value for words, value in self.amounts(line)}
            state = {
                "parameters": "parameter_bytes",
                "buffers": "buffer_bytes",
                "cache": "cache_bytes",
                "gradients": "gradient_bytes",
                "optimizer": "optimizer_bytes",
                "saved activations": "saved_activation_bytes",
                "peak of the process:": "peak_host_bytes",
            }
            want = {words: int(memory[key]) for words, key in state.items() if int(memory.get(key, 0)) > 0}
            for step in memory["steps"]:
                want[step["step"]] = int(step.get("peak_bytes", 0))
            first = memory["steps"][0]["step"]
            want["peak of a call: " + first] = want.pop(first)
            self.assertEqual(set(shown), set(want), line)
            for words, value in want.items():
                self.assertLessEqual(abs(shown[words] - value), 0.006 * value, "%s: %s in %s" % (run.name, words, line))

    @staticmethod
    def amounts(line):
        for part in re.split("[,;] ", line):
            words, number, unit = re.fullmatch(r"(.*?) ([0-9.]+) (B|KiB|MiB|GiB)", part).groups()
            yield words, float(number) * _BYTES[unit]

    def test_figures_of_the_record_are_those_of_its_samples(self):
        for _, name, m in self.each():
            samples = m["samples_ns"]
            self.assertAlmostEqual(m["median_ns"], statistics.median(samples), delta=1e-9 * m["median_ns"], msg=name)
            self.assertAlmostEqual(m["mean_ns"], statistics.fmean(samples), delta=1e-9 * m["mean_ns"], msg=name)
            self.assertEqual(m["minimum_ns"], min(samples), name)
            for key, share, fewest in (("p10_ns", 0.1, 29), ("p90_ns", 0.9, 29), ("p99_ns", 0.99, 299)):
                want = _quantile(samples, share) if len(samples) >= fewest else 0
                self.assertAlmostEqual(m.get(key, 0), want, delta=1e-9 * want, msg=name + " " + key)
            if "ci_low_ns" in m:
                self.assertLessEqual(m["ci_low_ns"], m["median_ns"])
                self.assertLessEqual(m["median_ns"], m["ci_high_ns"])

    def test_cpu_time_is_of_one_call(self):
        for run, name, m in self.each():
            calls = len(m["samples_ns"]) * int(m["calls_per_sample"])
            cpus = run.record["environment"]["cpu_count"]
            # No process takes more than all CPUs; a tick of the kernel's clock may come late.
            self.assertLessEqual(m["cpu_ns"] * calls, 1.05 * int(cpus) * 1e9 * m["elapsed_s"] + 2e7, name)
            self.assertGreater(m["cpu_ns"], 0, name)

    def test_the_table_as_json_is_computed_from_the_record(self):
        seen = set()
        for run, name, m in self.each():
            row = dict(run.table[name])
            unit = _NS[row["time_unit"]]
            self.assertEqual(row["iterations"], len(m["samples_ns"]), name)
            shown = {key: row[key] for key in row if "/s" in key or key in ("ci%", "p10", "p90", "p99", "mean")}
            shown.update({key: shown[key] * unit for key in ("p10", "p90") if key in shown})
            shown.update({"time": row["real_time"] * unit, "cpu": row["cpu_time"] * unit})
            want = {**_expected_counters(run.name, m), "time": m["median_ns"], "cpu": m["cpu_ns"]}
            self.assertEqual(set(shown), set(want), name)
            for key, value in want.items():
                self.assertAlmostEqual(shown[key], value, delta=1e-9 * value, msg=name + " " + key)
            seen |= set(shown)
            flagged = ", ".join(c["name"] for c in m["checks"] if c["status"] == "CHECK_FLAGGED" and c["name"] not in _AFTERWARDS)
            self.assertEqual(row.get("label", ""), "FLAGGED: " + flagged if flagged else "", name)
        self.assertEqual(set().union(*(set(run.table) for run in self.runs)), {name for _, name, _ in self.each()})
        self.assertEqual(seen, {"time", "cpu", "GFLOP/s", "GB/s", "rows/s", "tokens/s", "ci%", "p10", "p90"})

    def test_the_printed_table_is_the_json(self):
        for run, name, _ in self.each():
            row = run.table[name]
            line = run.line(re.escape(name))
            found = re.match(r"([0-9.]+) ([a-z]+) +([0-9.]+) ([a-z]+) +([0-9]+)(.*)$", line)
            self.assertIsNotNone(found, line)
            time, time_unit, cpu, cpu_unit, iterations, counters = found.groups()
            self.assertEqual((time_unit, cpu_unit, int(iterations)), (row["time_unit"], row["time_unit"], row["iterations"]))
            # Three digits, and none behind the point from a hundred on.
            self.assertLessEqual(abs(float(time) - row["real_time"]), 0.0051 * row["real_time"], line)
            self.assertLessEqual(abs(float(cpu) - row["cpu_time"]), 0.0051 * row["cpu_time"], line)
            shown = re.findall(r"(\S+?)=([0-9.]+(?:e[+-]?[0-9]+)?)(?: |$)", counters)
            want = {key: row[key] for key in row if "/s" in key or key in ("ci%", "p10", "p90")}
            self.assertEqual({key for key, _ in shown}, set(want))
            for key, number in shown:
                known = 0.05 * want[key] if key == "ci%" else _rounded_by(want[key], row.get("ci%", 0) / 100)
                self.assertLessEqual(abs(float(number) - want[key]), 1.01 * known, key + " of " + line)

    def test_the_lines_of_a_generation_are_computed_from_the_record(self):
        run = next(run for run in self.runs if "_gen" in run.name)
        wall = {m["step"]: m for _, m in run.rows() if m["mode"] == "wall"}
        line = run.line("generation")
        rates = {key: float(value) for key, value in re.findall(r"(prompt|new ones|both) ([0-9.e+]+)", line)}
        units = {key: m["units_per_call"] for key, m in wall.items()}
        want = {
            "prompt": units["prefill"] / wall["prefill"]["median_ns"],
            "new ones": units["decode"] / wall["decode"]["median_ns"],
            "both": (units["prefill"] + units["generate"]) / wall["generate"]["median_ns"],
        }
        self.assertEqual(set(rates), set(want))
        for key, per_ns in want.items():
            self.assertLessEqual(abs(rates[key] - 1e9 * per_ns), 0.0051 * 1e9 * per_ns, line)
        moved = re.fullmatch(r"decode moves (.*) at least: ([0-9.e+]+) GB/s", run.line("bandwidth"))
        count = _COUNTS[run.name]["decode"]["bytes"]
        self.assertLessEqual(abs(dict(self.amounts("x " + moved.group(1)))["x"] - count), 0.006 * count)
        per_ns = count / wall["decode"]["median_ns"]
        self.assertLessEqual(abs(float(moved.group(2)) - per_ns), 0.0051 * per_ns)


if __name__ == "__main__":
    PROGRAMS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
