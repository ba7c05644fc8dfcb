"""How far a tensor is from the reference's, whatever layout each keeps its numbers in. Needs torch.

    difference(ours, reference)          # Difference(rms=3e-16, note="")
"""

import torch

from tools.locate.findings import Difference

SORTED = "by sorted values, since the layouts differ"


def difference(ours, reference, least=0.0):
    """rms of ours less the reference in standard deviations of the reference, or in `least` where that is more: element by
    element or, where the shapes differ and that is not right, by sorted values."""
    if ours.numel() != reference.numel():
        return Difference(None, "%d values against the reference's %d" % (ours.numel(), reference.numel()), other_size=True)
    ours, reference = ours.double(), reference.double()
    in_order = Difference(_rms(ours.flatten(), reference.flatten(), least))
    if in_order.right or _dimensions(ours) == _dimensions(reference):
        return in_order
    return Difference(_rms(ours.flatten().sort().values, reference.flatten().sort().values, least), SORTED)


def _dimensions(tensor):
    return [size for size in tensor.shape if size != 1]


def _rms(ours, reference, least):
    if torch.equal(ours, reference):
        return 0.0
    error = (ours - reference).square().mean().sqrt().item()
    return error / (max(scale(reference), least) or 1.0)


def scale(reference):
    """The standard deviation; of equal numbers, which have none, their size."""
    spread = (reference - reference.mean()).square().mean().sqrt().item()
    size = reference.square().mean().sqrt().item()
    return spread if spread > 1e-9 * size else size
