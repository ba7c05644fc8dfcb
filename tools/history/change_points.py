"""Where a series changed its level, and how noisy it is by its own past.

    noise(values)       -> the relative change between neighbours that is not unusual for this series: 0.012; None: too few
    changes(values)     -> [Change(place, before, after, p_value)], in the order of the series

noise() is rustc-perf's significance threshold: the third quartile of the changes so far, and three interquartile ranges more; a
change is significant for a series that is seldom so far from its neighbour. A quiet series thus gets a narrow band and a noisy
one a wide one, without a number set by hand.

changes() looks at the split of the series whose two sides differ most in their ranks, standardised by the number of points on
them, and asks how often a random order of the same points gives as large a maximum; of what is divided each part is divided
again (hierarchical division with a permutation test, as E-divisive: Matteson and James, J. Am. Stat. Assoc. 109, 2014, here with
ranks in place of energy distances, so that an outlier is one point among others). The maximum is permuted and not the split that
was found, so that having chosen it costs nothing: of 1000 series without a change, one is said to have one, of whatever
distribution. Neighbours must not be more alike than others, which is why a series has one point for a commit and a day.

Not for deciding whether a commit is slower: history says where to look, //tools:compare measures it (`bisect`).
"""

from typing import NamedTuple

import numpy

LEVEL = 0.001
SMALLEST = 0.005  # relative; what tools:compare calls a difference, too
_ENDS = 3  # points on each side of a split, at least
_FEWEST_STEPS = 5
_PERMUTATIONS = 9999
_BATCH = 256
_ENOUGH = 20  # random orders that are as extreme: then there is no change, whatever the others are


class Change(NamedTuple):
    place: int  # the first point of the new level
    before: float  # medians
    after: float
    p_value: float

    @property
    def ratio(self):
        return self.after / self.before


def noise(values):
    steps = numpy.abs(numpy.diff(numpy.log(values)))
    if len(steps) < _FEWEST_STEPS:
        return None
    first, third = numpy.quantile(steps, [0.25, 0.75])
    return max(float(numpy.expm1(third + 3 * (third - first))), SMALLEST)


def changes(values):
    """`values` are positive."""
    values = numpy.asarray(values, float)
    cuts = []
    _divide(values, 0, len(values), cuts)
    if not cuts:
        return []
    edges = [0, *sorted(place for place, _ in cuts), len(values)]
    levels = [float(numpy.median(values[begin:end])) for begin, end in zip(edges, edges[1:])]
    p_values = dict(cuts)
    found = [Change(place, *levels[i : i + 2], p_values[place]) for i, place in enumerate(edges[1:-1])]
    return [change for change in found if abs(numpy.log(change.ratio)) >= SMALLEST]


def _divide(values, begin, end, cuts):
    if end - begin < 2 * _ENDS:
        return
    ranks = _ranks(values[begin:end])
    p_value = _p_value(ranks, _largest(ranks[None, :])[0])
    if p_value <= LEVEL:
        place = begin + _split(numpy.log(values[begin:end]))
        cuts.append((place, p_value))
        _divide(values, begin, place, cuts)
        _divide(values, place, end, cuts)


def _ranks(values):
    """Centred; equal values have equal ranks."""
    _, places, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    last = numpy.cumsum(counts)
    return (last - (counts - 1) / 2)[places] - (len(values) + 1) / 2


def _split(values):
    """Where two levels are nearest to the values, by the sum of distances, which an outlier does not draw to itself. Ranks
    find that there is a change, and its place only to within some points."""
    splits = range(_ENDS, len(values) - _ENDS + 1)
    return min(
        splits, key=lambda at: sum(numpy.abs(part - numpy.median(part)).sum() for part in numpy.split(values, [at]))
    )


def _largest(rows):
    """Of each row of centred ranks the largest difference between two sides of a split."""
    count = rows.shape[1]
    sizes = numpy.arange(_ENDS, count - _ENDS + 1)
    sums = numpy.abs(numpy.cumsum(rows, axis=1)[:, sizes - 1])
    standardised = sums / numpy.sqrt(sizes * (count - sizes))
    return standardised.max(axis=1)


def _p_value(ranks, statistic):
    """Stops early where it cannot become small (Besag and Clifford, Biometrika 78, 1991)."""
    random = numpy.random.Generator(numpy.random.PCG64(len(ranks)))
    extreme = tried = 0
    while tried < _PERMUTATIONS and extreme < _ENOUGH:
        rows = random.permuted(numpy.tile(ranks, (min(_BATCH, _PERMUTATIONS - tried), 1)), axis=1)
        extreme += int((_largest(rows) >= statistic - 1e-9).sum())
        tried += len(rows)
    return (extreme + 1) / (tried + 1)
