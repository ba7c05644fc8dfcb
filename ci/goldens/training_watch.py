"""Records properties that a module's outputs hardly show, in the lines of benchmarks/harness/goldens/training_watch.h.

    lines = training_watch.lines(module, lambda: script.forward(module, inputs))

The operators that one call in training reaches are looked at, not the module's attributes: what is never called is not
there, and a family's way of saying "epsilon" does not matter. The module may be on the meta device.
"""

import itertools
import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from tools.artifacts.generate import training

_ATEN = torch.ops.aten


class _Watch(TorchDispatchMode):
    def __init__(self, module):
        super().__init__()
        self._places = {}  # of a tensor in the state, and its name
        for name, tensor in module.state_dict(keep_vars=True).items():
            self._places.setdefault(id(tensor), (len(self._places), name.removesuffix(".weight")))
        self.norms = {"batch_norm": [], "layer_norm": [], "group_norm": []}  # (place, name, numbers) of each call
        self.drops = {"elements": [], "rows": []}  # (probability, "")

    def _see_norm(self, kind, weight, numbers):
        self.norms[kind].append((*self._places.get(id(weight), (math.inf, "-")), numbers))

    def _see(self, func, args, kwargs):
        if func is _ATEN.native_batch_norm.default:
            _, weight, _, _, _, _, momentum, eps = args
            self._see_norm("batch_norm", weight, "eps %g momentum %g" % (eps, momentum))
        elif func is _ATEN.native_layer_norm.default:
            _, _, weight, _, eps = args
            self._see_norm("layer_norm", weight, "eps %g" % eps)
        elif func is _ATEN.native_group_norm.default:
            self._see_norm("group_norm", args[1], "eps %g" % args[7])
        elif func is _ATEN.bernoulli_.float:
            drawn, staying = args if len(args) == 2 else (args[0], 0.5)  # a default is left out
            of = "rows" if drawn.numel() == drawn.shape[0] else "elements"
            self.drops[of].append(("%g" % (1 - staying), ""))
        elif training.draws(func, args, kwargs):
            raise NotImplementedError("%s draws random numbers in a way that neither side's watch knows" % func)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self._see(func, args, kwargs or {})
        return func(*args, **(kwargs or {}))


def _runs(seen):
    """(what, count, first name, last name) of neighbours that are equal but for their names."""
    for what, run in itertools.groupby(seen, key=lambda pair: pair[0]):
        names = [name for _, name in run]
        yield what, len(names), names[0], names[-1]


def lines(module, call):
    """The lines of one call; the module stays in training."""
    module.train()
    with torch.no_grad(), _Watch(module) as watch:
        call()
    for kind, seen in watch.norms.items():
        ordered = sorted(seen, key=lambda norm: norm[0])
        for what, count, first, last in _runs([(numbers, name) for _, name, numbers in ordered]):
            yield "norm %s %s x%d %s" % (kind, what, count, first) + (" .. " + last if count > 1 else "")
    for of, seen in watch.drops.items():
        if seen:
            yield "drops %s %s" % (of, ", ".join(what + (" x%d" % count if count > 1 else "") for what, count, _, _ in _runs(seen)))
