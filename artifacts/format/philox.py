"""Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011), keyed by a name.

The same generator as defs/case/philox.h, for the few thousand words that choose sample indices.
Not for filling tensors: the runner does that (--export-state, --export-inputs).
"""

_MASK = 0xFFFFFFFF
_MULTIPLIER_0, _MULTIPLIER_1 = 0xD2511F53, 0xCD9E8D57
_WEYL_0, _WEYL_1 = 0x9E3779B9, 0xBB67AE85


def block(counter, key):
    """Four 32-bit words from a counter of four words and a key of two."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p0, p1 = _MULTIPLIER_0 * c0, _MULTIPLIER_1 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & _MASK, (p0 >> 32) ^ c3 ^ k1, p0 & _MASK
        k0, k1 = (k0 + _WEYL_0) & _MASK, (k1 + _WEYL_1) & _MASK
    return c0, c1, c2, c3


def fnv1a_64(text):
    """FNV-1a of the UTF-8 bytes: turns a tensor's name into the upper half of the counter."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8"):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def words(seed, name):
    """Endless 32-bit words of the stream (seed, name); word e is word e % 4 of block e // 4."""
    key = (seed & _MASK, seed >> 32)
    upper = fnv1a_64(name)
    number = 0
    while True:
        yield from block((number & _MASK, number >> 32, upper & _MASK, upper >> 32), key)
        number += 1
