"""Estimates with their 95 % intervals and standard deviations, many at a time, as arrays of numpy.

    speedups = ratio(baselines, candidates)
    means = geometric_means(speedups, model_of_each, count=number_of_models)

An unknown value is NaN, and so is everything that is computed from it: a mean has an interval only if each of its parts has one.

An interval of a ratio or of a geometric mean comes from those of its parts by the method MOVER on a logarithmic scale (Donner and
Zou, Statistical Methods in Medical Research 21 (2012)): the distances of a limit from its estimate are added as squares. So it
says how well the measured medians are known, and nothing about which models were chosen. Standard deviations follow the formulas
of pytorch/xla's aggregate.py, s * sqrt((sa/a)^2 + (sb/b)^2) and g/n * sqrt(sum (s/x)^2), for those who compare with its tables.
"""

from typing import NamedTuple

import numpy as np

# Two-sided 95 % quantiles of Student's t for 1 to 30 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2).
_T = (
    "12.706 4.303 3.182 2.776 2.571 2.447 2.365 2.306 2.262 2.228 2.201 2.179 2.160 2.145 2.131 2.120 2.110 2.101 2.093 2.086"
    " 2.080 2.074 2.069 2.064 2.060 2.056 2.052 2.048 2.045 2.042"
)
_T95 = [float(text) for text in _T.split()]
NORMAL95 = 1.959964  # the same of the normal distribution


class Estimates(NamedTuple):
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    deviation: np.ndarray  # a standard deviation

    def __getitem__(self, chosen):
        return Estimates(*(np.asarray(part)[chosen] for part in tuple(self)))

    def one(self, place):
        """(value, low, high, deviation) of one as floats; None for what is not known."""
        return tuple(None if np.isnan(part[place]) else float(part[place]) for part in tuple(self))


def student95(degrees):
    """The factor of a 95 % interval; beyond the table by the first two terms of the expansion of Cornish and Fisher."""
    if degrees <= len(_T95):
        return _T95[degrees - 1]
    z = NORMAL95
    return z + (z**3 + z) / (4 * degrees) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * degrees**2)


def of_mean(values):
    """(mean, low, high, deviation) of independent values. One value has no interval; its deviation is 0, as in aggregate.py."""
    values = np.asarray(values, float)
    mean = float(values.mean())
    if len(values) < 2:
        return mean, np.nan, np.nan, 0.0
    deviation = float(values.std(ddof=1))
    half = student95(len(values) - 1) * deviation / len(values) ** 0.5
    return mean, mean - half, mean + half, deviation


def ratio(a, b):
    """a / b of each."""
    with np.errstate(divide="ignore", invalid="ignore"):
        value = a.value / b.value
        down = np.hypot(np.log(a.value / a.low), np.log(b.high / b.value))
        up = np.hypot(np.log(a.high / a.value), np.log(b.value / b.low))
        relative = np.hypot(a.deviation / a.value, b.deviation / b.value)
        return Estimates(value, value * np.exp(-down), value * np.exp(up), value * relative)


def geometric_means(parts, group, count):
    """The geometric mean of the parts of each group, 0 to count - 1; of an empty one a NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):

        def total(values):
            return np.bincount(group, weights=values, minlength=count)

        n = np.bincount(group, minlength=count)
        value = np.exp(total(np.log(parts.value)) / n)
        down = np.sqrt(total(np.log(parts.value / parts.low) ** 2)) / n
        up = np.sqrt(total(np.log(parts.high / parts.value) ** 2)) / n
        deviation = value / n * np.sqrt(total((parts.deviation / parts.value) ** 2))
        return Estimates(value, value * np.exp(-down), value * np.exp(up), deviation)  # 0 / 0 is a NaN
