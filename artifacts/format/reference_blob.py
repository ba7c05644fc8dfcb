"""The format of a reference blob: the outputs of a model in float64.

A blob is a safetensors file. For each output NAME it holds either

    NAME            F64, the whole output, if it has at most sample_size(NAME) elements;  or a sample of it:
    NAME#values     F64, the elements at sample_indices(NAME, elements of the whole)
    NAME#shape      I64, the shape of the whole

and always NAME#stats, F64[4]: mean, population standard deviation, L2 norm and max |x| of the whole. Metadata:
"format": "assay-reference-2" and where the numbers come from. Format 1, which stored its positions, is refused. The C++
reader is benchmarks/harness/numerics/reference.h.

Not for computing outputs: see compute.py, which is the only part that needs torch.
"""

import functools
import math
import re
from typing import NamedTuple, Optional

from artifacts.format import philox, safetensors_file
from artifacts.format.safetensors_file import Tensor

FORMAT = "assay-reference-2"
_OF_A_STEP = re.compile(r"(^|\.)step[0-9]+\.")


class BlobError(ValueError):
    """The blob breaks the format; the message says in which way."""


class Stats(NamedTuple):
    mean: float
    std: float
    norm: float
    largest: float  # max |x|


class Output(NamedTuple):
    shape: tuple
    indices: Optional[tuple]  # sample_indices(name, elements); None: values are the whole output
    values: tuple
    stats: Stats


def sample_size(name):
    """How many elements of an output are kept; fewer for training steps ("adam.step3.gradients")."""
    return 256 if _OF_A_STEP.search(name) else 2048


@functools.lru_cache(maxsize=64)
def sample_indices(name, elements):
    """The flat indices at which an output of that many elements is kept, or None: keep it whole.

    Philox stream (0, "sample:" + name), words scaled to [0, elements), repetitions dropped, sorted: a function of
    the output's name and size alone, so that blobs of one output stay comparable whatever else changes.
    """
    size = sample_size(name)
    if elements <= size:
        return None
    if elements > 2**32:
        raise BlobError('output "%s" has more than 2^32 elements, which 32-bit words cannot sample' % name)
    chosen = set()
    for word in philox.words(0, "sample:" + name):
        chosen.add((word * elements) >> 32)
        if len(chosen) == size:
            return tuple(sorted(chosen))


def encode(outputs, metadata):
    """A blob's bytes from name -> Output; refuses numbers that are not finite."""
    tensors = {}
    for name, output in outputs.items():
        check(name, output)
        if output.indices is None:
            tensors[name] = Tensor.of_doubles(output.values, output.shape)
        else:
            tensors[name + "#values"] = Tensor.of_doubles(output.values)
            tensors[name + "#shape"] = Tensor.of_integers(output.shape)
        tensors[name + "#stats"] = Tensor.of_doubles(output.stats)
    return safetensors_file.encode(tensors, {"format": FORMAT, **metadata})


def decode(data):
    """(name -> Output, metadata) of a blob's bytes."""
    tensors, metadata = safetensors_file.decode(data)
    if metadata.get("format") != FORMAT:
        raise BlobError(
            'metadata "format" is %r, expected %r; make the blob anew: tools/bazel run //tools:generate_artifacts -- '
            "--accept-drift='%s'" % (metadata.get("format"), FORMAT, FORMAT)
        )
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
    values = _take(tensors, name + "#values", "F64").values()
    shape = _take(tensors, name + "#shape", "I64").values()
    return Output(tuple(shape), _prescribed(name, shape), tuple(values), Stats(*stats))


def _prescribed(name, shape):
    """The positions of a sample of that shape."""
    elements = math.prod(shape)
    if min(shape, default=0) < 0 or elements <= sample_size(name):
        raise BlobError(
            'output "%s" is sampled, though outputs of up to %d elements are kept whole' % (name, sample_size(name))
        )
    return sample_indices(name, elements)


def _take(tensors, name, dtype):
    if name not in tensors:
        raise BlobError('no tensor "%s"' % name)
    if tensors[name].dtype != dtype:
        raise BlobError('"%s" is %s, expected %s' % (name, tensors[name].dtype, dtype))
    return tensors.pop(name)


def check(name, output):
    """Raises BlobError for an output that must not be in a blob."""
    elements = math.prod(output.shape)
    if not elements:
        raise BlobError('output "%s" is empty (shape %s): nothing could be compared' % (name, list(output.shape)))
    if output.indices is None:
        if len(output.values) != elements:
            raise BlobError('output "%s": %d values for %d elements' % (name, len(output.values), elements))
    elif output.indices != _prescribed(name, output.shape):
        raise BlobError('output "%s" is sampled at other positions than sample_indices() says' % name)
    elif len(output.values) != sample_size(name):
        raise BlobError('output "%s": %d values, a sample has %d' % (name, len(output.values), sample_size(name)))
    bad = sum(1 for v in output.values if not math.isfinite(v))
    if bad:
        raise BlobError('output "%s": %d of %d numbers are NaN or infinite' % (name, bad, len(output.values)))
    if not all(map(math.isfinite, output.stats)):
        raise BlobError('output "%s": its statistics are NaN or infinite, so is an element' % name)
