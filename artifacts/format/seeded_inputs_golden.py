"""Rewrites testdata/seeded_inputs.json, the values that tests of seeded_inputs.py and numerics/seeded_tensor compare
with.

    python3 -m artifacts.format.seeded_inputs_golden        from the root of the tree
"""

import hashlib
import json
import os
import struct

from artifacts.format import seeded_inputs

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "testdata", "seeded_inputs.json")
_SHOWN = 8  # of each tensor; the digest is that of all elements, as little-endian float32 or int64
_LARGE_SEED = 0x123456789ABCDEF0


def specs():
    """(spec, seed) of at least one tensor of each kind."""

    def tensor(dtype, shape, seed=0, **distribution):
        return {"name": "x", "dtype": dtype, "shape": shape, "distribution": distribution}, seed

    yield tensor("FP32", [3, 1001], uniform={})
    yield tensor("FP32", [3, 1001], seed=_LARGE_SEED, uniform={})
    yield tensor("FP32", [3, 1001], uniform={"low": -0.1, "high": 0.7})
    yield tensor("FP32", [7, 143], normal={})
    yield tensor("FP32", [7, 143], seed=7, normal={"mean": 0.3, "stddev": 1.7})
    yield tensor("INT64", [3, 1001], integers={"limit": "30522"})
    yield tensor("INT32", [3, 1001], integers={"low": "-2147483648", "limit": "2147483648"})
    yield tensor("BOOL", [3, 1001], integers={"limit": "2"})
    yield tensor("INT64", [3, 1001], integers={"limit": "50", "sorted": True})
    yield tensor("INT32", [3, 101], seed=7, integers={"low": "-3", "limit": "2147483648", "sorted": True})
    yield tensor("INT64", [3, 101], integers={"low": "-3", "limit": "50", "run": "7"})
    yield tensor("INT32", [2, 2, 8], seed=7, integers={"limit": "2", "run": "7"})
    yield tensor("INT64", [3, 1001], zipf={"exponent": 1.0, "limit": "1000"})
    yield tensor("INT64", [3, 1001], zipf={"exponent": 1.25, "limit": "100003"})
    yield tensor("INT32", [3, 1001], seed=7, zipf={"exponent": 0.75, "limit": "4096"})
    yield tensor("INT64", [3, 1001], zipf={"exponent": 2.5, "limit": "1"})
    yield tensor("INT64", [6, 129], prefix_mask={})
    yield tensor("BOOL", [2, 3, 16], prefix_mask={})
    yield tensor("INT64", [6, 129], prefix_mask={"at_end": True})
    yield tensor("INT64", [3, 5], segments={})
    yield tensor("BOOL", [3, 1001], bernoulli={"p": 0.3})
    yield tensor("INT64", [3, 1001], seed=_LARGE_SEED, bernoulli={"p": 1.0})
    yield tensor("INT64", [17], bag_offsets={"bag_size": "20"})
    yield tensor("INT64", [1001], bag_offsets={"bag_size": "20", "spread": "20"})
    yield tensor("INT32", [1001], seed=_LARGE_SEED, bag_offsets={"bag_size": "100", "spread": "99"})
    yield tensor("INT64", [129], time_steps={"limit": "1000"})
    yield tensor("INT64", [3, 101, 4], boxes={"limit": "1001"})


def rows():
    for spec, seed in specs():
        values = seeded_inputs.values(spec, seed)
        code = "f" if spec["dtype"] in ("FP32",) else "q"
        digest = hashlib.sha256(struct.pack("<%d%s" % (len(values), code), *values)).hexdigest()
        yield {"spec": spec, "seed": seed, "first": values[:_SHOWN], "sha256": digest}


def render():
    return "[\n" + ",\n".join(json.dumps(row) for row in rows()) + "\n]\n"


def main():
    os.makedirs(os.path.dirname(PATH), exist_ok=True)
    with open(PATH, "w", encoding="utf-8") as f:
        f.write(render())


if __name__ == "__main__":
    main()
