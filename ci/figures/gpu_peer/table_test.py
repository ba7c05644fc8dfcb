"""Every rule of the table on made-up figures: what it lets pass, and what it does not."""

import contextlib
import io
import json
import os
import tempfile
import unittest

from ci.figures.gpu_peer import table

_GPU = {"environment": {"device": "cuda", "gpu": "NVIDIA H100"}}


def record(mode="wall", ns=100e3, preset="", flags=(), name="a", step="forward", gpu="NVIDIA H100", device="CUDA", **fields):
    checks = [{"name": f, "status": "CHECK_FLAGGED"} for f in flags] + [{"name": "samples", "status": "CHECK_NOTED"}]
    measurement = {"mode": mode, "preset": preset, "step": step, "median_ns": ns, "mean_ns": 2 * ns, "checks": checks}
    environment = {"gpu_name": gpu}
    return dict(benchmark_case={"name": name}, device=device, environment=environment, measurements=[measurement], **fields)


def line(mode, how, ns=100e3, name="a", **fields):
    return {"workload": name, "step": "forward", "mode": mode, "how": how, "median_ns": ns, "mean_ns": 2 * ns, **fields}


GPU_BOUND = [line("hot", "events", 100e3), line("enqueue", "perf_counter", 30e3)]
LAUNCH_BOUND = [line("hot", "events", 100e3), line("enqueue", "perf_counter", 90e3)]


def row(records, lines):
    """The row of the first line."""
    return table.rows_of(records, [_GPU, *lines], {})[0]


class Rules(unittest.TestCase):
    def check(self, mode, how, beside, ours_to_verdict, theirs=100e3, **fields):
        our_mode, _ = table.RULES[mode, how]
        for ours, verdict in ours_to_verdict.items():
            given = record(our_mode, ours) if our_mode != "do_bench" else record("wall", ours, preset="do_bench")
            got = row([given], [line(mode, how, theirs, **fields), *beside])
            self.assertEqual(got.verdict, verdict, (ours, got))

    def test_wall_is_equal_where_the_gpu_is_what_takes_the_time(self):
        self.check("wall", "perf_counter", GPU_BOUND, {10.4e6: "look", 10.2e6: "ok", 9.8e6: "ok", 9.6e6: "look"}, theirs=10e6)
        self.check("wall", "perf_counter", GPU_BOUND, {160e3: "look", 140e3: "ok", 60e3: "ok", 40e3: "look"})

    def test_wall_is_lower_where_launches_take_the_time(self):
        self.check("wall", "perf_counter", LAUNCH_BOUND, {103e3: "look", 101e3: "ok", 20e3: "ok"})

    def test_wall_is_lower_on_a_device_without_a_queue(self):
        self.check("wall", "perf_counter", [], {103e3: "look", 101e3: "ok", 20e3: "ok"})

    def test_throughput(self):
        self.check("throughput", "blocked_autorange", GPU_BOUND, {103e3: "look", 101e3: "ok", 99e3: "ok", 97e3: "look"})
        self.check("throughput", "blocked_autorange", LAUNCH_BOUND, {103e3: "look", 30e3: "ok"})

    def test_enqueue(self):
        self.check("enqueue", "perf_counter", [], {101e3: "look", 99e3: "ok"})

    def test_hot(self):
        self.check("hot", "events", GPU_BOUND[1:], {101.5e3: "look", 100.5e3: "ok", 99.5e3: "ok", 98.5e3: "look"})
        self.check("hot", "events", LAUNCH_BOUND[1:], {103e3: "look", 30e3: "ok"})

    def test_cold_is_never_above_do_bench(self):
        self.check("cold", "do_bench", [], {103e3: "look", 101e3: "ok", 60e3: "ok"})
        self.check("cold", "do_bench", [], {90e3: "-"}, theirs=49e3)

    def test_the_preset_compares_means(self):
        self.check("do_bench", "do_bench", GPU_BOUND, {101.5e3: "look", 100.5e3: "ok", 99.5e3: "ok", 98.5e3: "look"})
        self.check("do_bench", "do_bench", LAUNCH_BOUND, {103e3: "look", 30e3: "ok"})
        got = row([record("wall", 100e3, preset="do_bench")], [line("do_bench", "do_bench")])
        self.assertEqual((got.ours, got.theirs), (200e3, 200e3))

    def test_graph(self):
        for how in ("do_bench_cudagraph", "replay"):
            self.check("graph", how, [], {101.5e3: "look", 100.5e3: "ok", 99.5e3: "ok", 98.5e3: "look"})

    def test_cold_is_one_to_three_microseconds_above_one_kernel(self):
        self.check("kernels", "profiler", [], {14e3: "look", 12.5e3: "ok", 11.2e3: "ok", 10.5e3: "look"}, theirs=10e3, kernels=1)
        self.check("kernels", "profiler", [], {30e3: "-"}, theirs=10e3, kernels=4)

    def test_the_difference_to_the_kernel_is_constant(self):
        for other, verdict in ((31.3e3, "ok"), (33.8e3, "look")):
            lines = [_GPU, line("kernels", "profiler", 10e3, kernels=1), line("kernels", "profiler", 30e3, name="b", kernels=1)]
            rows = table.rows_of([record("cold", 11.5e3), record("cold", other, name="b")], lines, {})
            self.assertEqual([r.verdict for r in rows if r.workload.startswith("all")], [verdict])

    def test_nvbench(self):
        self.check("cold", "nvbench", [], {103e3: "look", 101e3: "ok", 99e3: "ok", 97e3: "look"})
        self.check("hot", "nvbench batch", GPU_BOUND, {103e3: "look", 101e3: "ok", 99e3: "ok", 97e3: "look"})
        properties = {"empty_kernel_ns": "4100"}
        for theirs, verdict in ((3e3, "ok"), (2e3, "look")):
            (got,) = table.rows_of([], [_GPU, line("cold", "nvbench", theirs, name="empty_kernel")], properties)
            self.assertEqual(got.verdict, verdict)

    def test_errors_have_the_same_size(self):
        def verdict(ours, theirs, values="exported", output="logits"):
            given = record(verdict={"outputs": [{"name": output, "rms_error": ours}]})
            return row([given], [line("error", "float64", rms_error=theirs, output=output, values=values)]).verdict

        self.assertEqual([verdict(e, 1e-6) for e in (2.1e-6, 1.9e-6, 0.6e-6, 0.4e-6)], ["look", "ok", "ok", "look"])
        self.assertEqual([verdict(9e-6, 1e-6, "drawn"), verdict(9e-6, 1e-6, "drawn", "result")], ["-", "look"])
        self.assertEqual([verdict(0.0, 0.0), verdict(1e-7, 0.0), verdict(0.0, 1e-7)], ["ok", "look", "look"])

    def test_peaks(self):
        def verdict(ours, probe):
            given = record(peaks=[{"name": "compute", "dtype": "BF16", "per_s": ours, "probe": probe}])
            return row([given], [line("peak", "events", peak="compute", dtype="BF16", per_s=100.0)]).verdict

        self.assertEqual([verdict(p, "mm 8192 x 8192 x 8192") for p in (104, 102, 98, 96)], ["look", "ok", "ok", "look"])
        self.assertEqual([verdict(p, "mm 4096 x 4096 x 4096") for p in (104, 102, 98, 96)], ["ok", "ok", "ok", "look"])

    def test_every_rule_is_proven_here(self):
        with open(__file__, encoding="utf-8") as file:
            text = file.read()
        unproven = [key for key in table.RULES if '"%s", "%s"' % key not in text and key[0] not in ("graph", "peak")]
        self.assertEqual(unproven, [])


class Rows(unittest.TestCase):
    def test_flagged_samples_are_not_judged_but_for_launch_bound(self):
        wall = [line("wall", "perf_counter"), *LAUNCH_BOUND]
        got = row([record(flags=["steady"])], wall)
        self.assertEqual((got.verdict, got.note, got.ratio), ("-", "FLAGGED steady", 1.0))
        self.assertEqual(row([record(flags=["launch_bound"])], wall).verdict, "ok")

    def test_what_has_no_figure_says_why(self):
        self.assertEqual(row([], [line("wall", "perf_counter")])[-2:], ("-", "no record of it"))
        failed = {"workload": "a", "step": "forward", "mode": "graph", "error": "it waits"}
        self.assertEqual(row([record()], [failed])[-2:], ("-", "it waits"))

    def test_of_several_records_the_median_is_taken(self):
        self.assertEqual(row([record(ns=ns) for ns in (90e3, 500e3, 100e3)], [line("wall", "perf_counter")]).ours, 100e3)

    def test_records_of_another_device_are_left_out_and_another_gpu_is_refused(self):
        lines = [line("wall", "perf_counter")]
        self.assertEqual(row([record(device="CPU", gpu="")], lines).note, "no record of it")
        with self.assertRaisesRegex(table.NoComparison, "of NVIDIA H200, the peers of NVIDIA H100"):
            row([record(gpu="NVIDIA H200")], lines)


class Program(unittest.TestCase):
    def run_table(self, records, lines, *flags):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("records", "peers", "table")]
            for path, content in zip(paths, (records, lines)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("".join(json.dumps(c) + "\n" for c in content))
            out, err = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = table.main(["--records=" + paths[0], "--peers=" + paths[1], "--json=" + paths[2], *flags])
            rows = None
            if os.path.exists(paths[2]):
                with open(paths[2], encoding="utf-8") as file:
                    rows = json.load(file)
        return code, out.getvalue(), err.getvalue(), rows

    def test_the_exit_code_follows_from_the_rows(self):
        wall = line("wall", "perf_counter")
        code, text, _, rows = self.run_table([record(ns=90e3)], [_GPU, wall])
        self.assertEqual((code, rows[0]["verdict"], rows[0]["ratio"]), (0, "ok", 0.9))
        self.assertRegex(text, r"a +wall +90\.00 µs +100\.00 µs +0\.900  ok +perf_counter +at most \+2 %")
        self.assertEqual(self.run_table([record(ns=190e3)], [_GPU, wall])[0], 1)
        code, _, error, _ = self.run_table([], [_GPU, wall])
        self.assertEqual(code, 2)
        self.assertIn("nothing to compare", error)
        self.assertEqual(self.run_table([record(gpu="NVIDIA H200")], [_GPU, wall])[0], 3)
        self.assertEqual(self.run_table([record()], [wall])[0], 3)

    def test_a_file_that_is_not_there_is_the_surroundings(self):
        self.assertEqual(self.run_table([record()], [_GPU], "--properties=/nowhere/x.json")[0], 2)


if __name__ == "__main__":
    unittest.main()
