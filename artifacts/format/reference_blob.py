"""The format of a reference blob: the outputs of a model, computed in float64.

A blob is a safetensors file. For each output NAME it holds either

    NAME            the whole output, if it has at most sample_size(NAME, shape) elements, or
    NAME#2x1000     of an output of that shape a sample, the elements at sample_indices(NAME, shape)

as F64, or as F32 where narrowed() says so. "#stats" has a row for each output, sorted by name, F64: mean, population
standard deviation, L2 norm and max |x| of the whole before any rounding to F32. Metadata: "format": "assay-reference-3"
and where the numbers come from. Older formats are refused. The C++ reader is benchmarks/harness/numerics/reference.h,
which says how many elements are kept, and why.

Not for computing outputs: see compute.py, which is the only part that needs torch.
"""

import array
import functools
import math
import re
from typing import NamedTuple, Optional

from artifacts.format import philox, safetensors_file
from artifacts.format.safetensors_file import Tensor

FORMAT = "assay-reference-3"
_OF_A_ROW, _MOST_ROWS = 256, 8
DETECTIONS = "detections"  # the name of an output of boxes: all are kept, since they are compared as a set
_COARSEST = 1e-5  # of the standard deviation; a thousandth of fp16's limit, the narrowest of those that read F32
_SHAPE = re.compile(r"(0|[1-9][0-9]*)(x(0|[1-9][0-9]*))*")
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
    indices: Optional[tuple]  # sample_indices(name, shape); None: values are the whole output
    values: tuple
    stats: Stats
    dtype: str = "F64"  # of the values in the file


def sample_size(name, shape):
    """How many elements of an output are kept."""
    if _OF_A_STEP.search(name):
        return 256 if name.endswith("_norms") else 64
    if name == DETECTIONS:
        return math.prod(shape)
    return _OF_A_ROW * max(2, _rows(name, shape))


def _rows(name, shape):
    """Into how many rows the sample is divided evenly."""
    return shape[0] if shape and 2 <= shape[0] <= _MOST_ROWS and not _OF_A_STEP.search(name) else 1


@functools.lru_cache(maxsize=64)
def sample_indices(name, shape):
    """The flat indices at which an output of that shape (a tuple) is kept, or None: keep it whole.

    Philox stream (0, "sample:" + name), words scaled to [0, elements), repetitions and what a row has too many dropped,
    sorted: a function of the output's name and shape alone, so that blobs of one output stay comparable whatever else
    changes.
    """
    size, elements, rows = sample_size(name, shape), math.prod(shape), _rows(name, shape)
    if elements <= size:
        return None
    if elements > 2**32:
        raise BlobError('output "%s" has more than 2^32 elements, which 32-bit words cannot sample' % name)
    chosen, missing = set(), [size // rows] * rows
    for word in philox.words(0, "sample:" + name):
        index = (word * elements) >> 32
        row = index // (elements // rows)
        if missing[row] and index not in chosen:
            chosen.add(index)
            missing[row] -= 1
            if len(chosen) == size:
                return tuple(sorted(chosen))


def narrowed(output):
    """The output with values in F32, unless that moves one by more than a bf16 or fp16 case may let pass unseen."""
    values = tuple(array.array("f", output.values))  # infinite where it is beyond float32
    off = max((abs(a - b) for a, b in zip(values, output.values)), default=0.0)
    return output._replace(values=values, dtype="F32") if off <= _COARSEST * output.stats.std else output


def encode(outputs, metadata):
    """A blob's bytes from name -> Output; refuses numbers that are not finite."""
    tensors, stats = {}, []
    for name, output in sorted(outputs.items()):
        check(name, output)
        stats += output.stats
        if output.indices is None:
            tensors[name] = Tensor.of(output.dtype, output.values, output.shape)
        else:
            tensors[name + "#" + "x".join(map(str, output.shape))] = Tensor.of(output.dtype, output.values)
    tensors["#stats"] = Tensor.of_doubles(stats, (len(outputs), 4))
    return safetensors_file.encode(tensors, {"format": FORMAT, **metadata})


def decode(data):
    """(name -> Output, metadata) of a blob's bytes."""
    tensors, metadata = safetensors_file.decode(data)
    if metadata.get("format") != FORMAT:
        raise BlobError(
            'metadata "format" is %r, expected %r; make the blob anew: tools/bazel run //tools:generate_artifacts -- '
            "--accept-drift='%s'" % (metadata.get("format"), FORMAT, FORMAT)
        )
    stats = tensors.pop("#stats", None)
    if not tensors:
        raise BlobError("the blob holds no output")
    if stats is None or stats.dtype != "F64" or stats.shape != (len(tensors), 4):
        raise BlobError('no "#stats" in F64 with %d rows of 4 numbers, one for each output' % len(tensors))
    outputs = {}
    for name, tensor in tensors.items():
        name, output = _decode_output(name, tensor)
        if name in outputs:
            raise BlobError('output "%s" is there twice' % name)
        outputs[name] = output
    numbers = stats.values()
    for i, name in enumerate(sorted(outputs)):
        outputs[name] = outputs[name]._replace(stats=Stats(*numbers[4 * i : 4 * i + 4]))
        check(name, outputs[name])
    return outputs, metadata


def _decode_output(tensor_name, tensor):
    """(name, Output without statistics) of a tensor."""
    name, sampled, sizes = tensor_name.partition("#")
    if tensor.dtype not in ("F64", "F32"):
        raise BlobError('"%s" is %s, expected F64 or F32' % (tensor_name, tensor.dtype))
    if not sampled:
        return name, Output(tensor.shape, None, tuple(tensor.values()), None, tensor.dtype)
    if not name or not _SHAPE.fullmatch(sizes) or len(tensor.shape) != 1:
        raise BlobError('tensor "%s": neither an output nor a sample "NAME#2x1000" in one dimension' % tensor_name)
    shape = tuple(map(int, sizes.split("x")))
    return name, Output(shape, _prescribed(name, shape), tuple(tensor.values()), None, tensor.dtype)


def _prescribed(name, shape):
    """The positions of a sample of that shape."""
    size = sample_size(name, shape)
    if math.prod(shape) <= size:
        raise BlobError('output "%s" is sampled, though outputs of up to %d elements are kept whole' % (name, size))
    return sample_indices(name, shape)


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
    elif len(output.values) != len(output.indices):
        raise BlobError('output "%s": %d values, a sample has %d' % (name, len(output.values), len(output.indices)))
    bad = sum(1 for v in output.values if not math.isfinite(v))
    if bad:
        raise BlobError('output "%s": %d of %d numbers are NaN or infinite' % (name, bad, len(output.values)))
    if not all(map(math.isfinite, output.stats)):
        raise BlobError('output "%s": its statistics are NaN or infinite, so is an element' % name)
