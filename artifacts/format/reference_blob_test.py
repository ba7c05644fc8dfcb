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
            self.assertEqual(256, reference_blob.sample_size(name), name)
        for name in ("logits", "step1", "x.step1", "step.y", "steps1.y", "step1a.y"):
            self.assertEqual(2048, reference_blob.sample_size(name), name)

    def test_outputs_up_to_the_limit_are_kept_whole(self):
        self.assertIsNone(reference_blob.sample_indices("y", reference_blob.sample_size("y")))
        self.assertIsNotNone(reference_blob.sample_indices("y", reference_blob.sample_size("y") + 1))

    def test_indices_are_sorted_distinct_and_inside(self):
        for elements in (2049, 1_000_000, 2**32):
            indices = reference_blob.sample_indices("y", elements)
            self.assertEqual(reference_blob.sample_size("y"), len(indices))
            self.assertEqual(sorted(set(indices)), list(indices))
            self.assertTrue(0 <= indices[0] and indices[-1] < elements)

    def test_indices_depend_on_name_and_size_alone(self):
        self.assertEqual(reference_blob.sample_indices("y", 50_000), reference_blob.sample_indices("y", 50_000))
        self.assertNotEqual(reference_blob.sample_indices("y", 50_000), reference_blob.sample_indices("z", 50_000))

    def test_indices_are_spread_evenly(self):
        # 2048 draws in 16 bins: 128 expected in each, standard deviation 11; six of them are allowed.
        bins = [0] * 16
        for index in reference_blob.sample_indices("y", 16_000_000):
            bins[index // 1_000_000] += 1
        self.assertTrue(all(abs(count - 128) < 66 for count in bins), bins)

    def test_more_elements_than_a_word_can_name_are_refused(self):
        with self.assertRaises(BlobError):
            reference_blob.sample_indices("y", 2**32 + 1)


class FormatTest(unittest.TestCase):
    def test_what_is_encoded_is_decoded(self):
        indices = reference_blob.sample_indices("big", 20_000)
        outputs = {
            "small": Output((2, 1), None, (1.0, -0.1), STATS),
            "big": Output((100, 200), indices, tuple(math.sin(i) for i in indices), STATS),
        }
        decoded, metadata = reference_blob.decode(reference_blob.encode(outputs, {"provenance": "p"}))
        self.assertEqual(outputs, decoded)
        self.assertEqual({"format": reference_blob.FORMAT, "provenance": "p"}, metadata)

    def test_tensor_names_are_those_of_the_contract(self):
        indices = reference_blob.sample_indices("y", 20_000)
        data = reference_blob.encode({"y": Output((20_000,), indices, (0.0,) * 2048, STATS), "x": whole(1)}, {})
        tensors, _ = safetensors_file.decode(data)
        self.assertEqual(["x", "x#stats", "y#shape", "y#stats", "y#values"], sorted(tensors))
        self.assertEqual({"F64", "I64"}, {t.dtype for t in tensors.values()})

    def test_only_the_prescribed_sample_is_written(self):
        indices = tuple(range(2048))
        with self.assertRaisesRegex(BlobError, "other positions"):
            reference_blob.encode({"y": Output((20_000,), indices, (0.0,) * 2048, STATS)}, {})

    def test_nan_and_infinity_are_refused_anywhere(self):
        for bad in (math.nan, math.inf, -math.inf):
            with self.assertRaisesRegex(BlobError, "1 of 2 numbers are NaN or infinite"):
                reference_blob.encode({"y": whole(1, bad)}, {})
            with self.assertRaisesRegex(BlobError, "statistics"):
                reference_blob.encode({"y": whole(1)._replace(stats=STATS._replace(norm=bad))}, {})

    def test_malformed_blobs_are_refused_with_the_reason(self):
        stats = {"y#stats": Tensor.of_doubles(STATS)}
        form = {"format": reference_blob.FORMAT}
        y = Tensor.of_doubles([1.0])
        sample = {
            "y#values": Tensor.of_doubles([1.0] * 2048),
            "y#shape": Tensor.of_integers([9, 1000]),
        }
        old = {"format": "assay-reference-1"}
        for reason, tensors, metadata in [
            ('"format" is None', {"y": y, **stats}, {}),
            ("holds no output", {}, form),
            ("belong to no output: y", {"y": y, "z": y, "z#stats": stats["y#stats"]}, form),
            ("make the blob anew: tools/bazel run //tools:generate_artifacts", {"y": y, **stats}, old),
            ('no tensor "y#values"', stats, form),
            ("has 1 numbers", {"y": y, "y#stats": y}, form),
            ('"y" is I64', {"y": Tensor.of_integers([1]), **stats}, form),
            ("is empty", {"y": Tensor.of_doubles([]), **stats}, form),
            ("2 values, a sample has 2048", {**stats, **sample, "y#values": Tensor.of_doubles([1.0, 2.0])}, form),
            ("up to 2048 elements are kept whole", {**stats, **sample, "y#shape": Tensor.of_integers([2048])}, form),
            ("up to 2048 elements are kept whole", {**stats, **sample, "y#shape": Tensor.of_integers([-9, -1000])}, form),
            ("more than 2^32", {**stats, **sample, "y#shape": Tensor.of_integers([2**62] * 100)}, form),
            ("belong to no output: y#indices", {**stats, **sample, "y#indices": Tensor.of_integers([0])}, form),
        ]:
            with self.subTest(reason=reason), self.assertRaises(BlobError) as caught:
                reference_blob.decode(safetensors_file.encode(tensors, metadata))
            self.assertIn(reason, str(caught.exception))


if __name__ == "__main__":
    unittest.main()
