"""The format of a reference blob: what a model's outputs should be, in float64.

A blob is a safetensors file. For each output NAME it holds either

    NAME            F64, the whole output, if it has at most 16384 elements;  or a sample of it:
    NAME#indices    I64, 4096 flat row-major indices, sorted, without repetition
    NAME#values     F64, the elements there
    NAME#shape      I64, the shape of the whole

and always NAME#stats, F64[4]: mean, population standard deviation, L2 norm and max |x| of the whole. Metadata:
"format": "assay-reference-1" and where the numbers come from. The C++ reader is benchmarks/harness/numerics/reference.h.

Not for computing outputs: see compute.py, which is the only part that needs torch.
"""

import math
from typing import NamedTuple, Optional

from artifacts.format import philox, safetensors_file
from artifacts.format.safetensors_file import Tensor

FORMAT = "assay-reference-1"
WHOLE_LIMIT = 16384
SAMPLE_SIZE = 4096


class BlobError(ValueError):
    """The blob breaks the format; the message says in which way."""


class Stats(NamedTuple):
    mean: float
    std: float
    norm: float
    largest: float  # max |x|


class Output(NamedTuple):
    shape: tuple
    indices: Optional[tuple]  # None: values are the whole output
    values: tuple
    stats: Stats


def sample_indices(name, elements):
    """The flat indices at which an output of that many elements is kept, or None: keep it whole.

    Philox stream (0, "sample:" + name), words scaled to [0, elements), repetitions dropped, sorted: a function of
    the output's name and size alone, so that blobs of one output stay comparable whatever else changes.
    """
    if elements <= WHOLE_LIMIT:
        return None
    if elements > 2**32:
        raise BlobError('output "%s" has %d elements; 32-bit words sample at most 2^32' % (name, elements))
    chosen = set()
    for word in philox.words(0, "sample:" + name):
        chosen.add((word * elements) >> 32)
        if len(chosen) == SAMPLE_SIZE:
            return tuple(sorted(chosen))


def encode(outputs, metadata):
    """A blob's bytes from name -> Output; refuses numbers that are not finite."""
    tensors = {}
    for name, output in outputs.items():
        check(name, output)
        if output.indices is None:
            tensors[name] = Tensor.of_doubles(output.values, output.shape)
        else:
            tensors[name + "#indices"] = Tensor.of_integers(output.indices)
            tensors[name + "#values"] = Tensor.of_doubles(output.values)
            tensors[name + "#shape"] = Tensor.of_integers(output.shape)
        tensors[name + "#stats"] = Tensor.of_doubles(output.stats)
    return safetensors_file.encode(tensors, {"format": FORMAT, **metadata})


def decode(data):
    """(name -> Output, metadata) of a blob's bytes."""
    tensors, metadata = safetensors_file.decode(data)
    if metadata.get("format") != FORMAT:
        raise BlobError('metadata "format" is %r, expected %r' % (metadata.get("format"), FORMAT))
    names = sorted(key[: -len("#stats")] for key in tensors if key.endswith("#stats"))
    outputs = {name: _decode_output(name, tensors) for name in names}
    if not outputs:
        raise BlobError("the blob holds no output")
    if tensors:
        raise BlobError("tensors that belong to no output: %s" % ", ".join(sorted(tensors)))
    for name, output in outputs.items():
        check(name, output)
    return outputs, metadata


def _decode_output(name, tensors):
    stats = _take(tensors, name + "#stats", "F64").values()
    if len(stats) != 4:
        raise BlobError('"%s#stats" has %d numbers, expected 4' % (name, len(stats)))
    if name in tensors:
        whole = _take(tensors, name, "F64")
        return Output(whole.shape, None, tuple(whole.values()), Stats(*stats))
    indices = _take(tensors, name + "#indices", "I64").values()
    values = _take(tensors, name + "#values", "F64").values()
    shape = _take(tensors, name + "#shape", "I64").values()
    return Output(tuple(shape), tuple(indices), tuple(values), Stats(*stats))


def _take(tensors, name, dtype):
    if name not in tensors:
        raise BlobError('no tensor "%s"' % name)
    if tensors[name].dtype != dtype:
        raise BlobError('"%s" is %s, expected %s' % (name, tensors[name].dtype, dtype))
    return tensors.pop(name)


def check(name, output):
    """Raises BlobError for an output that no blob may hold."""
    elements = math.prod(output.shape)
    if not elements:
        raise BlobError('output "%s" is empty (shape %s): nothing could be compared' % (name, list(output.shape)))
    if output.indices is None:
        if len(output.values) != elements:
            raise BlobError('output "%s": %d values for %d elements' % (name, len(output.values), elements))
    elif len(output.indices) != len(output.values) or not output.values:
        raise BlobError('output "%s": %d indices, %d values' % (name, len(output.indices), len(output.values)))
    elif output.indices[0] < 0 or output.indices[-1] >= elements or any(
        a >= b for a, b in zip(output.indices, output.indices[1:])
    ):
        raise BlobError('output "%s": indices are not sorted, repeat, or leave the shape' % name)
    bad = sum(1 for v in output.values if not math.isfinite(v))
    if bad:
        raise BlobError('output "%s": %d of %d numbers are NaN or infinite' % (name, bad, len(output.values)))
    if not all(map(math.isfinite, output.stats)):
        raise BlobError('output "%s": its statistics are NaN or infinite, so is an element' % name)
