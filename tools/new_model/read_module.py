"""Reads an nn.Module: its classes, its layers, and what a call takes and gives. Needs torch.

    read = read_module.read("my_module.py", "MyNet(10)", "torch.randn(1, 3, 32, 32)")
    read.root.members[0]    # Layer(name='conv1', kind='Conv2d', options='.in = 3, .out = 64, ...', target='core:conv2d')
"""

import ast
import collections.abc
import importlib.util
import inspect
import os
import sys
import textwrap

import torch
from torch import nn

from artifacts.fetch.ending import SurroundingsError, UsageError
from tools.new_model.package_files import ModuleClass, Layer, OwnTensor, Read, Tensor, class_name

_CONTAINERS = (nn.ModuleList, nn.ModuleDict, nn.Sequential)
_RESERVED = {"provenance", "build", "forward", "loss"}  # functions of reference.py


def read(path, expression, example):
    namespace, source = _load(path)
    expression = expression or _only_module(path, namespace)
    module = _evaluate(expression, namespace, path)
    if not isinstance(module, nn.Module):
        module = _evaluate(expression + "()", namespace, path)
        expression += "()"
    if not isinstance(module, nn.Module):
        raise UsageError("%s: %s is no nn.Module" % (path, expression))
    module.eval()
    classes = {}
    root = _class(module, classes)
    inputs = _inputs(module, _evaluate(example, namespace, "--example") if example else _guessed(module))
    outputs = _outputs(module, inputs)
    return Read(
        file=os.path.basename(path),
        source=source,
        expression=expression,
        root=root,
        classes=tuple(classes.values()),
        inputs=tuple(Tensor(n, ("batch", *t.shape[1:]), _dtype(t), _limit(module, t)) for n, t in inputs.items()),
        outputs=tuple(outputs),
        outputs_as=_form(module(**inputs)),
        keeps_statistics=any(isinstance(m, nn.modules.batchnorm._BatchNorm) for m in module.modules()),
        tied=_tied(module),
    )


def _load(path):
    """(names of the file, its text)."""
    with open(path, encoding="utf-8") as f:
        source = f.read()
    folder, before, packages = os.path.dirname(os.path.abspath(path)), set(sys.modules), [os.path.abspath(p) for p in sys.path]
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location("new_model_source", path)
        loaded = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = loaded
        spec.loader.exec_module(loaded)
    except (Exception, SystemExit) as error:
        raise SurroundingsError("%s cannot be loaded: %s: %s" % (path, type(error).__name__, error)) from None
    finally:
        sys.path.remove(folder)
    beside = [m for m in set(sys.modules) - before - {spec.name} if _lies_in(folder, packages, getattr(sys.modules[m], "__file__", None))]
    if beside:
        raise UsageError("%s imports %s beside it; reference.py is one file: put both into one" % (path, ", ".join(sorted(beside))))
    defined = {node.name for node in ast.parse(source).body if hasattr(node, "name")} & _RESERVED
    if defined:
        raise UsageError("%s defines %s, which reference.py defines itself; give it another name" % (path, ", ".join(sorted(defined))))
    return vars(loaded), source


def _lies_in(folder, packages, file):
    """Whether a module's file is the folder's or a subfolder's, and not that of an installed package, which may lie below it."""
    above = [place for place in [folder, *packages] if file and os.path.abspath(file).startswith(os.path.join(place, ""))]
    return max(above, key=len, default="") == folder


def _only_module(path, namespace):
    found = [name for name, value in namespace.items()
             if isinstance(value, type) and issubclass(value, nn.Module) and value.__module__ == "new_model_source"]
    if len(found) != 1:
        raise UsageError("%s defines %s; name one: %s:CLASS" % (path, ", ".join(found) or "no nn.Module", os.path.basename(path)))
    return found[0]


def _evaluate(expression, namespace, where):
    try:
        return eval(expression, {"torch": torch, **namespace})
    except (Exception, SystemExit) as error:
        raise UsageError("%s: %s: %s: %s" % (where, expression, type(error).__name__, error)) from None


# Layers that are here.


def _options(**values):
    def text(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        return "{%s}" % ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)

    return ", ".join(".%s = %s" % (name.rstrip("_"), text(value)) for name, value in values.items() if value is not None)


def _unless(value, default):
    return None if value == default else value


def _one(pair):
    """A number for both directions, or None."""
    return pair[0] if len(set(pair)) == 1 else None


def _extent(pair):
    return pair[0] if len(set(pair)) == 1 else tuple(pair)


def _linear(m):
    return "Linear", "core:linear", _options(in_=m.in_features, out=m.out_features, bias=False if m.bias is None else None)


def _plain(m):
    """Whether a convolution pads with zeros, by numbers."""
    return m.padding_mode == "zeros" and not isinstance(m.padding, str)


def _conv2d(m):
    stride, dilation = _one(m.stride), _one(m.dilation)
    if not _plain(m) or stride is None or dilation is None:
        return None
    options = _options(
        in_=m.in_channels, out=m.out_channels, kernel=_extent(m.kernel_size), stride=_unless(stride, 1),
        padding=_unless(_extent(m.padding), 0), dilation=_unless(dilation, 1), groups=_unless(m.groups, 1),
        bias=None if m.bias is None else True)
    return "Conv2d", "core:conv2d", options


def _conv1d(m):
    if not _plain(m) or m.dilation != (1,):
        return None
    options = _options(
        in_=m.in_channels, out=m.out_channels, kernel=m.kernel_size[0], stride=_unless(m.stride[0], 1),
        padding=_unless(m.padding[0], 0), groups=_unless(m.groups, 1), bias=None if m.bias is None else True)
    return "Conv1d", "sequence:conv1d", options


def _conv_transpose2d(m):
    sizes = [_one(pair) for pair in (m.kernel_size, m.stride, m.padding, m.output_padding)]
    if None in sizes or m.groups != 1 or m.dilation != (1, 1) or not _plain(m):
        return None
    kernel, stride, padding, more = sizes
    options = _options(in_=m.in_channels, out=m.out_channels, kernel=kernel, stride=_unless(stride, 1), padding=_unless(padding, 0),
                       output_padding=_unless(more, 0), bias=None if m.bias is None else True)
    return "ConvTranspose2d", "vision:conv_transpose2d", options


def _batch_norm(m):
    if not (m.affine and m.track_running_stats) or m.momentum is None:
        return None
    kind = "BatchNorm1d" if isinstance(m, nn.BatchNorm1d) else "BatchNorm2d"
    return kind, "core:batch_norm2d", _options(channels=m.num_features, eps=_unless(m.eps, 1e-5), momentum=_unless(m.momentum, 0.1))


def _layer_norm(m):
    if len(m.normalized_shape) != 1 or m.weight is None or m.bias is None:
        return None
    return "LayerNorm", "core:layer_norm", _options(features=m.normalized_shape[0], eps=_unless(m.eps, 1e-5))


def _group_norm(m):
    if not m.affine:
        return None
    return "GroupNorm", "core:group_norm", _options(groups=m.num_groups, channels=m.num_channels, eps=_unless(m.eps, 1e-5))


def _embedding(m):
    if m.max_norm is not None or m.scale_grad_by_freq:
        return None
    return "Embedding", "core:embedding", _options(rows=m.num_embeddings, features=m.embedding_dim, padding_idx=m.padding_idx)


def _recurrent(m):
    if not (m.batch_first and m.bias) or m.dropout or m.proj_size:
        return None
    kind = "Lstm" if isinstance(m, nn.LSTM) else "Gru"
    options = _options(in_=m.input_size, hidden=m.hidden_size, layers=_unless(m.num_layers, 1), both_ways=True if m.bidirectional else None)
    return kind, "sequence:recurrent", options


def _dropout(m):
    return ("Dropout", "core:dropout", repr(float(m.p))) if m.p < 1 else None


_LAYERS = {
    nn.Linear: _linear,
    nn.modules.linear.NonDynamicallyQuantizableLinear: _linear,  # of nn.MultiheadAttention
    nn.Conv1d: _conv1d,
    nn.Conv2d: _conv2d,
    nn.ConvTranspose2d: _conv_transpose2d,
    nn.BatchNorm1d: _batch_norm,
    nn.BatchNorm2d: _batch_norm,
    nn.LayerNorm: _layer_norm,
    nn.GroupNorm: _group_norm,
    nn.Embedding: _embedding,
    nn.GRU: _recurrent,
    nn.LSTM: _recurrent,
    nn.Dropout: _dropout,
}


def _class(module, classes):
    """The class of a module, of which `classes` gets each other content once; those that it uses come before it."""
    members, without = [], []
    for name, child in module.named_children():
        _add(name, child, classes, members, without)
    own = tuple(_own_tensors(module))
    body = (type(module).__name__, tuple(members), own)
    if body not in classes:
        names = {c.name for c in classes.values()}
        name, number = class_name(type(module).__name__), 2
        while name in names:
            name, number = class_name(type(module).__name__) + str(number), number + 1
        classes[body] = ModuleClass(name, tuple(members), own, tuple(without), *_forward_of(module))
    return classes[body]


def _add(name, module, classes, members, without):
    made = _LAYERS[type(module)](module) if type(module) in _LAYERS else None
    if made:
        kind, target, options = made
        members.append(Layer(name, kind, options, target))
    elif type(module) in _CONTAINERS and not list(_own_tensors(module)):
        parts = []
        for number, child in module.named_children():
            _add("%s.%s" % (name, number), child, classes, parts, without)
        members += _repeated(name, parts)
    elif any(True for _ in module.state_dict()) or any(type(m) in _LAYERS for m in module.modules()):
        members.append(Layer(name, _class(module, classes).name, "", ""))
    else:
        without.append("%s: %s" % (name, " ".join(repr(module).split())))


def _repeated(name, parts):
    """Layers name.0, name.1, ... of one class of the file's own are one member."""
    alike = {(part.kind, part.options, part.target) for part in parts}
    numbered = [part.name for part in parts] == ["%s.%d" % (name, i) for i in range(len(parts))]
    if len(parts) < 2 or len(alike) != 1 or not numbered or parts[0].target:
        return parts
    return [parts[0]._replace(name=name, count=len(parts))]


def _own_tensors(module):
    kept = module._non_persistent_buffers_set
    for name, tensor in module._parameters.items():
        if tensor is not None:
            yield OwnTensor(name, tuple(tensor.shape), True, _dtype(tensor), None)
    for name, tensor in module._buffers.items():
        if tensor is not None and name not in kept:
            same = tensor.numel() > 0 and bool((tensor == tensor.flatten()[0]).all())
            yield OwnTensor(name, tuple(tensor.shape), False, _dtype(tensor), tensor.flatten()[0].item() if same else None)


def _forward_of(module):
    """(names of forward's arguments, its source)."""
    names = [p.name for p in inspect.signature(module.forward).parameters.values()
             if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    try:
        return tuple(names), textwrap.dedent(inspect.getsource(type(module).forward)).rstrip()
    except (OSError, TypeError):
        return tuple(names), ""


def _tied(module):
    names = {}
    for name, tensor in module.state_dict(keep_vars=True).items():
        names.setdefault(id(tensor), []).append(name)
    return tuple(tuple(same) for same in names.values() if len(same) > 1)


# Inputs and outputs of a call.


def _dtype(tensor):
    if tensor.is_floating_point():
        return ""
    if tensor.dtype not in (torch.int64, torch.int32, torch.bool, torch.int8, torch.uint8):
        raise UsageError("a tensor of %s; floats, int64, int32, int8, uint8 and bool are here" % tensor.dtype)
    return str(tensor.dtype).removeprefix("torch.").upper()


def _limit(module, tensor):
    """Integers are drawn below it: rows of the smallest embedding, else one more than the example's largest."""
    rows = [m.num_embeddings for m in module.modules() if isinstance(m, nn.Embedding)]
    return 0 if tensor.is_floating_point() else min(rows, default=int(tensor.max()) + 1)


def _guessed(module):
    for layer in module.modules():
        if isinstance(layer, nn.Linear):
            return torch.randn(1, layer.in_features)
        if list(layer.parameters(recurse=False)):
            break
    raise UsageError("%s: give --example='torch.randn(1, ...)', what it is called with" % type(module).__name__)


def _inputs(module, example):
    """By the names of forward's arguments."""
    names, _ = _forward_of(module)
    if not isinstance(example, (tuple, list, dict)):
        example = (example,)
    if not isinstance(example, dict):
        if len(example) > len(names):
            raise UsageError("--example: %d tensors; forward takes %s" % (len(example), ", ".join(names) or "none"))
        example = dict(zip(names, example))
    wrong = [name for name, value in example.items() if not isinstance(value, torch.Tensor) or value.dim() == 0 or name not in names]
    batches = {value.shape[0] for name, value in example.items() if name not in wrong}
    if wrong or len(batches) != 1:
        raise UsageError("--example: tensors for arguments of forward (%s), all with one batch as their first dimension" % ", ".join(names))
    return example


def _form(outputs):
    """"tensor", "sequence" or "mapping"."""
    if isinstance(outputs, torch.Tensor):
        return "tensor"
    return "mapping" if isinstance(outputs, collections.abc.Mapping) else "sequence"


def _called(module, inputs):
    try:
        with torch.no_grad():
            outputs = module(**inputs)
    except Exception as error:
        raise UsageError("the module cannot be called with the example: %s: %s" % (type(error).__name__, error)) from None
    form = _form(outputs)
    if form == "tensor":
        return {"output": outputs}
    if form == "sequence":
        outputs = {"output_%d" % i: value for i, value in enumerate(outputs)} if isinstance(outputs, (tuple, list)) else {"": None}
    wrong = [name for name, value in outputs.items() if not isinstance(value, torch.Tensor)]
    if wrong or not outputs:
        raise UsageError("the module gives something else than a tensor, or a tuple, list or dict of tensors: %s" % ", ".join(wrong))
    return dict(outputs)


def _outputs(module, inputs):
    once = _called(module, inputs)
    twice = _called(module, {name: torch.cat([value, value]) for name, value in inputs.items()})
    batch = next(iter(inputs.values())).shape[0]
    for name, value in once.items():
        shape = list(value.shape)
        grown = [d for d, size in enumerate(shape) if twice[name].shape[d] != size]
        if grown not in ([], [0]) or grown and shape[0] != batch:
            raise UsageError("output %s is %s, and %s with twice the batch; only the first dimension may be the batch" % (
                name, shape, list(twice[name].shape)))
        yield Tensor(name, tuple(["batch"] + shape[1:] if grown else shape), _dtype(value), 0)
