"""Sampling is fixed and fair; the blob format keeps what it is given and refuses what no test could use."""

import math
import unittest

from artifacts.format import reference_blob, safetensors_file
from artifacts.format.reference_blob import BlobError, Output, Stats
from artifacts.format.safetensors_file import Tensor

STATS = Stats(mean=0.5, std=1.0, norm=2.0, largest=1.5)


def whole(*values):
    return Output((len(values),), None, tuple(map(float, values)), STATS)


class SamplingTest(unittest.TestCase):
    def test_training_steps_keep_fewer_elements(self):
        for name in ("step1.loss", "adam.step3.gradients", "x.step12.y.z"):
            self.assertEqual(64, reference_blob.sample_size(name, (8, 1000)), name)
        for name in ("step1.gradient_norms", "sgd.step3.update_norms"):
            self.assertEqual(256, reference_blob.sample_size(name, (1000,)), name)
        for name in ("logits", "step1", "x.step1", "step.y", "steps1.y", "step1a.y", "x_norms"):
            self.assertEqual(512, reference_blob.sample_size(name, (1000,)), name)

    def test_outputs_up_to_the_limit_are_kept_whole(self):
        self.assertIsNone(reference_blob.sample_indices("y", (512,)))
        self.assertIsNone(reference_blob.sample_indices("detections", (2, 300, 6)))
        self.assertIsNotNone(reference_blob.sample_indices("y", (513,)))

    def test_indices_are_sorted_distinct_and_inside(self):
        for elements in (513, 1_000_000, 2**32):
            indices = reference_blob.sample_indices("y", (elements,))
            self.assertEqual(512, len(indices))
            self.assertEqual(sorted(set(indices)), list(indices))
            self.assertTrue(0 <= indices[0] and indices[-1] < elements)

    def test_each_of_few_rows_has_enough_to_be_compared_alone(self):
        for rows in (2, 3, 8):
            indices = reference_blob.sample_indices("y", (rows, 257))
            self.assertEqual([256] * rows, [sum(i // 257 == row for i in indices) for row in range(rows)])
        self.assertEqual(512, len(reference_blob.sample_indices("y", (9, 257))))
        self.assertEqual(64, len(reference_blob.sample_indices("step1.y", (2, 257))))

    def test_indices_depend_on_name_and_shape_alone(self):
        self.assertEqual(reference_blob.sample_indices("y", (50_000,)), reference_blob.sample_indices("y", (50_000,)))
        self.assertNotEqual(reference_blob.sample_indices("y", (50_000,)), reference_blob.sample_indices("z", (50_000,)))

    def test_indices_are_spread_evenly(self):
        # 512 draws in 16 bins: 32 expected in each, standard deviation 5.5; six of them are allowed.
        bins = [0] * 16
        for index in reference_blob.sample_indices("y", (16_000_000,)):
            bins[index // 1_000_000] += 1
        self.assertTrue(all(abs(count - 32) < 33 for count in bins), bins)

    def test_more_elements_than_a_word_can_name_are_refused(self):
        with self.assertRaises(BlobError):
            reference_blob.sample_indices("y", (2**32 + 1,))


class NarrowedTest(unittest.TestCase):
    def test_values_are_rounded_and_statistics_are_not(self):
        output = Output((2,), None, (0.1, 0.7), STATS)
        narrow = reference_blob.narrowed(output)
        self.assertEqual(("F32", STATS, (2,)), (narrow.dtype, narrow.stats, narrow.shape))
        for value, exact in zip(narrow.values, output.values):
            self.assertTrue(0 < abs(value - exact) < 1e-7 * exact, value)

    def test_what_float32_cannot_hold_stays_float64(self):
        std = STATS._replace(std=1e-3)
        for values, stats in [
            ((1.0, 1.0 + 2**-24), STATS._replace(std=0.0)),
            ((1000.00001, 1.0), std),  # off by 1e-5, a hundredth of the standard deviation
            ((2.0**24 + 1, 0.0), STATS._replace(std=0.0)),  # an integer
            ((1e300, 1.0), STATS),
        ]:
            output = Output((2,), None, values, stats)
            self.assertEqual(output, reference_blob.narrowed(output))

    def test_integers_that_it_can_hold_are_exact(self):
        output = Output((2,), None, (2.0**24, 3.0), STATS._replace(std=0.0))
        self.assertEqual(output._replace(dtype="F32"), reference_blob.narrowed(output))


class FormatTest(unittest.TestCase):
    def test_what_is_encoded_is_decoded(self):
        indices = reference_blob.sample_indices("big", (100, 200))
        outputs = {
            "small": Output((2, 1), None, (1.0, -0.1), STATS),
            "narrow": reference_blob.narrowed(Output((2, 1), None, (1.0, -0.1), STATS)),
            # Its tensor comes before that of "big", which is called "big#100x200", and its statistics after.
            "big!": Output((2,), None, (1.0, -0.1), STATS._replace(mean=0.25)),
            "big": Output((100, 200), indices, tuple(math.sin(i) for i in indices), STATS),
        }
        decoded, metadata = reference_blob.decode(reference_blob.encode(outputs, {"provenance": "p"}))
        self.assertEqual(outputs, decoded)
        self.assertEqual({"format": reference_blob.FORMAT, "provenance": "p"}, metadata)

    def test_tensor_names_are_those_of_the_contract(self):
        indices = reference_blob.sample_indices("y", (20_000,))
        data = reference_blob.encode({"y": Output((20_000,), indices, (0.0,) * 512, STATS), "x": whole(1)}, {})
        tensors, _ = safetensors_file.decode(data)
        self.assertEqual(["#stats", "x", "y#20000"], sorted(tensors))
        self.assertEqual({"F64"}, {t.dtype for t in tensors.values()})

    def test_only_the_prescribed_sample_is_written(self):
        indices = tuple(range(512))
        with self.assertRaisesRegex(BlobError, "other positions"):
            reference_blob.encode({"y": Output((20_000,), indices, (0.0,) * 512, STATS)}, {})

    def test_nan_and_infinity_are_refused_anywhere(self):
        for bad in (math.nan, math.inf, -math.inf):
            with self.assertRaisesRegex(BlobError, "1 of 2 numbers are NaN or infinite"):
                reference_blob.encode({"y": whole(1, bad)}, {})
            with self.assertRaisesRegex(BlobError, "statistics"):
                reference_blob.encode({"y": whole(1)._replace(stats=STATS._replace(norm=bad))}, {})

    def test_malformed_blobs_are_refused_with_the_reason(self):
        stats = {"#stats": Tensor.of_doubles(STATS, (1, 4))}
        two = {"#stats": Tensor.of_doubles(STATS + STATS, (2, 4))}
        form = {"format": reference_blob.FORMAT}
        y = Tensor.of_doubles([1.0])
        sample = Tensor.of_doubles([1.0] * 512)
        old = {"format": "assay-reference-2"}
        for reason, tensors, metadata in [
            ('"format" is None', {"y": y, **stats}, {}),
            ("make the blob anew: tools/bazel run //tools:generate_artifacts", {"y": y, **stats}, old),
            ("holds no output", {}, form),
            ("holds no output", stats, form),
            ('no "#stats" in F64 with 1 rows', {"y": y}, form),
            ('no "#stats" in F64 with 2 rows', {"y": y, "z": y, **stats}, form),
            ('no "#stats" in F64 with 1 rows', {"y": y, "#stats": Tensor.of_doubles(STATS)}, form),
            ('no "#stats" in F64 with 1 rows', {"y": y, "#stats": Tensor.of("F32", STATS, (1, 4))}, form),
            ('"y" is I64, expected F64 or F32', {"y": Tensor.of_integers([1]), **stats}, form),
            ("is empty", {"y": Tensor.of_doubles([]), **stats}, form),
            ('output "y" is there twice', {"y": y, "y#9x1000": sample, **two}, form),
            ("2 values, a sample has 512", {"y#9x1000": Tensor.of_doubles([1.0, 2.0]), **stats}, form),
            ("up to 512 elements are kept whole", {"y#512": sample, **stats}, form),
            ("more than 2^32", {"y#" + "x".join(["9" * 19] * 100): sample, **stats}, form),
            ('tensor "#9x1000": neither', {"#9x1000": sample, **stats}, form),
            *[
                ("neither an output nor a sample", {"y#" + shape: sample, **stats}, form)
                for shape in ("", "x", "9x", "x9", "-9x-1000", "09x1000", "9x1000 ", "values", "9#1000")
            ],
            ("in one dimension", {"y#9x1000": Tensor.of_doubles([1.0] * 512, (2, 256)), **stats}, form),
        ]:
            with self.subTest(reason=reason), self.assertRaises(BlobError) as caught:
                reference_blob.decode(safetensors_file.encode(tensors, metadata))
            self.assertIn(reason, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
