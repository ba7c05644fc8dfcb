"""Intervals of means by Student's t: the degrees of freedom, and the table, held against an integral of the density."""

import math
import statistics
import unittest

import numpy as np

from tools.report import estimates


def covered(degrees, limit):
    """The share of Student's t that is nearer to 0 than the limit: by Simpson's rule over the density."""
    x = np.linspace(0, limit, 20001)
    log_scale = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(degrees * math.pi) / 2
    density = np.exp(log_scale - (degrees + 1) / 2 * np.log1p(x * x / degrees))
    weights = np.ones(len(x))
    weights[1:-1:2], weights[2:-1:2] = 4, 2
    return 2 * float((weights * density).sum()) * (x[1] - x[0]) / 3


class EstimatesTest(unittest.TestCase):
    def test_each_quantile_covers_95_percent(self):
        for degrees in [*range(1, 41), 60, 100, 1000]:
            self.assertAlmostEqual(covered(degrees, estimates.student95(degrees)), 0.95, delta=1e-4, msg=degrees)

    def test_a_mean_has_one_degree_of_freedom_less_than_values(self):
        for values in ([1.0, 3.0], [1.0, 2.0, 4.0], [5.0, 1.0, 2.0, 2.0], [float(i * i) for i in range(12)]):
            mean, low, high, deviation = estimates.of_mean(values)
            self.assertAlmostEqual(mean, statistics.mean(values))
            self.assertAlmostEqual(deviation, statistics.stdev(values))
            t = (high - mean) / (deviation / len(values) ** 0.5)
            self.assertAlmostEqual(covered(len(values) - 1, t), 0.95, delta=1e-4)
            self.assertAlmostEqual(mean - low, high - mean)

    def test_one_value_has_no_interval(self):
        mean, low, high, deviation = estimates.of_mean([7.0])
        self.assertEqual((mean, deviation), (7.0, 0.0))
        self.assertTrue(np.isnan(low) and np.isnan(high))


if __name__ == "__main__":
    unittest.main()
