"""Tests which contents are computed together and which apart."""

import unittest

from tools.artifacts.generate import plan, registry
from tools.artifacts.generate.registry_test import read
from tools.artifacts.generate.test_cases import entry


def jobs(*entries):
    return plan.make_jobs(read(*entries)[0])


class PlanTest(unittest.TestCase):
    def test_cases_with_one_key_are_one_content(self):
        (job,) = jobs(entry("toy_b8", key="toy_b2"), entry("toy_b64", key="toy_b2"))
        (content,) = job.contents
        self.assertEqual((("toy_b2",), "//benchmarks/toy:toy_b8"), (content.keys, content.label))

    def test_float32_and_float64_share_a_content_and_half_types_have_their_own(self):
        (job,) = jobs(*(entry("toy_%s_b2" % d.lower(), dtype=d) for d in ("FP32", "FP64", "FP16", "BF16")))
        self.assertEqual(
            [(("toy_fp32_b2", "toy_fp64_b2"), "fp32"), (("toy_fp16_b2",), "fp16"), (("toy_bf16_b2",), "bf16")],
            [(c.keys, c.rounding) for c in job.contents],
        )

    def test_sizes_of_inputs_and_batches_share_a_job_because_they_share_weights(self):
        (job,) = jobs(entry("a"), entry("b", batch=1), entry("c", width=8))
        self.assertEqual(3, len(job.contents))

    def test_another_weight_parameter_or_seed_is_another_job(self):
        self.assertEqual(3, len(jobs(entry("a"), entry("b", depth=2), entry("c", seed=1))))

    def test_a_key_with_two_meanings_is_refused_with_both_cases(self):
        with self.assertRaisesRegex(registry.RegistryError, 'key "k".*toy:a and .*toy:b'):
            jobs(entry("a", key="k"), entry("b", key="k", width=8))

    def test_another_distribution_is_another_meaning_of_a_key(self):
        other = entry("b", key="k")
        other["verified"]["inputs"][0]["distribution"] = {"normal": {}}
        with self.assertRaisesRegex(registry.RegistryError, 'key "k".*toy:a and .*toy:b'):
            jobs(entry("a", key="k"), other)

    def test_a_content_goes_to_the_bucket_only_if_all_of_its_cases_say_so(self):
        bucket = {"tags": ["bucket"], "key": "k"}
        (job,) = jobs(entry("a", **bucket), entry("b", **bucket))
        self.assertTrue(job.contents[0].in_bucket)
        (job,) = jobs(entry("a", **bucket), entry("b", key="k"))
        self.assertFalse(job.contents[0].in_bucket)

    def test_training_is_a_content_of_its_own_with_the_same_weights(self):
        sgd = {"learning_rate": 0.1, "momentum": 0.9}
        other = {**sgd, "momentum": 0.909}
        (job,) = jobs(entry("a"), entry("b", sgd=sgd), entry("c", sgd=other), entry("d", sgd=sgd))
        self.assertEqual([("a",), ("b", "d"), ("c",)], [c.keys for c in job.contents])
        self.assertEqual(("y",), job.contents[0].outputs)
        self.assertIn("sgd.step3.parameters", job.contents[1].outputs)
        with self.assertRaisesRegex(registry.RegistryError, 'key "k"'):
            jobs(entry("a", key="k", sgd=sgd), entry("b", key="k", sgd=other))

    def test_a_dtype_without_a_rounding_is_refused(self):
        with self.assertRaisesRegex(registry.RegistryError, "INT64"):
            jobs(entry("a", dtype="INT64"))

    def test_the_filter_finds_labels_and_keys(self):
        cases, _ = read(entry("toy_b8", key="toy_b2"), entry("other_b8", key="other_b2"))
        self.assertEqual(["toy_b8"], [c.name for c in plan.select(cases, "^toy_b2$")])
        self.assertEqual(["other_b8"], [c.name for c in plan.select(cases, ":other")])
        self.assertEqual([], plan.select(cases, "none"))


if __name__ == "__main__":
    unittest.main()
