"""Files for services that follow times over commits have the shapes that these publish, for records of each kind."""

import json
import os
import statistics
import unittest
from typing import Annotated, Optional, Union
from unittest import mock

import msgspec

from tools.results.formats import bencher, codspeed, conbench, github_benchmark
from tools.results.test_files import ProgramTest, decoder_records, gpu_records, real_record, record, served_records

Number = Union[int, float]
Count = Annotated[int, msgspec.Meta(ge=0)]
Text = Annotated[str, msgspec.Meta(min_length=1)]


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class Metric(Strict):
    """https://bencher.dev/bmf.json: value is required."""

    value: Number
    lower_value: Number = 0
    upper_value: Number = 0


class Entry(Strict):
    """BenchmarkResult in src/extract.ts of github-action-benchmark."""

    name: Text
    value: Number
    unit: str
    range: str = ""
    extra: str = ""


class Stats(Strict):
    """BenchmarkStats in walltime_results.rs of CodSpeed's runner."""

    min_ns: float
    max_ns: float
    mean_ns: float
    stdev_ns: float
    q1_ns: float
    median_ns: float
    q3_ns: float
    rounds: Count
    total_time: float
    iqr_outlier_rounds: Count
    stdev_outlier_rounds: Count
    iter_per_round: Count
    warmup_iters: Count


class Config(Strict):
    warmup_time_ns: Optional[float]
    min_round_time_ns: Optional[float]
    max_time_ns: Optional[float]
    max_rounds: Optional[Count]


class Round(Strict):
    name: Text
    uri: Text
    config: Config
    stats: Stats


class Creator(Strict):
    name: str
    version: str
    pid: Count


class Instrument(Strict):
    type: str


class CodSpeed(Strict):
    creator: Creator
    instrument: Instrument
    benchmarks: list[Round]


class Machine(Strict):
    """MachineCreate in conbench/entities/hardware.py: all of it is required."""

    name: Text
    architecture_name: str
    kernel_name: str
    os_name: str
    os_version: str
    cpu_model_name: str
    cpu_l1d_cache_bytes: Count
    cpu_l1i_cache_bytes: Count
    cpu_l2_cache_bytes: Count
    cpu_l3_cache_bytes: Count
    cpu_core_count: Count
    cpu_thread_count: Count
    cpu_frequency_max_hz: Count
    memory_bytes: Count
    gpu_count: Count
    gpu_product_names: list[str]


class GitHub(Strict):
    repository: Annotated[str, msgspec.Meta(pattern="^https://github.com/")]
    commit: Text


class ConbenchStats(Strict):
    """BenchmarkResultStatsSchema; older servers ask for all of it."""

    data: Annotated[list[float], msgspec.Meta(min_length=1)]
    times: list[float]
    unit: str
    time_unit: str
    iterations: Count


class Result(Strict):
    """_BenchmarkResultCreateSchema in conbench/entities/benchmark_result.py."""

    run_id: Text
    batch_id: Text
    run_reason: str
    timestamp: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")]
    machine_info: Machine
    tags: dict[Text, Text]
    context: dict[str, str]
    info: dict[str, str]
    validation: dict
    github: Union[GitHub, msgspec.UnsetType] = msgspec.UNSET
    stats: Union[ConbenchStats, msgspec.UnsetType] = msgspec.UNSET
    error: Union[dict[str, str], msgspec.UnsetType] = msgspec.UNSET


SHAPES = {
    "bencher": dict[Text, Annotated[dict[Text, Metric], msgspec.Meta(min_length=1)]],
    "github_benchmark": list[Entry],
    "codspeed": CodSpeed,
}


def shaped(form, text):
    """The content of a file in the format's types; msgspec.ValidationError for another shape."""
    if form == "conbench":
        return [msgspec.json.decode(line, type=Result) for line in text.splitlines()]
    return msgspec.json.decode(text, type=SHAPES[form])


def names(form, text):
    found = json.loads(text) if form != "conbench" else [json.loads(line) for line in text.splitlines()]
    if form == "conbench":
        return ["/".join(filter(None, (r["tags"]["name"], r["tags"].get("mode")))) for r in found]
    return list(found) if form == "bencher" else [e["name"] for e in (found["benchmarks"] if form == "codspeed" else found)]


FORMS = [*SHAPES, "conbench"]
NAMES = ["mlp_fp32_b1/wall", "mlp_fp32_b1/throughput"]


class TrackersTest(ProgramTest):
    def made(self, form, *records, where=""):
        """The text of a file with the records."""
        if records:
            self.write("runs.jsonl", *records)
            for name in ("results.sqlite", "results.sqlite-wal", "results.sqlite-shm"):
                if os.path.exists(self.path(name)):
                    os.remove(self.path(name))
            self.expect(0, "import", "runs.jsonl")
        self.expect(0, "export", "--format=" + form, "--output=out", "--where=" + where)
        return self.read("out")

    def test_records_of_each_kind(self):
        train = record(benchmark_case__name="mlp_fp32_b8_train")
        for m, step in zip(train["measurements"], ("backward", "train_step")):
            m.update(mode="wall", step=step)
        kinds = {
            "cpu": ([real_record()], NAMES),
            "training": ([train], ["mlp_fp32_b8_train/wall/backward", "mlp_fp32_b8_train/wall/train_step"]),
            "under load": (served_records() + decoder_records(), []),
            "nothing timed": ([record(measurements=[])], []),
            "not verified": ([record(outcome="NOT_VERIFIED", verdict={})], NAMES),
        }
        for kind, (records, want) in kinds.items():
            for form in FORMS:
                with self.subTest(kind=kind, form=form):
                    text = self.made(form, *records)
                    shaped(form, text)
                    found = names(form, text)
                    if form == "conbench":  # has a tag for the step, and a failure has a line
                        found, want = [n for n in found if "/" in n], [w.rsplit("/", w.count("/") - 1)[0] for w in want]
                    self.assertEqual(found, want)

    def test_runs_on_a_gpu(self):
        runs = [one for one in gpu_records() if one.get("measurements")][:1]
        for form in FORMS:
            found = shaped(form, self.made(form, *runs))
            self.assertTrue(found, form)
        self.assertEqual((found[0].machine_info.gpu_count, found[0].machine_info.gpu_product_names), (1, [runs[0]["environment"]["gpu_name"]]))

    def test_a_run_that_is_wrong_has_no_time_but_an_error(self):
        wrong = record(outcome="FAIL_ACCURACY", verdict__outcome="FAIL_ACCURACY", verdict__message="max 3 of std")
        crash = record(outcome="CRASH", error="signal 11", measurements=[], benchmark_case__name="other")
        for form in FORMS:
            text = self.made(form, wrong, crash)
            found = shaped(form, text)
            if form == "conbench":
                self.assertEqual([one.error["outcome"] for one in found], ["FAIL_ACCURACY"] * 2 + ["CRASH"])
                self.assertEqual([one.error["message"] for one in found], ["max 3 of std"] * 2 + ["signal 11"])
                self.assertEqual([one.validation["success"] for one in found], [False] * 3)
                self.assertIs(found[2].stats, msgspec.UNSET)
            else:
                self.assertEqual(names(form, text), [])
                self.assertIn("%s cannot hold: runs that failed (left out)" % form, self.err)

    def test_without_samples(self):
        self.write("runs.jsonl", real_record())
        self.expect(0, "import", "runs.jsonl", "--samples=no")
        for form in FORMS:
            text = self.made(form)
            shaped(form, text)
            self.assertEqual(names(form, text), [] if form == "codspeed" else NAMES, form)
            self.assertEqual("codspeed cannot hold: times without samples (left out)" in self.err, form == "codspeed")
            self.assertNotIn("left out: ", self.err)  # of records that a format chokes on

    def test_of_several_runs_the_latest_stays(self):
        runs = [record(started_utc="2026-11-2%dT00:00:00+00:00" % day) for day in (3, 2)]
        for one, median in zip(runs, (3e6, 2e6)):
            one["measurements"][0]["median_ns"] = median
        self.assertEqual(json.loads(self.made("bencher", *runs))[NAMES[0]]["latency"]["value"], 3e6)
        self.assertEqual(json.loads(self.made("github_benchmark", *runs))[0]["value"], 3e6)
        self.assertEqual(len(shaped("conbench", self.made("conbench", *runs))), 4)

    def test_one_name_is_of_one_configuration_and_one_machine(self):
        other = {"digest": "b" * 64, "settings": {"batch": "4"}}
        runs = [record(configuration={"digest": "a" * 64}), record(configuration=other, started_utc="2026-11-24T00:00:00+00:00")]
        elsewhere = record(benchmark_case__name="other", environment__cpu_model="another", started_utc="2026-11-25T00:00:00+00:00")
        for form in SHAPES:
            self.made("conbench", *runs)  # imports
            self.expect(3, "export", "--format=" + form, "--output=out")
            self.assertIn("is of several configurations", self.err)
            where = self.err.rpartition("--where=")[2].strip().strip('"')
            self.assertEqual(names(form, self.made(form, where=where)), NAMES)
            self.made("conbench", real_record(), elsewhere)
            self.expect(3, "export", "--format=" + form, "--output=out")
            self.assertIn("its rows do not say which machine they are of", self.err)

    def test_figures_of_bencher(self):
        m = real_record()["measurements"][0]
        counted = record()
        counted["measurements"][0].update(unit="image", units_per_call=8, instructions_per_call=5e6)
        found = shaped("bencher", self.made("bencher", counted))[NAMES[0]]
        self.assertEqual(
            (found["latency"].value, found["latency"].lower_value, found["latency"].upper_value),
            (m["median_ns"], m["ci_low_ns"], m["ci_high_ns"]),
        )
        self.assertAlmostEqual(found["throughput"].value, 8e9 / m["median_ns"])
        self.assertLess(found["throughput"].lower_value, found["throughput"].value)
        self.assertGreater(found["throughput"].upper_value, found["throughput"].value)
        self.assertEqual(found["instructions"].value, 5e6)
        self.assertEqual(list(shaped("bencher", self.made("bencher", real_record()))[NAMES[0]]), ["latency"])

    def test_figures_of_github_action_benchmark(self):
        flagged = record()
        flagged["measurements"][0]["checks"] = [{"name": "cpu_contention", "status": "CHECK_FLAGGED"}]
        flagged["measurements"][1]["checks"] = []
        m = flagged["measurements"][0]
        first, second = shaped("github_benchmark", self.made("github_benchmark", flagged))
        self.assertEqual((first.value, first.unit), (m["median_ns"], "ns"))
        self.assertEqual(first.range, "± %.6g" % ((m["ci_high_ns"] - m["ci_low_ns"]) / 2))
        self.assertEqual(first.extra.splitlines(), ["PASS", "cpu " + flagged["environment"]["cpu_model"], "FLAGGED: cpu_contention"])
        self.assertNotIn("FLAGGED", second.extra)

    def test_figures_of_codspeed(self):
        samples = [10.0, 20.0, 30.0, 40.0, 75.0]
        given = record()
        given["measurements"] = given["measurements"][:1]
        given["measurements"][0].update(samples_ns=samples, calls_per_sample="4", warmup_calls="17")
        found = shaped("codspeed", self.made("codspeed", given))
        stats = found.benchmarks[0].stats
        # Its own quantiles: position q * (n - 1), and what lies between is interpolated.
        self.assertEqual((stats.q1_ns, stats.median_ns, stats.q3_ns), (20, 30, 40))
        self.assertEqual((stats.min_ns, stats.max_ns, stats.mean_ns, stats.rounds), (10, 75, 35, 5))
        self.assertEqual((stats.iqr_outlier_rounds, stats.stdev_outlier_rounds), (1, 0))
        self.assertEqual((stats.iter_per_round, stats.warmup_iters), (4, 17))
        self.assertAlmostEqual(stats.total_time, 4 * 175e-9)
        self.assertAlmostEqual(stats.stdev_ns, statistics.stdev(samples))
        self.assertEqual(found.benchmarks[0].uri, "//benchmarks/mlp:mlp_fp32_b1::mlp_fp32_b1/wall")
        given["measurements"][0].update(samples_ns=[5.0])
        self.assertEqual(shaped("codspeed", self.made("codspeed", given)).benchmarks[0].stats.stdev_ns, 0)

    def test_figures_of_conbench(self):
        given = record(configuration={"digest": "a", "settings": {"batch": "4", "label": ""}})
        given["measurements"][0].update(process_medians_ns=[3.0, 5.0], calls_per_sample="2")
        with mock.patch.dict(os.environ, {"CONBENCH_PROJECT_REPOSITORY": "org/repo"}):
            first, second = shaped("conbench", self.made("conbench", given))
        self.assertEqual((first.stats.data, first.stats.unit, first.stats.iterations), ([3.0, 5.0], "ns", 2))
        self.assertEqual(second.stats.data, [given["measurements"][1]["median_ns"]])
        self.assertEqual(first.tags, {"name": "mlp_fp32_b1", "device": "cpu", "batch": "4", "mode": "wall", "step": "forward"})
        self.assertEqual((first.github.repository, first.github.commit), ("https://github.com/org/repo", given["environment"]["git_commit"]))
        self.assertEqual(first.machine_info.cpu_core_count, 2)
        with mock.patch.dict(os.environ, {"CONBENCH_PROJECT_REPOSITORY": "https://github.com/org/repo"}):
            self.assertEqual(shaped("conbench", self.made("conbench"))[0].github.repository, "https://github.com/org/repo")
        os.environ.pop("CONBENCH_PROJECT_REPOSITORY", None)
        self.assertIs(shaped("conbench", self.made("conbench"))[0].github, msgspec.UNSET)

    def test_another_shape_is_found(self):
        """The shapes above are no sieve."""
        for form, text in {
            "bencher": '{"a": {"latency": {"median": 1}}}',
            "github_benchmark": '[{"name": "a", "value": "1", "unit": "ns"}]',
            "codspeed": '{"benchmarks": []}',
            "conbench": '{"run_id": "a"}',
        }.items():
            with self.assertRaises(msgspec.ValidationError, msg=form):
                shaped(form, text)

    def test_modules_are_of_their_names(self):
        self.assertEqual([form.NAME for form in (bencher, github_benchmark, codspeed, conbench)], FORMS)


if __name__ == "__main__":
    unittest.main()
