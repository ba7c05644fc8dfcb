"""The place at which the first wrong number of a model is made, from how far each layer's call is from the other implementation's.

A layer whose output is off although its input was right is wrong itself. A layer whose input is off although all that feeds
it was right is not: something between them is, that has no tensors of its own, such as an activation, a residual sum, pooling,
attention or a concatenation. An output that is off while all that it feeds is right is no fault, since the two
implementations may cut a layer differently (scale, then add, against both at once).

    first_fault([Call("conv1", 0, Difference(0.0), Difference(4e-2), ())], [])   # "conv1: its output is wrong (rms 4.0e-02 of std), ..."

Not for: comparing tensors (differences.py). Needs no torch.
"""

from typing import NamedTuple, Optional

# In standard deviations of the reference. Both sides compute in float64, and mostly by the same kernels: of the forward
# passes of 17 implementations, 16 were equal to the bit, and maxvit_t within 2.9e-15. The limit lies far above rounding, and
# below the 1e-7 at which float32 begins. tools/locate:honest_test measures all implementations, and
# training steps, and wants them below MEASURED.
MEASURED = 1e-11
LIMIT = 1e-9


class Difference(NamedTuple):
    """How far one tensor is from another."""

    rms: Optional[float]  # of the difference, in standard deviations of the reference; None: they could not be compared
    note: str = ""  # how they were compared if not element by element, or why they could not be
    other_size: bool = False  # why they could not be: one has more values than the other

    @property
    def right(self):
        return self.rms is not None and self.rms <= LIMIT

    @property
    def off(self):
        return self.rms is not None and not self.rms <= LIMIT  # NaN is


NEVER_CALLED = Difference(None, "ours never calls it")


class Call(NamedTuple):
    """The reference's call of a layer, and how far ours is from it."""

    name: str
    number: int
    input: Difference
    output: Difference
    fed_by: tuple  # places of the calls that its input is computed of

    def text(self):
        return self.name + (" (call %d)" % (self.number + 1) if self.number else "")


class Result(NamedTuple):
    """A result of the model: an output, a loss, a gradient, a statistic."""

    name: str
    difference: Difference
    fed_by: tuple = ()


class Compared(NamedTuple):
    """A case's model, compared."""

    case: str
    rounding: str  # of weights and inputs, before float64
    provenance: str  # of the reference
    calls: list  # of Call, in the order of the reference
    ours_alone: list  # names of calls that the reference does not make
    outputs: list  # of Result
    # For a training case, of its first step:
    loss: list  # of Result
    gradients: list  # likewise, nearest to the loss first
    statistics: list


class Fault(NamedTuple):
    place: int  # of the call in whose output or input it shows; behind the last call: in a result
    text: str


def size_text(rms):
    return "exactly" if rms == 0 else "to %.0e of std" % rms


def first_fault(calls, outputs):
    """The first Fault in the order of the calls, or None. Where it comes of a tensor of another size, that is the fault: the
    two implementations may cut a layer into other sizes, so a size alone is none."""
    fault = _first_off(calls, outputs)
    return fault and (_first_size(calls, outputs, fault.place) or fault)


def _first_off(calls, outputs):
    for place, call in enumerate(calls):
        if call.input.off:
            text = "%s and %s: the input of %s is off by %s"
            return Fault(place, text % (_between(calls, call.fed_by), call.text(), call.text(), _rms(call.input)))
        if call.output.off and not _absorbed(calls, outputs, place):
            return Fault(place, "%s: its output is wrong (rms %s), %s" % (call.text(), _rms(call.output), _input(call.input)))
    for output in outputs:
        if not output.difference.right:  # one of another size too: the reference says how large it is
            how = "is off by " + _rms(output.difference) if output.difference.off else "has " + output.difference.note
            return Fault(len(calls), '%s and the end: output "%s" %s' % (_between(calls, output.fed_by), output.name, how))
    return None


def _first_size(calls, outputs, place):
    """The Fault of the first tensor of another size from which a chain of tensors that are not right leads to `place`."""
    found, waiting = set(), [place]
    while waiting:
        at = waiting.pop()
        feeding = calls[at].fed_by if at < len(calls) else [p for o in outputs if not o.difference.right for p in o.fed_by]
        new = {p for p in feeding if not calls[p].output.right} - found
        found |= new
        waiting += new
    for at in sorted(found):
        call = calls[at]
        if call.input.other_size and all(calls[p].output.right for p in call.fed_by):
            text = "%s and %s: the input of %s has %s"
            return Fault(at, text % (_between(calls, call.fed_by), call.text(), call.text(), call.input.note))
        if call.output.other_size and call.input.right:
            return Fault(at, "%s: its output has %s, %s" % (call.text(), call.output.note, _input(call.input)))
    return None


def first_off(results, what):
    """The Fault of the first of them that is off, or None; `what` ends its sentence."""
    for result in results:
        if result.difference.off:
            return Fault(0, "%s: rms %s, %s" % (result.name, _rms(result.difference), what))
    return None


def not_compared(calls, results):
    """The items that could not be compared, each with the reason."""
    texts = []
    for call in calls:
        for what, difference in (("input", call.input), ("output", call.output)):
            if difference == NEVER_CALLED:
                texts += ["%s: %s" % (call.text(), difference.note)] if what == "output" else []
            elif difference.rms is None:
                texts.append("%s of %s: %s" % (what, call.text(), difference.note))
    return texts + ["%s: %s" % (r.name, r.difference.note) for r in results if r.difference.rms is None]


def largest(differences):
    """The largest rms of those that are right."""
    return max((d.rms for d in differences if d.right), default=0.0)


def _absorbed(calls, outputs, place):
    """Whether what a call feeds is right although its output is off."""
    fed = [call.input for call in calls if place in call.fed_by]
    fed += [output.difference for output in outputs if place in output.fed_by]
    return bool(fed) and all(difference.right for difference in fed)


def _rms(difference):
    return "%.1e of std%s" % (difference.rms, difference.note and " (%s)" % difference.note)


def _input(difference):
    if difference.rms is None:
        return "its input could not be compared: %s" % difference.note
    return "its input is right (%s%s)" % (size_text(difference.rms), difference.note and ", " + difference.note)


def _between(calls, fed_by):
    """"between conv1 (right to 3e-16 of std)": the last of what feeds it, in words."""
    if not fed_by:
        return "between the model's inputs"
    last = calls[max(fed_by)]
    known = "right %s" % size_text(last.output.rms) if last.output.right else last.output.note or "off"
    earlier = len(fed_by) - 1
    other = "another layer" if earlier == 1 else "%d other layers" % earlier
    more = "; right, too: %s before it" % other if earlier and last.output.right else ""
    return "between %s (%s%s)" % (last.text(), known, more)
