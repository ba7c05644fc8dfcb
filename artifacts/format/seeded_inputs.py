"""Seeded inputs as the runner makes them (benchmarks/harness/numerics/seeded_tensor.h), in plain Python.

    values({"name": "x", "dtype": "INT64", "shape": ["2", "8"], "distribution": {"integers": {"limit": "100"}}}, seed=0)

A spec is assay.TensorSpec as protobuf JSON, with its dtype set. All arithmetic is on integers, or IEEE's +, *, /, sqrt on
doubles, then one rounding to float32: the same bits as in C++, to which both are held by testdata/seeded_inputs.json.
Far too slow for the inputs of a large model: the runner exports those (--export-inputs).
"""

import bisect
import itertools
import math
import struct

from artifacts.format import philox

_GOLDEN_RATIO = 0x9E3779B97F4A7C15
_LONGEST_ZIPF = 1 << 24


class SpecError(ValueError):
    """The spec describes no tensor; the message names the input."""


def values(spec, seed=0, at_most=None):
    """The flat elements, row-major, or the first of them: floats rounded to float32, or integers."""
    count = math.prod(_shape(spec))
    count = count if at_most is None else min(count, at_most)
    kind, content = _kind(spec)
    if kind not in _KINDS:
        raise SpecError('input "%s": unknown distribution %r; one of %s' % (spec["name"], kind, ", ".join(sorted(_KINDS))))
    words = philox.words(seed, "input:" + spec["name"])
    return list(itertools.islice(_KINDS[kind](spec, content, words), count))


def _shape(spec):
    return [int(d) for d in spec.get("shape", [])]


def _kind(spec):
    items = list(spec.get("distribution", {}).items())
    if len(items) != 1:
        raise SpecError('input "%s": its distribution must be of one kind, not %d' % (spec["name"], len(items)))
    return items[0]


def _float32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def _uniform(spec, content, words):
    low, high = content.get("low", 0.0), content.get("high", 0.0)
    for word in words:
        if low == 0 and high == 0:
            yield _float32(1.7320508075688772 * (((word >> 8) - (1 << 23)) * 2.0**-23))
        else:
            yield _float32(low + (high - low) * ((word >> 8) * 2.0**-24))


def _normal(spec, content, words):
    mean, stddev = content.get("mean", 0.0), content.get("stddev", 0.0) or 1.0
    while True:
        total = sum(word >> 8 for word in itertools.islice(words, 12)) - 6 * ((1 << 24) - 1)
        yield _float32(mean + stddev * (total * 2.0**-24))


def _integers(spec, content, words):
    low, limit = int(content.get("low", 0)), int(content.get("limit", 0))
    drawn = (low + ((word * (limit - low)) >> 32) for word in words)
    if run := int(content.get("run", 0)):
        size = _shape(spec)[-1]
        return (limit if 1 <= element % size <= run else value for element, value in enumerate(drawn))
    if not content.get("sorted"):
        return drawn
    rows = (sorted(itertools.islice(drawn, _shape(spec)[-1])) for _ in itertools.count())
    return itertools.chain.from_iterable(rows)


def _power(base, quarters):
    power = 1.0
    for _ in range(quarters // 4):
        power *= base
    root = math.sqrt(base)
    if quarters % 4 >= 2:
        power *= root
    if quarters % 2:
        power *= math.sqrt(root)
    return power


def _zipf(spec, content, words):
    quarters, limit = content["exponent"] * 4, int(content.get("limit", 0))
    if quarters != int(quarters) or not 0 < quarters <= 32:
        raise SpecError('input "%s": zipf needs an exponent that is a multiple of 0.25 from 0.25 to 8' % spec["name"])
    if not 1 <= limit <= _LONGEST_ZIPF:
        raise SpecError('input "%s": zipf needs a limit from 1 to %d' % (spec["name"], _LONGEST_ZIPF))
    sums, total = [], 0.0
    for k in range(limit):
        total += 1.0 / _power(float(k + 1), int(quarters))
        sums.append(total)
    return (bisect.bisect_right(sums, word * 2.0**-32 * total) for word in words)


def _rows(spec, ones):
    size = _shape(spec)[-1]
    for row in itertools.count():
        first, last = ones(row, size)
        yield from (1 if first <= column < last else 0 for column in range(size))


def _prefix_mask(spec, content, words):
    def ones(row, size):
        zeros = (row + 1) % 4 * (size // 8)
        return (zeros, size) if content.get("at_end") else (0, size - zeros)

    return _rows(spec, ones)


def _segments(spec, content, words):
    return _rows(spec, lambda row, size: (size // 2, size))


def _bernoulli(spec, content, words):
    bound = content.get("p", 0.0) * 2.0**32
    return (1 if word < bound else 0 for word in words)


def _bag_offsets(spec, content, words):
    size, spread = int(content["bag_size"]), int(content.get("spread", 0))
    sizes = (size - ((word * (spread + 1)) >> 32) for word in words)
    return itertools.accumulate(sizes, initial=0)


def _time_steps(spec, content, words):
    limit = int(content["limit"])
    for element in itertools.count(1):
        yield ((((element * _GOLDEN_RATIO) & (2**64 - 1)) >> 32) * limit) >> 32


def _boxes(spec, content, words):
    limit = int(content["limit"])
    while True:
        drawn = list(itertools.islice(words, 4))
        first = [(word * limit) >> 32 for word in drawn[:2]]
        yield from first
        yield from (low + ((word * (limit - low)) >> 32) for low, word in zip(first, drawn[2:]))


_KINDS = {
    "uniform": _uniform,
    "normal": _normal,
    "integers": _integers,
    "zipf": _zipf,
    "prefix_mask": _prefix_mask,
    "segments": _segments,
    "bernoulli": _bernoulli,
    "bag_offsets": _bag_offsets,
    "time_steps": _time_steps,
    "boxes": _boxes,
}
