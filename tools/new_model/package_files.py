"""The text of a package's files (docs/adding.md: a package of your own). Needs no torch.

    package_files.files(read, "my_net", "models/mine")["my_net.cc"]
"""

import json
import os
import re
from typing import NamedTuple, Optional


class Layer(NamedTuple):
    """A member: a layer that is here, or one of the file's own classes."""

    name: str  # as the state_dict has it: "layer1.0.conv1"
    kind: str  # of the C++
    options: str
    target: str  # of //models/layers; "" for a class of the file's own
    count: int = 0  # of a list of them, name.0 and so on; 0: one


class OwnTensor(NamedTuple):
    """A parameter or buffer of the module itself."""

    name: str
    shape: tuple
    parameter: bool
    dtype: str  # "": floats
    value: Optional[float]  # of a buffer whose elements are all alike


class ModuleClass(NamedTuple):
    name: str
    members: tuple
    tensors: tuple
    without: tuple  # modules without tensors, as Python prints them
    arguments: tuple  # of forward
    source: str  # of forward


class Tensor(NamedTuple):
    name: str
    shape: tuple
    dtype: str  # of suite.proto; "": the case's
    limit: int  # integers are drawn below it


class Read(NamedTuple):
    file: str
    source: str
    expression: str  # builds the module
    root: ModuleClass
    classes: tuple  # each after those that it uses; the last is the root
    inputs: tuple
    outputs: tuple
    outputs_as: str  # "tensor", "sequence" or "mapping"
    keeps_statistics: bool
    tied: tuple  # of tuples of names of one tensor


# Names of assay::models that the file sees.
_TAKEN = {"Conv1d", "Conv2d", "ConvTranspose2d", "BatchNorm1d", "BatchNorm2d", "LayerNorm", "GroupNorm", "Embedding", "Linear", "Dropout", "Gru",
          "Lstm", "Recurrent", "Extent", "Init", "Layer", "LayeredModel", "Model", "NamedTensor", "Parameters", "Lowering", "Create", "Repeated",
          "NotWritten"}


def class_name(name):
    name = re.sub(r"\W", "", name).lstrip("_")
    return name + "Module" if name in _TAKEN or name.endswith("Options") else name[:1].upper() + name[1:]


def model_name(name):
    """my_net of MyNet."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def files(read, name, out):
    """File -> text."""
    library = name + "_model" if os.path.basename(out) == name else name
    return {
        "BUILD.bazel": _build(read, name, library),
        "lock.bzl": "LOCK = {}\n",
        "reference.py": _reference(read),
        "variants.bzl": _variants(read, name, out),
        library + ".cc": _code(read, name, "%s/%s.cc" % (out, library)),
    }


def next_steps(read, name, out, written):
    filled = sum(max(member.count, 1) for c in read.classes for member in c.members if member.target)
    lines = ["%s: %s" % (out, ", ".join(written))]
    lines.append("%d layers are filled in; %d forward%s to write: TODO in the .cc" % (
        filled, len(read.classes), "s are" if len(read.classes) > 1 else " is"))
    lines += ["%s are one tensor in Python: tie them by hand" % ", ".join(names) for names in read.tied]
    lines.append("Next:")
    lines.append("  tools/bazel run //tools:generate_artifacts -- --filter='^%s_' --allow-dirty" % name)
    lines.append("  tools/bazel run //%s:%s_fp32_b1                  # fails until forward is written" % (out, name))
    lines.append("  tools/bazel run //%s:%s_fp32_b1 -- --locate      # names the layer that is wrong" % (out, name))
    return "\n".join(lines)


def _targets(read):
    return sorted({member.target for c in read.classes for member in c.members if member.target})


def _build(read, name, library):
    layers = "".join('        "%s",\n' % target for target in _targets(read) + (["core:recipes"] if _has_parameters(read) else []))
    return '''load("//defs:benchmarks.bzl", "benchmarks")
load("//defs:models.bzl", "model_family")
load(":lock.bzl", "LOCK")
load(":variants.bzl", "CASES", "MODELS")

model_family(
    name = "%s",
    layers = [
%s    ],
)

benchmarks(
    cases = CASES,
    default_case = "%s_fp32_b1",
    library = ":%s",
    lock = LOCK,
    models = MODELS,
)
''' % (library, layers, name, library)


def _reference(read):
    given = ", ".join('%s=inputs["%s"]' % (tensor.name, tensor.name) for tensor in read.inputs)
    names = [tensor.name for tensor in read.outputs]
    result = {
        "tensor": '{"output": outputs}',
        "sequence": "dict(zip(%s, outputs))" % json.dumps(names),
        "mapping": "dict(outputs)",
    }[read.outputs_as]
    return '''%s


# From here on: what the generator of references asks for (docs/adding.md). //tools:new_model wrote it.


def provenance():
    import torch

    return "torch.nn %%s" %% torch.__version__.split("+")[0]


def build(parameters):
    return %s


def forward(module, inputs):
    outputs = module(%s)
    return %s
''' % (read.source.rstrip(), read.expression, given, result)


def _shape(shape):
    return "[%s]" % ", ".join('"%s"' % d if isinstance(d, str) else str(d) for d in shape)


def _input(tensor):
    if not tensor.dtype:
        return 'input("%s", shape = %s)' % (tensor.name, _shape(tensor.shape))
    drawn = "bernoulli(0.5)" if tensor.dtype == "BOOL" else "integers(%d)" % tensor.limit
    return 'input("%s", shape = %s, dtype = "%s", distribution = %s)' % (tensor.name, _shape(tensor.shape), tensor.dtype, drawn)


def _output(tensor):
    dtype = ', dtype = "%s"' % tensor.dtype if tensor.dtype else ""
    return 'output("%s", shape = %s%s)' % (tensor.name, _shape(tensor.shape), dtype)


def _variants(read, name, out):
    drawn = sorted({"bernoulli" if t.dtype == "BOOL" else "integers" for t in read.inputs if t.dtype})
    names = ", ".join('"%s"' % n for n in sorted([*drawn, "input", "model", "model_implementation", "output"]))
    lists = ["".join("        %s,\n" % text(tensor) for tensor in tensors) for text, tensors in ((_input, read.inputs), (_output, read.outputs))]
    return '''"""%s: its variants and cases. //tools:new_model wrote it."""

load("//defs:cases.bzl", "cases")
load("//defs:variants.bzl", %s)

IMPLEMENTATION = model_implementation(
    name = "%s",
    description = "%s of %s.",
    owner = "the owner of %s",
    source_url = "%s/reference.py",
    reference = "INDEPENDENT",
    reference_script = "%s/reference.py",
    inputs = [
%s    ],
    outputs = [
%s    ],
%s)

MODELS = [model("%s", IMPLEMENTATION)]

CASES = [cases(dtypes = ["fp32", "bf16"], batches = [1, 8])]
''' % (read.root.name, names, name, read.root.name, read.file, out, out, out, *lists,
       "    keeps_statistics = True,\n" if read.keeps_statistics else "", name)


def _has_parameters(read):
    return any(tensor.parameter for c in read.classes for tensor in c.tensors)


def _member(name):
    name = re.sub(r"\W", "_", name)
    return ("layer" if name[:1].isdigit() else "") + name + "_"


def _declaration(member):
    name = _member(member.name)
    if member.kind == "Dropout":
        return "Dropout %s{*this, %s};" % (name, member.options)
    if member.count:
        return 'std::vector<std::unique_ptr<%s>> %s = Repeated<%s>(*this, "%s", %d);' % (
            member.kind, name, member.kind, member.name, member.count)
    options = ", {%s}" % member.options if member.options else ""
    return '%s %s{*this, "%s"%s};' % (member.kind, name, member.name, options)


def _addition(tensor):
    shape = "{%s}" % ", ".join(map(str, tensor.shape))
    if tensor.parameter:
        return 'AddParameter("%s", %s, WeightInit(%d), %s);' % (tensor.name, shape, tensor.shape[-1] if tensor.shape else 1, _member(tensor.name))
    kinds = {"": "kFloat", "INT64": "kLong", "INT32": "kInt", "BOOL": "kBool", "INT8": "kChar", "UINT8": "kByte"}
    value = 'AddBuffer("%s", at::full(%s, %s, at::%s), %s);' % (
        tensor.name, shape, json.dumps(tensor.value or 0), kinds[tensor.dtype], _member(tensor.name))
    return value + ("  // TODO: its values, which Python computes" if tensor.value is None else "")


def _forward_comment(c):
    lines = ["// TODO: forward is not written yet. In Python:"] + ["//   " + line.rstrip() for line in c.source.splitlines()]
    if c.without:
        lines += ["// where these have no tensors:"] + ["//   " + text for text in c.without]
    return "".join("  %s\n" % line.rstrip() for line in lines)


def _class(c, is_root):
    additions = "".join("    %s\n" % _addition(tensor) for tensor in c.tensors)
    tensors = "".join("  at::Tensor %s;\n" % _member(tensor.name) for tensor in c.tensors)
    members = "".join("  %s\n" % _declaration(member) for member in c.members)
    if is_root:
        constructor = "  %s() {\n%s  }\n\n" % (c.name, additions) if additions else ""
        head = "class %s final : public LayeredModel {" % c.name
        forward = '  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> /*inputs*/) override {\n    NotWritten("%s");\n  }\n' % c.name
    else:
        body = " {\n%s  }" % additions if additions else " {}"
        constructor = "  %s(Layer& parent, std::string name) : Layer(parent, std::move(name))%s\n\n" % (c.name, body)
        head = "class %s final : public Layer {" % c.name
        arguments = ", ".join("const at::Tensor& /*%s*/" % argument for argument in c.arguments)
        forward = '  at::Tensor Forward(%s) { NotWritten("%s"); }\n' % (arguments, c.name)
    private = "\n private:\n" + tensors + members if tensors or members else ""
    return "%s\n public:\n%s%s%s%s};\n" % (head, constructor, _forward_comment(c), forward, private)


_REPEATED = '''// Layers of one class, by the names `name`.0, `name`.1 and so on.
template <typename T>
std::vector<std::unique_ptr<T>> Repeated(Layer& parent, std::string_view name, int64_t count) {
  std::vector<std::unique_ptr<T>> layers;
  for (int64_t i = 0; i < count; ++i)
    layers.push_back(std::make_unique<T>(parent, absl::StrCat(name, ".", i)));
  return layers;
}

'''


def _code(read, name, path):
    classes = "\n".join(_class(c, c is read.root) for c in read.classes)
    repeats = any(member.count for c in read.classes for member in c.members)
    buffers = any(not tensor.parameter for c in read.classes for tensor in c.tensors)
    headers = ["layered_model"] + (["recipes"] if _has_parameters(read) else [])
    own = sorted({"models/layers/core/%s.h" % header for header in headers} | {"models/registry.h"} |
                 {"models/layers/%s.h" % target.replace(":", "/") for target in _targets(read)})
    includes = ["#include <ATen/core/Tensor.h>"] + (["#include <ATen/ops/full.h>"] if buffers else []) + ["#include <c10/util/Exception.h>", ""]
    includes += ["#include <%s>" % h for h in ("cstdint", "memory", "string", "string_view", "utility", "vector")] + [""]
    includes += ['#include "absl/strings/str_cat.h"'] + ['#include "%s"' % header for header in own]
    tied = "".join("// TODO: %s are one tensor in Python: tie them (LinearOptions::tied_weight, Layer::AddAlias).\n" % ", ".join(names)
                   for names in read.tied)
    return '''// %s of %s: its layers, by the names that they have in Python. //tools:new_model wrote it; forward is to be written.
%s%s

namespace assay::models {
namespace {

// Ends a call of what is still to be written, so that no case passes before.
[[noreturn, maybe_unused]] void NotWritten(std::string_view what) {
  C10_THROW_ERROR(NotImplementedError,
                  absl::StrCat(what, "::Forward is not written yet: %s"));
}

%s%s
ASSAY_MODEL_IMPLEMENTATION(
    "%s", [](const Parameters& /*parameters*/) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<%s>();
    });

}  // namespace
}  // namespace assay::models
''' % (read.root.name, read.file, tied, "\n".join(includes), path, _REPEATED if repeats else "", classes, name, read.root.name)
