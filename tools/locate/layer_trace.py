"""Records the inputs and outputs of each layer of a module in one call, and which layer feeds which. Needs torch.

By the rules of benchmarks/harness/costs/layer_trace.h, which watches our models; keep the two alike. Operators are seen
below Python, so that modules, functions and slices of weights are all the same. Under torch.inference_mode() they are those
that our C++ calls; with autograd, smaller ones, which make the same calls of layers.

    with LayerTrace(module.state_dict(keep_vars=True), inputs, take=print) as trace:
        outputs = script.forward(module, inputs)      # prints Call(name="conv1", number=0, ...) and so on
    trace.feeding(outputs["logits"])                  # the places of calls, in their order
    trace.last_call_of["conv1.weight"]                # the same, of the last that reads it
"""

from typing import NamedTuple

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode


class Call(NamedTuple):
    """One call of a layer. Tensors are copies in float64."""

    name: str  # of the layer
    number: int  # of the calls of this name, from 0
    inputs: tuple  # of tensors
    output: torch.Tensor
    fed_by: frozenset  # places of the calls, in their order, whose outputs the inputs depend on through no other call


class _Origin(NamedTuple):
    """The origin of a tensor; neither field: it is a constant."""

    inputs: bool = False  # the model's inputs, or what a layer has given
    fed_by: frozenset = frozenset()
    state: frozenset = frozenset()  # places in the state, of one layer


class _Working(NamedTuple):
    """An operator that works for a layer."""

    layer: str
    read: frozenset
    inputs: tuple
    fed_by: frozenset


def _tensors(values):
    return [leaf for leaf in pytree.tree_leaves(values) if isinstance(leaf, torch.Tensor)]


def _storage(tensor):
    return tensor.untyped_storage()._cdata


def _copy(tensor):
    return tensor.detach().to(torch.float64, copy=True)


class LayerTrace(TorchDispatchMode):
    """Gives each call to `take` once it is over, so that all of them need not be held at once."""

    def __init__(self, state, inputs, take):
        super().__init__()
        self._names = list(state)
        self._rank = [(isinstance(t, torch.nn.Parameter), t.numel(), -place) for place, t in enumerate(state.values())]
        self._known, self._own = {}, set()
        for place, tensor in enumerate(state.values()):
            if _storage(tensor) not in self._own:
                self._own.add(_storage(tensor))
                self._mark(tensor, _Origin(state=frozenset([place])))
        for tensor in _tensors(inputs):
            self._mark(tensor, _Origin(inputs=True))
        self._take, self._numbers, self._finished = take, {}, 0
        self._going = None  # the _Working of the call that may go on, with all that it has read
        self._output = None  # of it
        self.last_call_of = {}

    def __exit__(self, *exception):
        result = super().__exit__(*exception)
        if not exception[0]:
            self._finish()
        return result

    def feeding(self, tensor):
        """Places of the calls that the tensor depends on through no other call."""
        return self._origin(tensor).fed_by

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        arguments = _tensors((args, kwargs or {}))
        origin, working = self._judged(arguments)
        result = func(*args, **(kwargs or {}))
        results = _tensors(result)
        if working:
            output = next((t for t in results if t.is_floating_point()), None)
            if output is not None:
                origin = self._called(working, output)
        for tensor in results:
            if _storage(tensor) not in self._own:
                self._mark(tensor, origin)
        return result

    def _judged(self, arguments):
        """The origins of the results, and the layer that the operator works for, or None."""
        given = [t for t in arguments if self._origin(t).inputs]
        fed_by = frozenset().union(*(self._origin(t).fed_by for t in given))
        layers = {}
        for tensor in arguments:
            if self._origin(tensor).state:
                read, tensors = layers.setdefault(self._layer(self._origin(tensor).state), (set(), []))
                read.update(self._origin(tensor).state)
                tensors.append(tensor)
        if not layers or not (given or len(layers) > 1):
            state = frozenset(next(iter(layers.values()))[0]) if layers else frozenset()
            return _Origin(bool(given), fed_by, state), None
        layer = self._layer([self._largest(set().union(*(read for read, _ in layers.values())))])
        read = frozenset(layers.pop(layer)[0])
        if not given:
            given = [tensor for _, tensors in sorted(layers.items()) for tensor in tensors[1]]
        inputs = () if self._goes_on(layer) else tuple(map(_copy, given))
        return _Origin(True, fed_by), _Working(layer, read, inputs, fed_by)

    def _called(self, working, output):
        if self._goes_on(working.layer):
            fed_by = self._going.fed_by | working.fed_by - {self._finished}
            working = self._going._replace(read=self._going.read | working.read, fed_by=fed_by)
        else:
            self._finish()
        self._going, self._output = working, _copy(output)
        return _Origin(True, frozenset([self._finished]))

    def _finish(self):
        """The call that is going on is over."""
        if not self._going:
            return
        layer, read, inputs, fed_by = self._going
        name = self._name(layer, read)
        number = self._numbers[name] = self._numbers.get(name, -1) + 1
        self.last_call_of.update((self._names[place], self._finished) for place in read)
        self._take(Call(name, number, inputs, self._output, fed_by))
        self._going, self._finished = None, self._finished + 1

    def _goes_on(self, layer):
        return self._going is not None and self._going.layer == layer

    def _origin(self, tensor):
        known = self._known.get(_storage(tensor))
        return known[1] if known else _Origin()

    def _mark(self, tensor, origin):
        # A weak reference keeps the address from being given out again, not the memory from being freed.
        self._known[_storage(tensor)] = StorageWeakRef(tensor.untyped_storage()), origin

    def _layer(self, places):
        return self._names[next(iter(places))].rpartition(".")[0]

    def _largest(self, places):
        return max(places, key=lambda place: self._rank[place])

    def _name(self, layer, read):
        weight = any(self._names[place].endswith(".weight") for place in read)
        return layer if weight else self._names[self._largest(read)]
