"""Seeded damage to files, as mutation.h does for C++: the same on every machine, blind to coverage.

    generator = random.Random(0)
    data = mutated([b"one file", b"another"], generator)
"""

import re

_LIKELY = b"{}[](),:\"'\\0123456789-+.eE_#/ \n\t\r<>\x80\xff\x7f"
_EDGES = [0, 1, 7, 8, 0x7F, 0xFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1, 10**30]
_LARGEST = 1 << 17


def _change(data, corpus, generator):
    at = generator.randint(0, len(data))
    length = generator.randint(0, 200 if generator.random() < 0.25 else 8)
    other = generator.choice(corpus)
    source = generator.randint(0, len(other))
    kind = generator.randrange(7)
    if kind == 0 and at < len(data):
        return data[:at] + bytes([data[at] ^ (1 << generator.randrange(8))]) + data[at + 1 :]
    if kind == 1:
        return data[:at] + bytes([generator.choice(_LIKELY)]) + data[at + 1 :]
    if kind == 2:
        return data[:at] + data[at + length :]
    if kind == 3:
        return data[:at] + bytes([generator.choice(_LIKELY)]) * length + data[at:]
    if kind == 4:
        return data[:at] + other[source : source + length] + data[at:]
    if kind == 5:  # a number of the text
        number = str(generator.choice(_EDGES) + generator.randint(-1, 1)).encode()
        return data[:at] + re.sub(rb"[0-9]+", number, data[at:], count=1)
    return data[:at] + other[source:]


def mutated(corpus, generator):
    """One file of `corpus`, changed in one to four places."""
    data = generator.choice(corpus)
    for _ in range(generator.randint(1, 4)):
        data = _change(data, corpus, generator)
    return data[:_LARGEST]


def reframed(data):
    """A safetensors file whose length fits its header again: what the payload is, is what follows the last '}'."""
    end = data.rfind(b"}", 8)
    return data if end < 8 else (end - 7).to_bytes(8, "little") + data[8:]
