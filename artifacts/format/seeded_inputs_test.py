"""Python's seeded inputs are the golden ones, which the C++ test uses, too."""

import unittest

from artifacts.format import seeded_inputs, seeded_inputs_golden


def spec(dtype="INT64", shape=(4,), **distribution):
    return {"name": "x", "dtype": dtype, "shape": list(shape), "distribution": distribution}


class SeededInputsTest(unittest.TestCase):
    def test_the_golden_values_are_what_this_code_gives(self):
        with open(seeded_inputs_golden.PATH, encoding="utf-8") as f:
            self.assertEqual(f.read(), seeded_inputs_golden.render())

    def test_every_kind_has_golden_values(self):
        covered = {kind for given, _ in seeded_inputs_golden.specs() for kind in given["distribution"]}
        self.assertEqual(set(seeded_inputs._KINDS), covered)

    def test_first_rows_of_a_large_batch_are_a_small_batch(self):
        for given, seed in seeded_inputs_golden.specs():
            small = {**given, "shape": [1] + given["shape"][1:]}
            with self.subTest(spec=given):
                few = seeded_inputs.values(small, seed)
                self.assertEqual(few, seeded_inputs.values(given, seed)[: len(few)])

    def test_a_spec_that_describes_no_tensor_is_refused_by_name(self):
        for bad in (spec(), spec(gaussian={}), spec(zipf={"exponent": 1.1, "limit": 5}), spec(zipf={"exponent": 1, "limit": 2**25})):
            with self.assertRaisesRegex(seeded_inputs.SpecError, '"x"'):
                seeded_inputs.values(bad)


if __name__ == "__main__":
    unittest.main()
