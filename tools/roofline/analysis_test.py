"""Rows, bounds, shares and their reasons, on records made up here."""

import copy
import math
import unittest

from tools.roofline import analysis
from tools.roofline.analysis import COMPUTE, LAUNCH, MEMORY, UNKNOWN, Input, Selection

_COMPUTE, _STREAM = 100e9, 10e9  # the ridge is at 10 operations a byte
_NO_REASON = "above the roof, no reason found"
_MIB = 1 << 20


def record_of(name, dtype="FP32"):
    return {
        "benchmark_case": {"name": name, "dtype": dtype},
        "device": "CPU",
        "outcome": "PASS",
        "environment": {"cpu_model": "Model T", "threads": 2},
        "measurements": [],
    }


def measure(record, ms, flops, moved, mode="wall", step="forward"):
    m = {"mode": mode, "step": step, "median_ns": 1e6 * ms, "flops_per_call": flops, "bytes_per_call": moved}
    record["measurements"].append(m)
    return record


def add_peaks(record, compute=_COMPUTE, stream=_STREAM):
    record["peaks"] = [{"name": "compute", "per_s": compute}, {"name": "stream", "per_s": stream}]
    return record


def with_peaks(name, ms, flops, moved):
    return add_peaks(measure(record_of(name), ms, flops, moved))


def of(records, **selection):
    return analysis.analyse([Input("runs.jsonl", records)], [], Selection(**selection))


def only_row(record):
    (row,) = of([record]).rows
    return row


class AnalyseTest(unittest.TestCase):
    def test_work_of_high_intensity_is_held_against_the_product(self):
        row = only_row(with_peaks("mm", 2, 1e8, 1e6))
        self.assertEqual((row.bound, row.intensity, row.flops_per_s, row.bytes_per_s), (COMPUTE, 100, 50e9, 0.5e9))
        self.assertEqual(row.share, (0.5, 0, 0))
        self.assertEqual((row.machine, row.marks), ("cpu Model T, 2 threads", []))

    def test_work_of_low_intensity_is_held_against_the_copy(self):
        row = only_row(with_peaks("mv", 0.4, 2e6, 1e6))
        self.assertEqual((row.bound, row.share.value), (MEMORY, 0.25))  # 2.5 of 10 GB/s
        row = only_row(with_peaks("add", 0.6, 0, 3e6))
        self.assertEqual((row.bound, row.intensity), (MEMORY, 0))
        self.assertAlmostEqual(row.share.value, 0.5)

    def test_distances_of_limits_add_as_squares(self):
        record = with_peaks("mm", 2, 1e8, 1e6)
        record["measurements"][0].update(ci_low_ns=2e6 * math.exp(-0.03), ci_high_ns=2e6 * math.exp(0.04))
        record["peaks"][0].update(ci_low_per_s=_COMPUTE * math.exp(-0.04), ci_high_per_s=_COMPUTE * math.exp(0.03))
        share = only_row(record).share
        self.assertAlmostEqual(share.low, 0.5 * math.exp(-0.05), delta=1e-12)  # 3, 4, 5
        self.assertAlmostEqual(share.high, 0.5 * math.exp(0.05), delta=1e-12)

    def test_what_takes_little_more_than_nothing_is_launch_bound(self):
        record = with_peaks("tiny", 0.002, 1e3, 1e3)
        record["measurements"][0]["null_ns"] = 2000 / analysis.LAUNCH_FACTOR + 1
        self.assertEqual(only_row(record).bound, LAUNCH)
        self.assertAlmostEqual(only_row(record).share.value, 0.05)  # the share is said even so
        record["measurements"][0]["null_ns"] = 2000 / analysis.LAUNCH_FACTOR - 1
        self.assertEqual(only_row(record).bound, MEMORY)

    def test_on_a_gpu_the_check_says_so(self):
        record = with_peaks("tiny", 0.002, 1e3, 1e3)
        record["device"] = "CUDA"
        for status, bound in (("CHECK_OK", MEMORY), ("CHECK_NOTED", LAUNCH), ("CHECK_FLAGGED", LAUNCH)):
            record["measurements"][0].update(null_ns=1e9, checks=[{"name": "launch_bound", "status": status}])
            self.assertEqual(only_row(record).bound, bound)

    def test_what_cannot_be_trusted_has_its_reason(self):
        failed, flagged, injected = (with_peaks(name, 2, 1e8, 1e6) for name in ("failed", "flagged", "injected"))
        failed["outcome"] = "FAIL_ACCURACY"
        checks = [{"name": name, "status": "CHECK_FLAGGED"} for name in ("steady", "one_mode")]
        flagged["measurements"][0]["checks"] = checks
        injected["measurements"][0]["injected_share"] = 0.03
        lost = dict(record_of("lost"), outcome="NO_DEVICE")
        rows = of([failed, flagged, injected, lost]).rows
        marks = [["FAIL_ACCURACY"], ["FLAGGED steady one_mode"], ["injected 3 %"], ["NO_DEVICE"]]
        self.assertEqual([row.marks for row in rows], marks)
        self.assertEqual((rows[3].time_ns.value, rows[3].share), (0, None))

    def test_bytes_are_held_against_the_faster_of_copying_and_reading(self):
        record = with_peaks("sum", 0.4, 0, 2e6)  # 5 GB/s
        for read, share in ((2 * _STREAM, 0.25), (_STREAM / 2, 0.5)):
            record["peaks"][2:] = [{"name": "read", "per_s": read}]
            self.assertAlmostEqual(only_row(record).share.value, share)

    def test_the_product_of_older_records(self):
        record = with_peaks("mm", 2, 1e8, 1e6)
        record["peaks"][0]["name"] = "gemm"
        self.assertEqual(only_row(record).share.value, 0.5)

    def test_above_the_roof_without_a_reason(self):
        found = of([with_peaks("mm", 0.8, 1e8, 1e6), with_peaks("copy", 0.1, 0, 3e6)])
        self.assertEqual([row.marks for row in found.rows], [[_NO_REASON]] * 2)
        self.assertEqual(len(found.notes), 1)
        self.assertIn("2 rows are above the roof, and no figure", found.notes[0])

    def test_not_above_where_the_interval_reaches_the_roof(self):
        record = with_peaks("mm", 0.98, 1e8, 1e6)
        record["peaks"][0].update(ci_low_per_s=0.99 * _COMPUTE, ci_high_per_s=1.01 * _COMPUTE)
        record["measurements"][0].update(ci_low_ns=0.95e6, ci_high_ns=1.01e6)
        self.assertEqual(only_row(record).marks, [])
        record["measurements"][0]["ci_high_ns"] = 0.981e6
        self.assertEqual(only_row(record).marks, [_NO_REASON])

    def test_padding_explains_what_is_not_above_without_it(self):
        record = with_peaks("conv", 0.8, 1e8, 1e6)  # 125 %
        record["measurements"][0]["padding_flops_per_call"] = 0.21e8
        found = of([record])
        self.assertEqual(found.rows[0].marks, ["above the roof, padding: 21 % of the FLOPs multiply zeros"])
        self.assertEqual(found.notes, [])
        record["measurements"][0]["padding_flops_per_call"] = 0.19e8
        self.assertEqual(only_row(record).marks, [_NO_REASON])

    def test_the_last_cache_explains_what_it_can_hold(self):
        record = with_peaks("copy", 0.3, 0, 4 * _MIB)  # 140 %

        def marks(cache):
            record["environment"]["cpu_cache_bytes"] = cache
            return only_row(record).marks

        self.assertEqual(marks(32 * _MIB), ["above the roof, fits the last cache (4.00 MiB of 32.0 MiB)"])
        self.assertEqual(marks(2 * _MIB), ["above the roof, the last cache can hold 2.00 MiB of 4.00 MiB"])
        self.assertEqual(marks(_MIB), [_NO_REASON])  # 105 % without it
        for mode in ("cold", "do_bench"):  # these empty it
            record["measurements"][0]["mode"] = mode
            self.assertEqual(marks(32 * _MIB), [_NO_REASON])
        record["measurements"][0]["mode"] = "hot"
        record["device"] = "CUDA"  # which has its own
        self.assertEqual(marks(32 * _MIB), [_NO_REASON])
        record["environment"]["gpu_l2_bytes"] = 50 * _MIB
        self.assertEqual(marks(0), ["above the roof, fits the last cache (4.00 MiB of 50.0 MiB)"])

    def test_a_peak_that_was_flagged_explains(self):
        record = with_peaks("mm", 0.8, 1e8, 1e6)
        record["peaks"][0]["probe"] = "mm 64 x 64 x 64, FLAGGED cpu_contention"
        self.assertEqual(only_row(record).marks, ["above the roof, its peak was FLAGGED"])

    def test_peaks_are_borrowed_of_the_same_machine_only(self):
        without = measure(record_of("mm"), 2, 1e8, 1e6)
        busy, lender = add_peaks(record_of("busy"), _COMPUTE / 4), add_peaks(record_of("lender"))
        found = of([lender, busy, without], filter="mm")
        self.assertEqual(found.rows[0].share.value, 0.5)  # the highest
        self.assertIn("1 row is compared with peaks of another", found.notes[0])
        for change in (
            {"environment": {"cpu_model": "Model T", "threads": 1}},
            {"environment": {"cpu_model": "Model A", "threads": 2}},
            {"benchmark_case": {"name": "lender", "dtype": "BF16"}},
            {"benchmark_case": {"name": "lender", "dtype": "FP32", "execution": {"matmul_precision": "MEDIUM"}}},
            {"device": "CUDA"},
        ):
            found = of([{**copy.deepcopy(lender), **change}, without], filter="mm")
            self.assertEqual((found.rows[0].share, found.rows[0].bound), (None, UNKNOWN))
            self.assertIn("--peaks --record=peaks.jsonl", found.notes[0])
        given = analysis.analyse([Input("a", [without])], [Input("b", [lender])], Selection())
        self.assertEqual([row.share.value for row in given.rows], [0.5])  # files of --peaks make no rows

    def test_peaks_of_tf32_are_not_lent_to_float32(self):
        without, lender = measure(record_of("mm"), 2, 1e8, 1e6), add_peaks(record_of("lender"))
        for record in (without, lender):
            record.update(device="CUDA")
            record["environment"]["gpu_name"] = "NVIDIA H200"
        self.assertEqual(of([lender, without], filter="mm").rows[0].share.value, 0.5)
        lender["environment"].update(tf32_matmul=True, tf32_cudnn=True)
        self.assertEqual(of([lender, without], filter="mm").rows[0].share, None)

    def test_a_copys_peak_has_no_dtype(self):
        bytes_only = measure(record_of("copy", "BF16"), 0.6, 0, 3e6)
        self.assertAlmostEqual(of([with_peaks("mm", 2, 1e8, 1e6), bytes_only]).rows[1].share.value, 0.5)

    def test_the_dtype_is_autocasts(self):
        record = with_peaks("mm", 2, 1e8, 1e6)
        record["benchmark_case"]["execution"] = {"autocast": "BF16"}
        self.assertEqual(only_row(record).dtype, "bf16")
        self.assertEqual([len(of([record], dtype=dtype).rows) for dtype in ("fp32", "bf16")], [0, 1])

    def test_one_mode_of_each_step(self):
        record = record_of("mm")
        for ms, mode, step in ((3, "throughput", "forward"), (2, "wall", "forward"), (4, "throughput", "backward")):
            measure(record, ms, 1e8, 1e6, mode, step)
        rows = of([record]).rows
        self.assertEqual([(row.name, row.mode) for row in rows], [("mm", "wall"), ("mm/backward", "throughput")])
        walls = of([record], mode="wall")
        self.assertEqual(len(walls.rows), 1)
        self.assertIn("left out: 1 step that were not measured in mode wall", walls.notes)
        record["measurements"][0]["preset"] = "discrete"
        self.assertEqual(of([record], mode="discrete").rows[0].time_ns.value, 3e6)

    def test_several_machines(self):
        other = with_peaks("mm", 2, 1e8, 1e6)
        other["environment"]["cpu_model"] = "Model A"
        found = of([with_peaks("mm", 2, 1e8, 1e6), other])
        self.assertEqual(found.machines, ["cpu Model T, 2 threads", "cpu Model A, 2 threads"])
        self.assertEqual(len(found.roofs), 2)
        self.assertIn("several machines", found.notes[0])


class SortTest(unittest.TestCase):
    def test_the_largest_come_first_and_the_unknown_last(self):
        for key, backwards, names in (
            ("file", False, "bca"),
            ("file", True, "acb"),
            ("name", False, "abc"),
            ("time", False, "abc"),
            ("share", False, "abc"),
            ("bytes", False, "cba"),
            ("flops", False, "abc"),
            ("intensity", True, "bac"),
        ):
            rows = of([with_peaks("b", 2, 1e8, 1e6), with_peaks("c", 1, 0, 3e6), with_peaks("a", 3, 9e8, 1e6)]).rows
            analysis.sort(rows, key, backwards)
            self.assertEqual("".join(row.name for row in rows), names, (key, backwards))


if __name__ == "__main__":
    unittest.main()
