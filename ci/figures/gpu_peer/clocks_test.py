"""Each clock on a device whose time is made up: what it reads of a call of known cost, and what it leaves out."""

import unittest

from ci.figures.gpu_peer import clocks, nvbench_peer, table


class FakeGpu:
    """A host and a queue: a call takes host_s to queue and device_s to run."""

    graphs = True

    def __init__(self, host_s, device_s):
        self.host_s, self.device_s, self.time, self.idle_from, self.flushes = host_s, device_s, 0.0, 0.0, 0

    def now(self):
        return self.time

    def call(self):
        self.time += self.host_s
        self.idle_from = max(self.idle_from, self.time) + self.device_s

    def synchronize(self):
        self.time = max(self.time, self.idle_from) + 1e-6

    def event_ns(self, calls):
        before = max(self.idle_from, self.time)
        calls()
        taken = max(self.idle_from, self.time) - before
        self.synchronize()
        return 1e9 * taken


class Clocks(unittest.TestCase):
    def median(self, clock, host_s, device_s):
        gpu = FakeGpu(host_s, device_s)
        (figure,) = clock(gpu.call, gpu, 0.05)
        self.assertGreaterEqual(figure["samples"], 6)
        self.assertAlmostEqual(figure["median_ns"], figure["mean_ns"], delta=0.1 * figure["mean_ns"])
        self.assertIn((figure["mode"], figure["how"]), table.RULES)
        return figure["median_ns"] / 1e3

    def test_wall_has_queueing_running_and_waiting(self):
        self.assertAlmostEqual(self.median(clocks.wall, 10e-6, 100e-6), 111, delta=0.01)

    def test_enqueue_leaves_the_device_out(self):
        self.assertAlmostEqual(self.median(clocks.enqueue, 10e-6, 100e-6), 10, delta=0.01)

    def test_hot_is_the_longer_of_queueing_and_running(self):
        self.assertAlmostEqual(self.median(clocks.hot, 10e-6, 100e-6), 100, delta=1)
        self.assertAlmostEqual(self.median(clocks.hot, 30e-6, 5e-6), 30, delta=1)

    def test_a_chunk_fills_a_millisecond_and_has_twenty_calls_that_fit_into_twenty(self):
        of_call_us = {1: 1000, 100: 20, 900: 20, 4_000: 5, 30_000: 1}
        for call_us, calls in of_call_us.items():
            self.assertEqual(clocks.chunk_calls(1e3 * call_us), calls, call_us)

    def test_slow_calls_end_after_four_times_the_seconds(self):
        gpu = FakeGpu(0, 1.0)
        (figure,) = clocks.wall(gpu.call, gpu, 0.05)
        self.assertEqual(figure["samples"], 2)

    def test_a_cpu_has_no_modes_of_a_queue(self):
        self.assertEqual(list(clocks.modes(clocks.Cpu(), "forward")), ["wall", "throughput"])
        self.assertEqual(list(clocks.modes(clocks.Cpu(), "generate")), ["wall"])
        self.assertEqual(clocks.modes(FakeGpu(0, 0), "forward"), clocks.ON_A_GPU)


def _kernel(name, at, dur, cat="kernel"):
    return {"name": name, "cat": cat, "ts": at, "dur": dur}


class Kernels(unittest.TestCase):
    def test_flushes_are_left_out_and_the_only_kernel_has_a_median(self):
        events = [_kernel("xor", t, 90.0) for t in (0, 100, 300, 500)]
        events += [_kernel("add", t + 95, d) for t, d in ((100, 7.0), (300, 8.0), (500, 30.0))]
        events += [{"name": "cudaLaunchKernel", "cat": "cuda_runtime", "ts": 1, "dur": 5.0}, {"name": "a mark", "ts": 1}]
        figure = clocks.kernel_figure(events[::-1], calls=3)
        self.assertEqual((figure["kernels"], figure["median_ns"]), (1, 8000))

    def test_several_kernels_of_a_call_are_summed(self):
        events = [_kernel("xor", 0, 90.0)]
        for at, duration in ((100, 7.0), (120, 9.0)):
            events += [_kernel("mm", at, duration), _kernel("Memset", at + 10, 1.0, "gpu_memset")]
        figure = clocks.kernel_figure(events, calls=2)
        self.assertEqual((figure["kernels"], figure["median_ns"]), (2, 9000))

    def test_a_trace_without_kernels_is_refused(self):
        with self.assertRaisesRegex(RuntimeError, "saw no kernel"):
            clocks.kernel_figure([{"name": "cudaLaunchKernel", "cat": "cuda_runtime", "ts": 1, "dur": 5.0}], calls=1)


class State:
    """As cuda.bench.results has it."""

    def __init__(self, samples=None, skipped="", batch=None):
        self.samples, self.is_skipped, self.skip_reason = samples, bool(skipped), skipped
        self.summaries = {"nv/batch/time/gpu/mean": type("Summary", (), {"value": batch})} if batch else {}


class Nvbench(unittest.TestCase):
    def test_samples_are_cold_and_the_batch_is_hot(self):
        cold, hot = nvbench_peer.state_lines("add", State([2e-6, 3e-6, 9e-6], batch=1.5e-6))
        self.assertEqual([(line["mode"], round(line["median_ns"])) for line in (cold, hot)], [("cold", 3000), ("hot", 1500)])
        self.assertLessEqual({(line["mode"], line["how"]) for line in (cold, hot)}, set(table.RULES))

    def test_a_skipped_state_says_why(self):
        self.assertEqual([line["error"] for line in nvbench_peer.state_lines("add", State(skipped="no memory"))], ["no memory"])
        self.assertEqual([line["error"] for line in nvbench_peer.state_lines("add", State())], ["nvbench took no sample"])


if __name__ == "__main__":
    unittest.main()
