"""Change points: none where there is none, the right place where there is one, and noise by the series' own past."""

import unittest
from unittest import mock

import numpy

from tools.history import change_points


def _random(seed=0):
    return numpy.random.Generator(numpy.random.PCG64(seed))


class ChangePointsTest(unittest.TestCase):
    def test_series_without_a_change(self):
        random, alarms, count = _random(), 0, 400
        for i in range(count):
            noise = random.standard_normal(50) if i % 2 else random.standard_t(3, 50)
            alarms += bool(change_points.changes(numpy.exp(0.01 * noise)))
        # Of 400, where at most 2 of 1000 are wrong, more than 4 have a probability of 0.0014.
        self.assertLessEqual(alarms, 4)

    def test_a_step_is_found_where_it_is(self):
        random = _random(1)
        for before, after in ((10, 10), (30, 8), (8, 30), (100, 100)):
            for share in (0.05, -0.05):
                values = 1e6 * (1 + 0.01 * random.standard_normal(before + after))
                values[before:] *= 1 + share
                found = change_points.changes(values)
                self.assertEqual(len(found), 1, (before, after))
                self.assertLessEqual(abs(found[0].place - before), 1)
                self.assertAlmostEqual(found[0].ratio, 1 + share, delta=0.015)
                self.assertLessEqual(found[0].p_value, change_points.LEVEL)

    def test_two_steps(self):
        values = numpy.concatenate([numpy.full(20, 100.0), numpy.full(20, 110.0), numpy.full(20, 99.0)])
        values *= 1 + 0.003 * _random(2).standard_normal(60)
        self.assertEqual([c.place for c in change_points.changes(values)], [20, 40])

    def test_a_step_and_its_revert(self):
        values = numpy.concatenate([numpy.full(12, 100.0), numpy.full(8, 103.0), numpy.full(16, 100.0)])
        values *= 1 + 0.003 * _random(6).standard_normal(36)
        self.assertEqual([c.place for c in change_points.changes(values)], [12, 20])

    def test_an_outlier_is_no_change(self):
        values = 1e6 * (1 + 0.005 * _random(3).standard_normal(40))
        values[20:22] *= 3
        self.assertEqual(change_points.changes(values), [])

    def test_a_difference_that_nobody_would_call_one(self):
        values = numpy.concatenate([numpy.full(20, 1.0), numpy.full(20, 1.004)]) * (
            1 + 1e-5 * _random(4).standard_normal(40)
        )
        self.assertEqual(change_points.changes(values), [])

    def test_the_smallest_difference_that_is_one(self):
        """Half a per cent, as tools:compare has it: just below there is none, just above there is one of that size."""
        noise = 1 + 1e-5 * _random(7).standard_normal(40)
        for share, count in ((0.0045, 0), (0.0055, 1), (-0.0045, 0), (-0.0055, 1), (0.012, 1), (-0.019, 1)):
            values = numpy.concatenate([numpy.full(20, 1.0), numpy.full(20, 1 + share)]) * noise
            found = change_points.changes(values)
            self.assertEqual([change.place for change in found], [20] * count, share)
            for change in found:
                self.assertAlmostEqual(change.ratio - 1, share, delta=1e-4)

    def test_how_many_random_orders_a_length_has(self):
        """As many as need five million numbers, at most 49,999 and at least 1,999."""
        for length, differences, count in (
            (6, change_points._of_cuts, 49999),
            (200, change_points._of_cuts, 25000),
            (64, change_points._of_stretches, 2441),
            (100, change_points._of_stretches, 1999),
        ):
            self.assertEqual(len(change_points._of_random_orders(length, differences)), count)

    def test_a_p_value_counts_the_orders_that_differ_as_much(self):
        """And the series itself as one: all do where nothing differs, next to none as much as two levels of ten points."""
        for values, p_value in ([5.0] * 20, 1), ([1.0] * 10 + [2.0] * 10, 1 / 50000):
            ranks = change_points._ranks(numpy.array(values))
            self.assertEqual(change_points._p_value(ranks, change_points._of_cuts), p_value)
        # The lower three of six come first, or last, in two of twenty ways.
        six = change_points._p_value(change_points._ranks(numpy.arange(6)), change_points._of_cuts)
        self.assertAlmostEqual(six, 2 / 20, delta=0.01)

    def test_a_p_value_of_one_in_a_thousand_is_a_change(self):
        for p_value, places in ((0.001, [3]), (0.00105, [])):
            with mock.patch.object(change_points, "_p_value", return_value=p_value):
                found = change_points.changes([1.0] * 3 + [2.0] * 3)
            self.assertEqual([(c.place, c.before, c.after, c.p_value) for c in found], [(at, 1.0, 2.0, p_value) for at in places])

    def test_a_change_of_the_smallest_size_is_one(self):
        smallest = float(numpy.log(numpy.float64(2.0)))
        with mock.patch.multiple(change_points, _p_value=lambda *_: 0.0, SMALLEST=smallest):
            self.assertEqual([c.place for c in change_points.changes([1.0] * 3 + [2.0] * 3)], [3])

    def test_each_side_has_three_points(self):
        with mock.patch.object(change_points, "_p_value", return_value=0.0):
            self.assertEqual(change_points.changes([1.0, 1.0, 1.0, 2.0, 2.0]), [])
            found = change_points.changes([1.0] * 3 + [2.0] * 3 + [4.0] * 3)
        self.assertEqual([c.place for c in found], [3, 6])

    def test_a_cut_is_placed_where_each_side_has_three_points(self):
        high, low = [5.0] * 2, [0.0] * 11
        self.assertEqual(change_points._placed(numpy.array(low + high), [9]), [10])
        self.assertEqual(change_points._placed(numpy.array(high + low), [5]), [3])
        self.assertEqual(change_points._placed(numpy.array(low + [5.0] * 4), [8]), [11])

    def test_a_stretch_is_found_where_it_is(self):
        for begin, end in ((8, 28), (3, 33), (16, 20), (3, 6), (30, 33)):
            values = numpy.full(36, 1.0)
            values[begin:end] = 2.0
            ranks = change_points._ranks(values)
            self.assertEqual(change_points._largest_of(ranks, change_points._of_stretches), (begin, end))
            ((cuts, differences),) = [
                part for part in change_points._of_stretches(ranks[None, :]) if (begin, end) in part[0]
            ]
            # By hand: all ranks inside are half of the values outside above the mean.
            size, rest = end - begin, 36 - (end - begin)
            self.assertAlmostEqual(differences[0][cuts.index((begin, end))], size * rest / 2 / (size * rest) ** 0.5)

    def test_a_stretch_needs_nine_points(self):
        for values, p_value in (([1.0] * 3 + [2.0] * 2 + [1.0] * 3, 1), ([1.0] * 3 + [2.0] * 3 + [1.0] * 3, 2 / 84)):
            ranks = change_points._ranks(numpy.array(values))
            # The three in the middle are the highest or the lowest ones in 2 of 84 ways.
            self.assertAlmostEqual(change_points._p_value(ranks, change_points._of_stretches), p_value, delta=0.004 * (p_value < 1))

    def test_long_series_are_held_against_orders_of_a_few_lengths(self):
        for count, length in ((9, 9), (63, 63), (64, 64), (65, 72), (72, 72), (73, 81), (82, 91), (100, 102)):
            with mock.patch.object(change_points, "_of_random_orders", return_value=numpy.zeros(9)) as orders:
                change_points._p_value(change_points._ranks(numpy.arange(count)), change_points._of_cuts)
            orders.assert_called_once_with(length, change_points._of_cuts)

    def test_short_and_equal_series(self):
        for values in ([], [1.0], [1.0, 2.0, 3.0], [5.0] * 30):
            self.assertEqual(change_points.changes(values), [])

    def test_noise_is_of_the_series_own_past(self):
        random = _random(5)
        for share in (0.01, 0.05):
            values = 1 + share * random.standard_normal(4000)
            # Differences of neighbours are half-normal with sqrt(2) of the deviation; its quartiles are 0.3186 and 1.1503.
            want = numpy.expm1(2**0.5 * share * (1.1503 + 3 * (1.1503 - 0.3186)))
            self.assertAlmostEqual(change_points.noise(values) / want, 1, delta=0.1)
        self.assertEqual(change_points.noise([1.0] * 10), change_points.SMALLEST)
        # Steps of 1 to 5 %: their quartiles are 2 and 4. Four steps are too few.
        values = numpy.exp(numpy.cumsum([0, 0.01, 0.02, 0.03, 0.04, 0.05]))
        self.assertAlmostEqual(change_points.noise(values), float(numpy.expm1(0.04 + 3 * (0.04 - 0.02))))
        self.assertIsNone(change_points.noise(values[:-1]))


if __name__ == "__main__":
    unittest.main()
