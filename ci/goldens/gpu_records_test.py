"""The records of simulated GPUs are what today's runner writes."""

import json
import os
import tempfile
import unittest

from ci.goldens import gpu_records


def paths(value, path=""):
    """The paths of all fields that are set; a list has the paths of all its entries."""
    if isinstance(value, dict):
        return {p for name, inner in value.items() for p in paths(inner, "%s.%s" % (path, name))}
    if isinstance(value, list):
        return {p for inner in value for p in paths(inner, path + "[]")}
    return {path}


def medians(record):
    return {(m["step"], m["mode"]): m["median_ns"] for m in record["measurements"]}


class GpuRecordsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(gpu_records.GOLDENS, encoding="utf-8") as f:
            cls.goldens = [json.loads(line) for line in f]

    def test_there_is_one_for_each_run(self):
        self.assertEqual(
            [(r["environment"]["gpu_name"].split()[1], r["benchmark_case"]["name"]) for r in self.goldens],
            [(card, program.rpartition("/")[2]) for card, program, _ in gpu_records.RUNS],
        )

    def test_they_cannot_be_taken_for_those_of_a_card(self):
        for record in self.goldens:
            environment = record["environment"]
            self.assertTrue(environment["gpu_name"].startswith("Simulated "), environment["gpu_name"])
            self.assertEqual(environment["gpu_driver"], "simulated")
            self.assertEqual(environment["cpu_model"], "Simulated Host")

    def test_the_runner_writes_the_same_fields_and_times(self):
        (now,) = gpu_records.records(gpu_records.RUNS[:1])
        golden = self.goldens[0]
        again = "mend it with: tools/bazel run //ci/goldens:gpu_records_update"
        self.assertEqual(paths(now), paths(golden), again)
        self.assertEqual(medians(now).keys(), medians(golden).keys(), again)
        for key, median_ns in medians(golden).items():
            self.assertAlmostEqual(medians(now)[key], median_ns, delta=0.02 * median_ns, msg="%s: %s" % (key, again))
        self.assertEqual(now["configuration"], golden["configuration"], again)

    def test_what_a_person_reads_and_google_benchmarks_json_name_the_gpu(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            card, program, _ = gpu_records.RUNS[5]
            said = gpu_records.run(card, program, "--modes=cold", "--benchmark_out_format=json", "--benchmark_out=" + path)
            with open(path, encoding="utf-8") as f:
                out = json.load(f)
        self.assertEqual(
            {name: out["context"].get(name) for name in ("device", "gpu_name", "gpu_driver")},
            {"device": "cuda", "gpu_name": "Simulated H200", "gpu_driver": "simulated"},
        )
        self.assertEqual([row["name"] for row in out["benchmarks"]], ["mlp_fp32_b64/cold"])
        self.assertIn(" · cuda Simulated H200, driver simulated, TF32 off · ", said)
        self.assertRegex(said, r"memory .* peak of tensors on the GPU: [\d.]+ MiB of 141 GiB; peak of the process on the host: 2.00 GiB\n")
        self.assertRegex(said, r"clock +GPU at 1980 MHz")


if __name__ == "__main__":
    unittest.main()
