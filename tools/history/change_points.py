"""The points at which a series changed its level, and how noisy it is by its own past.

    noise(values)       -> the relative change between neighbours that is not unusual for this series: 0.012; None: too few
    changes(values)     -> [Change(place, before, after, p_value)], in the order of the series

noise() is rustc-perf's significance threshold: the third quartile of the changes so far, and three interquartile ranges more; a
change is significant for a series that is seldom so far from its neighbour. A quiet series thus gets a narrow band and a noisy
one a wide one, without a number set by hand.

changes() looks for the cut of the series whose sides differ most in their ranks, each standardised by the number of points on its
sides, and asks how often a random order of as many points gives as large a maximum. Where that is not rare it asks the same of
stretches inside, which a slow-down and its revert leave and no single cut shows. What is divided is divided again (circular binary
segmentation: Olshen, Venkatraman, Lucito and Wigler, Biostatistics 5, 2004, here with ranks, so that an outlier is one point among
others). The maximum is permuted and not the cut that was found, so that having chosen it costs nothing: of 1000 series without a
change at most two are said to have one, of whatever distribution. What random orders give depends on how many points there are and
on nothing else, so it is computed once for all series of a length: the page of a report looks at thousands. Equal values share a
rank, which makes no maximum larger. Neighbours must not be more alike than others, which is why a series has one point for a commit
and a day.

Not for deciding whether a commit is slower: history says where to look, //tools:compare measures it (`bisect`).
"""

import functools
from typing import NamedTuple

import numpy

LEVEL = 0.001
SMALLEST = 0.005  # relative; what tools:compare calls a difference, too
_ENDS = 3  # points on each side of a split, at least
_FEWEST_STEPS = 5
_FEWEST, _MOST, _NUMBERS = 1999, 49999, 5e6  # random orders of a length, as many as need so many numbers
_BATCH = 256
_EACH_LENGTH = 64  # up to here lengths have random orders of their own, beyond it the next one of those that grow by an eighth


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
    p_values = {}
    _divide(values, 0, len(values), p_values)
    if not p_values:
        return []
    cuts = _placed(numpy.log(values), sorted(p_values))
    edges = [0, *cuts, len(values)]
    levels = [float(numpy.median(values[begin:end])) for begin, end in zip(edges, edges[1:])]
    found = [
        Change(place, *levels[i : i + 2], p_value)
        for i, (place, (_, p_value)) in enumerate(zip(cuts, sorted(p_values.items())))
    ]
    return [change for change in found if abs(numpy.log(change.ratio)) >= SMALLEST]


def _divide(values, begin, end, p_values):
    if end - begin < 2 * _ENDS:
        return
    ranks = _ranks(values[begin:end])
    for differences in (_of_cuts, _of_stretches):
        p_value = _p_value(ranks, differences)
        if p_value <= LEVEL:
            edges = [begin, *(begin + at for at in _largest_of(ranks, differences)), end]
            p_values.update((at, p_value) for at in edges[1:-1])
            for first, behind in zip(edges, edges[1:]):
                _divide(values, first, behind, p_values)
            return


def _placed(values, cuts):
    """Each cut where, between its neighbours, two levels are nearest to the values, by the sum of distances, which an outlier
    does not draw to itself. Ranks find that there is a change, and its place only to within some points."""
    edges = [0, *cuts, len(values)]
    for i in range(1, len(edges) - 1):
        begin, end = edges[i - 1], edges[i + 1]
        splits = range(begin + _ENDS, end - _ENDS + 1)
        parts = {at: numpy.split(values[begin:end], [at - begin]) for at in splits}
        edges[i] = min(splits, key=lambda at: sum(numpy.abs(p - numpy.median(p)).sum() for p in parts[at]))
    return edges[1:-1]


def _ranks(values):
    """Centred; equal values have equal ranks."""
    _, places, counts = numpy.unique(values, return_inverse=True, return_counts=True)
    last = numpy.cumsum(counts)
    return (last - (counts - 1) / 2)[places] - (len(values) + 1) / 2


def _sums(rows):
    return numpy.concatenate([numpy.zeros((len(rows), 1)), numpy.cumsum(rows, axis=1)], axis=1)


def _of_cuts(rows):
    """(cuts, how much their sides differ) of rows of centred ranks."""
    count = rows.shape[1]
    sizes = numpy.arange(_ENDS, count - _ENDS + 1)
    yield [(int(size),) for size in sizes], numpy.abs(_sums(rows)[:, sizes]) / numpy.sqrt(sizes * (count - sizes))


def _of_stretches(rows):
    """The same of stretches inside, and the rest."""
    count, sums = rows.shape[1], _sums(rows)
    for size in range(_ENDS, count - 2 * _ENDS + 1):
        ends = range(_ENDS + size, count - _ENDS + 1)
        inside = sums[:, ends.start : ends.stop] - sums[:, _ENDS : ends.stop - size]
        yield [(end - size, end) for end in ends], numpy.abs(inside) / numpy.sqrt(size * (count - size))


def _largest(rows, differences):
    return numpy.maximum.reduce([found.max(axis=1) for _, found in differences(rows)])


def _largest_of(ranks, differences):
    found = [(float(ones[0].max()), cuts[ones[0].argmax()]) for cuts, ones in differences(ranks[None, :])]
    return max(found)[1]


def _p_value(ranks, differences):
    if differences is _of_stretches and len(ranks) < 3 * _ENDS:
        return 1.0
    length = _EACH_LENGTH
    while length < len(ranks):  # a maximum over more cuts is larger, so a longer series makes no p-value too small
        length += length // 8
    random = _of_random_orders(len(ranks) if length == _EACH_LENGTH else length, differences)
    statistic = _largest(ranks[None, :], differences)[0] - 1e-9
    return (len(random) - numpy.searchsorted(random, statistic) + 1) / (len(random) + 1)


@functools.cache
def _of_random_orders(length, differences):
    """The largest differences of random orders, sorted. Of n points there are n cuts, but n * n / 2 stretches."""
    permutations = int(_NUMBERS / (length if differences is _of_cuts else length * length / 2))
    permutations = min(max(permutations, _FEWEST), _MOST)
    random = numpy.random.Generator(numpy.random.PCG64(length))
    ranks, found = _ranks(numpy.arange(length)), []
    for first in range(0, permutations, _BATCH):
        rows = random.permuted(numpy.tile(ranks, (min(_BATCH, permutations - first), 1)), axis=1)
        found.append(_largest(rows, differences))
    return numpy.sort(numpy.concatenate(found))
