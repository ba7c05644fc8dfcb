"""Reads and writes safetensors with the standard library alone.

The reader is as strict as the suite's C++ one (benchmarks/harness/tensor_files/safetensors.h): any hostile or damaged
file ends in a SafetensorsError with the reason. The writer's bytes are a function of its arguments: tensors sorted by
name, metadata by key, header padded with spaces to eight bytes.

Not for big states: everything is in memory at once.

    write("a.safetensors", {"x": Tensor.of_doubles([1.0, 2.0])}, {"format": "example"})
    tensors, metadata = read("a.safetensors")
"""

import array
import json
import math
import struct
import sys
from typing import NamedTuple

from artifacts.format import atomic_file

ITEM_BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}
_ARRAY_CODE = {"F64": "d", "F32": "f", "I64": "q", "I32": "i"}
_LONGEST_HEADER = 100_000_000

assert sys.byteorder == "little", "the format is little-endian, and so is every machine of this suite"


class SafetensorsError(ValueError):
    """The file is not safetensors; the message says in which way."""


class Tensor(NamedTuple):
    dtype: str  # a key of ITEM_BYTES
    shape: tuple
    data: bytes  # row-major, little-endian

    @staticmethod
    def of_doubles(values, shape=None):
        return Tensor.of("F64", values, shape)

    @staticmethod
    def of_integers(values, shape=None):
        return Tensor.of("I64", values, shape)

    @staticmethod
    def of(dtype, values, shape=None):
        numbers = array.array(_ARRAY_CODE[dtype], values)
        shape = (len(numbers),) if shape is None else tuple(shape)
        assert math.prod(shape) == len(numbers), (shape, len(numbers))
        return Tensor(dtype, shape, numbers.tobytes())

    def values(self):
        """The elements as an array.array; F64, F32, I64 and I32 only."""
        numbers = array.array(_ARRAY_CODE[self.dtype])
        numbers.frombytes(self.data)
        return numbers


def encode(tensors, metadata):
    """The file's bytes. `metadata` maps strings to strings."""
    header = {"__metadata__": dict(sorted(metadata.items()))} if metadata else {}
    position = 0
    for name, tensor in sorted(tensors.items()):
        assert len(tensor.data) == math.prod(tensor.shape) * ITEM_BYTES[tensor.dtype], name
        end = position + len(tensor.data)
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [position, end]}
        position = end
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + b"".join(t.data for _, t in sorted(tensors.items()))


def write(path, tensors, metadata):
    """Writes the file as a whole or not at all."""
    atomic_file.write(path, encode(tensors, metadata))


def read(path):
    with open(path, "rb") as f:
        return decode(f.read())


def check_finite(path):
    """Raises SafetensorsError where a float number of the file is NaN or infinite, which the format itself allows."""
    for name, tensor in read(path)[0].items():
        if tensor.dtype in ("F64", "F32"):
            values = tensor.values()
            bad = len(values) - sum(map(math.isfinite, values))
            if bad:
                raise SafetensorsError('tensor "%s": %d of %d numbers are NaN or infinite' % (name, bad, len(values)))
        elif tensor.dtype in ("F16", "BF16"):
            raise SafetensorsError('tensor "%s" is %s, want F32' % (name, tensor.dtype))


def decode(data):
    """(name -> Tensor, metadata) of a file's bytes."""
    header, start = _header(data)
    metadata = header.pop("__metadata__", None)
    if metadata is None:  # null is none, as for the format's own library
        metadata = {}
    if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
        raise SafetensorsError("__metadata__ is not a map from strings to strings")
    payload = memoryview(data)[start:]
    spans, tensors = [], {}
    for name, entry in header.items():
        dtype, shape, begin, end = _entry(name, entry, len(payload))
        spans.append((begin, end, name))
        tensors[name] = Tensor(dtype, shape, bytes(payload[begin:end]))
    position = 0
    for begin, end, name in sorted(spans):
        if begin != position:
            text = 'tensor "%s" begins at byte %d, expected %d: overlap or hole'
            raise SafetensorsError(text % (name, begin, position))
        position = end
    if position != len(payload):
        raise SafetensorsError("%d bytes follow the last tensor" % (len(payload) - position))
    return tensors, metadata


def _header(data):
    if len(data) < 8:
        raise SafetensorsError("%d bytes are too few for a header" % len(data))
    (length,) = struct.unpack_from("<Q", data)
    if length > min(_LONGEST_HEADER, len(data) - 8):
        raise SafetensorsError("header of %d bytes in a file of %d: truncated or not safetensors" % (length, len(data)))
    if data[8:9] != b"{":
        raise SafetensorsError("the header does not begin with '{'")
    try:
        header = json.loads(bytes(data[8 : 8 + length]).decode("utf-8"), object_pairs_hook=_without_duplicates)
        json.dumps(header, ensure_ascii=False).encode("utf-8")  # refuses "\ud800", which is no character
    except RecursionError:  # whose text is another in each Python
        raise SafetensorsError("the header is nested too deeply") from None
    except ValueError as error:
        raise SafetensorsError("the header is not JSON: %s" % error) from None
    return header, 8 + length


def _without_duplicates(pairs):
    entries = dict(pairs)
    if len(entries) != len(pairs):
        seen = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise SafetensorsError("duplicate key %r" % twice)
    return entries


def _is_count(value):
    return type(value) is int and 0 <= value < 2**63


def _entry(name, entry, payload_bytes):
    if not isinstance(entry, dict) or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise SafetensorsError('tensor "%s": an entry has dtype, shape and data_offsets' % name)
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in ITEM_BYTES:
        raise SafetensorsError('tensor "%s": unknown dtype %r' % (name, dtype))
    if not isinstance(shape, list) or not all(map(_is_count, shape)):
        raise SafetensorsError('tensor "%s": bad shape %r' % (name, shape))
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_is_count, offsets)):
        raise SafetensorsError('tensor "%s": bad data_offsets %r' % (name, offsets))
    # Zeros counted as ones, so that strides fit as well.
    if math.prod(max(size, 1) for size in shape) * ITEM_BYTES[dtype] >= 2**63:
        raise SafetensorsError('tensor "%s": shape %s is too large' % (name, shape))
    begin, end = offsets
    if not begin <= end <= payload_bytes:
        raise SafetensorsError('tensor "%s": bytes %d to %d of %d' % (name, begin, end, payload_bytes))
    if end - begin != math.prod(shape) * ITEM_BYTES[dtype]:
        raise SafetensorsError('tensor "%s": %d bytes do not make %s of %s' % (name, end - begin, shape, dtype))
    return dtype, tuple(shape), begin, end
