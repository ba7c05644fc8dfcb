"""Turns a traced TorchScript module (execution/traced_module.h) into a torch.fx graph of ATen's operators. Needs torch.

    traced = read("module.pt")                   # Traced: the module, its inputs and their names
    module = converted(traced)                   # torch.fx.GraphModule: torch.ops.aten.* calls, weights by get_attr

A trace has fixed shapes and no branches. So each node is also called while it is turned, and whatever is no tensor (a size, a
list of them) becomes the number that it is.

Not for modules that were scripted: prim::If and prim::Loop are refused by name.
"""

import keyword
import operator
from typing import Any, NamedTuple

import torch

_MODULE = object()  # the value of `self` in the graph


class Unconvertible(Exception):
    """A node has no counterpart; the message names it."""


class Unreadable(Exception):
    """The file is no traced module of this suite."""


class Traced(NamedTuple):
    module: Any
    inputs: tuple
    names: tuple


class _Value(NamedTuple):
    concrete: Any  # what it is for the traced inputs
    node: Any = None  # what computes it: a node, or for a list of tensors a list of nodes; None for a constant


def read(path):
    try:
        with open(path, "rb") as file:
            module = torch.jit.load(file, map_location="cpu").eval()
    except OSError as error:
        raise Unreadable("%s: %s" % (path, error.strerror or error)) from None
    except (RuntimeError, ValueError) as error:
        raise Unreadable("%s is no TorchScript module: %s" % (path, str(error).strip().splitlines()[0])) from None
    if not hasattr(module, "example_inputs"):
        raise Unreadable("%s has no example_inputs; a runner's --export-module=FILE writes them" % path)
    names = [value.debugName() for value in list(module.graph.inputs())[1:]]
    names = [name.split(".")[0] for name in names]
    return Traced(module, tuple(module.example_inputs), tuple(name + "_" if keyword.iskeyword(name) else name for name in names))


def outputs(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def converted(traced):
    with torch.no_grad():
        return _Conversion(traced).module()


# aten::_convolution carries the settings of cuDNN, which aten.convolution takes from the context; it has the same kernels. Its
# schema does not say how many numbers stride, padding, dilation and output_padding are; ONNX wants one for each dimension.
def _plain_convolution(inputs):
    dimensions = inputs[1].concrete.dim() - 2
    lists = (3, 4, 5, 7)
    longer = [value._replace(concrete=value.concrete * dimensions) if i in lists and len(value.concrete) == 1 else value
              for i, value in enumerate(inputs[:9])]
    return torch.ops.aten.convolution.default, longer


_REWRITTEN = {"aten::_convolution": _plain_convolution}
_DTYPES = {
    number: dtype
    for number, dtype in enumerate(
        [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64,
         torch.complex32, torch.complex64, torch.complex128, torch.bool]
    )
}
_DTYPES[15] = torch.bfloat16
_LAYOUTS = {0: torch.strided}
_MEMORY_FORMATS = {0: torch.contiguous_format, 1: torch.preserve_format, 2: torch.channels_last, 3: torch.channels_last_3d}


def _typed(argument, value):
    """TorchScript keeps dtypes, layouts and memory formats as numbers."""
    kind = str(argument.real_type)
    if isinstance(value, int) and not isinstance(value, bool):
        for name, table in (("ScalarType", _DTYPES), ("Layout", _LAYOUTS), ("MemoryFormat", _MEMORY_FORMATS)):
            if name in kind:
                return table[value]
    return value


class _Conversion:
    def __init__(self, traced):
        self._traced = traced
        self._graph = torch.fx.Graph()
        self._root = torch.nn.Module()
        self._values = {}  # by the name of the TorchScript value
        self._weights = {}  # (memory, attribute) -> node

    def module(self):
        graph = self._traced.module.graph.copy()
        torch._C._jit_pass_inline(graph)
        inputs = list(graph.inputs())
        self._values[inputs[0].debugName()] = _Value(_MODULE)
        for value, name, tensor in zip(inputs[1:], self._traced.names, self._traced.inputs, strict=True):
            self._values[value.debugName()] = _Value(tensor, self._graph.placeholder(name))
        for node in graph.nodes():
            self._turn(node)
        results = [self._values[value.debugName()] for value in graph.outputs()]
        if len(results) == 1 and isinstance(results[0].concrete, tuple):
            self._graph.output(tuple(results[0].node))
        else:
            self._graph.output(tuple(self._node_of(value) for value in results))
        self._graph.eliminate_dead_code()
        self._graph.lint()
        return torch.fx.GraphModule(self._root, self._graph).eval()

    def _turn(self, node):
        kind = node.kind()
        inputs = [self._values[value.debugName()] for value in node.inputs()]
        if kind == "prim::GetAttr":
            results = [self._attribute(inputs[0].concrete, node.s("name"))]
        elif kind == "prim::Constant":
            results = [_Value(node.output().toIValue())]
        elif kind in ("prim::ListConstruct", "prim::TupleConstruct"):
            results = [_together(inputs, tuple if kind == "prim::TupleConstruct" else list, self._node_of)]
        elif kind in ("prim::ListUnpack", "prim::TupleUnpack"):
            results = [_Value(one, at) for one, at in _apart(inputs[0], len(list(node.outputs())))]
        elif kind == "prim::NumToTensor":
            results = [_Value(torch.tensor(inputs[0].concrete))]
        elif kind in ("aten::Int", "aten::Float", "aten::Bool", "aten::IntImplicit", "aten::FloatImplicit", "aten::ScalarImplicit"):
            results = [_Value(_number(kind, inputs[0].concrete))]
        elif kind.startswith("aten::"):
            results = self._call(node, inputs)
        else:
            raise Unconvertible("the trace holds %s, which has no counterpart in torch.fx: %s" % (kind, str(node).strip()[:200]))
        for value, result in zip(node.outputs(), results, strict=True):
            self._values[value.debugName()] = result

    def _attribute(self, owner, name):
        value = getattr(self._traced.module if owner is _MODULE else owner, name)
        if not isinstance(value, torch.Tensor):
            return _Value(value)
        key = value.data_ptr(), name
        if key not in self._weights:
            taken = hasattr(self._root, name)
            self._weights[key] = self._weight("%s_%d" % (name, len(self._weights)) if taken else name, value)
        return _Value(value, self._weights[key])

    def _weight(self, name, tensor):
        self._root.register_buffer(name, tensor.detach())
        return self._graph.get_attr(name)

    def _node_of(self, value):
        """The node that stands for a value in the graph; for a tensor that nothing computes, a weight."""
        if value.node is None and isinstance(value.concrete, torch.Tensor):
            return self._weight("constant_%d" % len(list(self._root.buffers())), value.concrete)
        return value.concrete if value.node is None else value.node

    def _call(self, node, inputs):
        schema = torch._C.parse_schema(node.schema()) if node.schema() != "(no schema)" else None
        name = node.kind()
        if schema is None:
            raise Unconvertible("the trace holds %s, of which TorchScript has no schema" % name)
        packet = getattr(torch.ops.aten, name.split("::")[1], None)
        overload = getattr(packet, schema.overload_name or "default", None)
        if overload is None:
            return self._computed(node, inputs)
        if name in _REWRITTEN:
            overload, inputs = _REWRITTEN[name](inputs)
        arguments = overload._schema.arguments
        concrete, args, kwargs = [], [], {}
        named = {}
        for argument, value in zip(arguments, inputs, strict=True):
            real = _typed(argument, value.concrete)
            turned = self._node_of(value) if isinstance(value.concrete, (torch.Tensor, list, tuple)) else real
            if isinstance(real, list) and argument.N and len(real) == 1 and not isinstance(real[0], torch.Tensor):
                real = turned = real * argument.N  # ONNX wants as many as the schema says
            if argument.kwarg_only:
                named[argument.name], kwargs[argument.name] = real, turned
            else:
                concrete.append(real)
                args.append(turned)
        result = overload(*concrete, **named)
        if not _holds_tensors(result):
            return [_Value(result)]
        call = self._graph.call_function(overload, tuple(args), kwargs)
        if isinstance(result, (tuple, list)):
            parts = [self._graph.call_function(operator.getitem, (call, i)) for i in range(len(result))]
            if len(list(node.outputs())) == 1:
                return [_Value(list(result), parts)]
            return [_Value(one, part) for one, part in zip(result, parts, strict=True)]
        return [_Value(result, call)]

    def _computed(self, node, inputs):
        """TorchScript's own operators on numbers and lists, such as aten::mul.int."""
        if any(value.node is not None and isinstance(value.concrete, torch.Tensor) for value in inputs):
            raise Unconvertible("the trace holds %s, which is no operator of ATen: %s" % (node.kind(), node.schema()))
        function = torch._C._jit_get_operation(node.kind())[0]
        return [_Value(function(*[value.concrete for value in inputs]))]


def _holds_tensors(result):
    return isinstance(result, torch.Tensor) or (
        isinstance(result, (tuple, list)) and bool(result) and all(isinstance(one, torch.Tensor) for one in result)
    )


def _together(values, kind, node_of):
    concrete = kind(value.concrete for value in values)
    if any(isinstance(value.concrete, torch.Tensor) for value in values):
        return _Value(concrete, [node_of(value) for value in values])
    return _Value(concrete)


def _apart(value, count):
    nodes = value.node if value.node is not None else [None] * count
    return list(zip(value.concrete, nodes, strict=True))


def _number(kind, value):
    number = value.item() if isinstance(value, torch.Tensor) else value
    if kind.startswith("aten::Int"):
        return int(number)
    if kind.startswith("aten::Float"):
        return float(number)
    return bool(number) if kind == "aten::Bool" else number
