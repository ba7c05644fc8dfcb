"""Computes references with another implementation: seeded weights in, float64 outputs out. Needs torch.

For each content: weights and inputs as the runner exports them (float32), rounded to the case's dtype, then all of it
computed in float64. So the reference knows the rounding of what went in, and a test measures the rounding on the way.
Forward alone here, and generation, which is one forward pass; training steps in training.py.
"""

import importlib.util
import json
import os
import re

import torch
from safetensors.torch import load_file
from torch.overrides import TorchFunctionMode

from artifacts.format import reference_blob, seeded_inputs
from artifacts.format.lock_table import MODULE, REFERENCE, WEIGHTS
from tools.artifacts.generate import events, module_export, plan, training
from tools.artifacts.generate.reference_error import ReferenceError
from tools.artifacts.generate.runner_export import RunnerError
from tools.artifacts.generate.true_float64 import LossOfPrecision, true_float64

DTYPES = {"fp32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
_DRAWS_CHECKED = 64  # elements of an input, computed again by seeded_inputs.py
# By name, since transformers puts its own functions in the place of torch.nn.init's while it builds a model.
_RANDOM_FILLS = re.compile(r"(trunc_normal|normal|uniform|(kaiming|xavier)_(normal|uniform))_")


class SkipRandomFills(TorchFunctionMode):
    """Leaves new weights unfilled: the strict load overwrites all of them, and filling takes longer than computing."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        if _RANDOM_FILLS.fullmatch(getattr(func, "__name__", "")):
            return args[0] if args else kwargs["tensor"]
        return func(*args, **(kwargs or {}))


class Family:
    """A reference script and what has been built by it."""

    def __init__(self, script):
        spec = importlib.util.spec_from_file_location("reference_script", script)
        self.script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.script)
        self._modules = {}

    def module(self, content):
        """The content's module, weights not loaded; modules of equal parameters are one."""
        key = json.dumps(content["parameters"], sort_keys=True)
        if key not in self._modules:
            with SkipRandomFills():
                self._modules[key] = self.script.build(content["parameters"]).eval()
        return self._modules[key]

    def signature(self, content):
        """Names and shapes of the state; contents of a job with the same signature have the same weights."""
        return tuple((name, tuple(t.shape)) for name, t in self.module(content).state_dict().items())

    def provenance(self, content):
        optimizers = content["training"]["optimizers"] if content["training"] else []
        trained = ", torch.optim: %s" % ", ".join(name for name, _ in optimizers) if optimizers else ""
        return "%s, float64, torch %s%s" % (self.script.provenance(), torch.__version__.split("+")[0], trained)


def rounded(tensors, dtype, to=torch.float64):
    """Floating tensors rounded to `dtype`, then widened to `to`; the others as they are."""
    return {n: t.to(dtype).to(to) if t.is_floating_point() else t for n, t in tensors.items()}


def load(module, state, drawn=True):
    """Puts `state` into the module without copying; names and shapes must agree to the last one, and so must ties.

    `drawn`: the weights are drawn by name, so equal ones are tied in ours. A user's may be equal.

    Tables that the module computes for itself, such as positions, must agree in their values: they are part of what the runner is judged by.
    """
    own = _own_tables(module)
    tied = {}
    for name, tensor in module.state_dict(keep_vars=True).items():
        place = (tensor.data_ptr(), tensor.shape, tensor.stride()) if tensor.numel() else name
        tied.setdefault(place, []).append(name)
    try:
        module.load_state_dict(state, strict=True, assign=True)
    except RuntimeError as error:
        raise ReferenceError("the runner's weights don't fit the other implementation:\n%s" % error) from None
    for name in own.keys() & state.keys():  # of 16 bits in a case of bf16
        if not torch.allclose(own[name].double(), state[name].double(), rtol=1e-2, atol=1e-2):
            raise ReferenceError("%s is a table that the other implementation computes, and ours has other values" % name)
    for first, *others in tied.values():
        for other in others:
            if not torch.equal(state[first], state[other]):
                raise ReferenceError(
                    "%s and %s are one tensor in the other implementation and two in ours: tie them in the C++ model" % (first, other)
                )
            # assign=True gave each name a tensor of its own; trained apart they would differ.
            _set(module, other, _get(module, first))
    if drawn:
        _refuse_ties_of_ours(module)
    # double() also converts buffers that the module computes and that are not in the state.
    return module.double()


def _own_tables(module):
    """The buffers that the module was built with, but for those of one value, with which statistics begin."""
    if not hasattr(module, "assay_own_tables"):
        varied = lambda buffer: buffer.numel() > 1 and bool((buffer != buffer.flatten()[0]).any())
        module.assay_own_tables = {name: buffer.clone() for name, buffer in module.named_buffers() if varied(buffer)}
    return module.assay_own_tables


def _get(module, name):
    path, _, leaf = name.rpartition(".")
    return getattr(module.get_submodule(path), leaf)


def _set(module, name, tensor):
    path, _, leaf = name.rpartition(".")
    setattr(module.get_submodule(path), leaf, tensor)


def _refuse_ties_of_ours(module):
    """Weights are drawn by name, so two that are equal, but for those filled with one value, are one tensor in C++."""
    drawn = {}
    for name, parameter in module.named_parameters():
        some = parameter.detach().flatten()[:8].tolist()
        if len(set(some)) > 1:
            drawn.setdefault((parameter.shape, tuple(some)), []).append((name, parameter))
    for (first, tensor), *others in drawn.values():
        for other, same in others:
            if torch.equal(tensor, same):
                raise ReferenceError(
                    "%s and %s are one tensor in ours and two in the other implementation: tie them in its build()" % (first, other)
                )


def inputs_of(content, exported, dtype=torch.float64):
    """The runner's inputs, checked against the case, rounded as it says, in `dtype`."""
    inputs = {}
    for spec in content["inputs"]:
        name = spec["name"]
        if name not in exported:
            raise ReferenceError('the runner exported no input "%s"' % name)
        tensor = exported[name]
        if list(tensor.shape) != spec["shape"]:
            raise ReferenceError('input "%s": exported %s, the case says %s' % (name, list(tensor.shape), spec["shape"]))
        if "distribution" in spec:
            _check_draw(spec, content["seed"], tensor)
        if tensor.is_floating_point():
            wanted = DTYPES[spec["rounding"]]
            if tensor.dtype not in (torch.float32, wanted):
                # Rounded once too often: a float32 reference from bfloat16 inputs would be wrong and look right.
                raise ReferenceError('input "%s" was exported as %s, so its %s values are lost' % (name, tensor.dtype, wanted))
            tensor = tensor.to(wanted).to(dtype)
        inputs[name] = tensor
    return inputs


def _check_draw(spec, seed, tensor):
    """The exported input is what a second generator, in Python, draws from its distribution: its first elements are."""
    if tensor.is_floating_point() and tensor.dtype != torch.float32:
        return  # rounded already: inputs_of() decides whether too far
    if tensor.is_floating_point() != (spec["dtype"] in plan.ROUNDING):
        raise ReferenceError('input "%s": exported as %s, the case says %s' % (spec["name"], tensor.dtype, spec["dtype"]))
    want = seeded_inputs.values(spec, seed, at_most=_DRAWS_CHECKED)
    got = tensor.flatten()[: len(want)].tolist()
    if got != want:
        first = next(i for i, (a, b) in enumerate(zip(got, want)) if a != b)
        raise ReferenceError(
            'input "%s": element %d was exported as %r; its distribution %s gives %r'
            % (spec["name"], first, got[first], json.dumps(spec["distribution"]), want[first])
        )


def forward(family, module, inputs, names):
    """Outputs by name; call it inside true_float64() for references."""
    outputs = family.script.forward(module, inputs)
    if set(outputs) != set(names):
        raise ReferenceError("the reference script gives outputs %s, the case has %s" % (sorted(outputs), sorted(names)))
    return outputs


def reference_outputs(family, module, inputs, names):
    with torch.inference_mode(), true_float64():
        return forward(family, module, inputs, names)


def generation_outputs(family, content, module, inputs):
    """The logits of each new token (defs/case/generation_outputs.h): of one forward pass over prompt and continuation, without a cache."""
    continued, new = content["continuation"]
    prompt = inputs[continued]
    given = {name: tensor for name, tensor in inputs.items() if name != new}
    given[continued] = torch.cat([prompt, inputs[new]], 1)
    ((output, logits),) = reference_outputs(family, module, given, [content["outputs"][0].removeprefix("first.")]).items()
    logits = logits[:, prompt.shape[1] - 1 :]
    parts = {"first": logits[:, 0], "middle": logits[:, 1:-1], "last": logits[:, -1]}
    return {"%s.%s" % (part, output): values.contiguous() for part, values in parts.items()}


def training_outputs(family, content, state, inputs, drawn=True):
    """The outputs of the content's training steps for the blob. `state` is not changed, though the steps update a
    module's state."""
    module = load(family.module(content), {name: tensor.clone() for name, tensor in state.items()}, drawn)
    targets = {name: inputs[name] for name in content["targets"]}
    given = {name: tensor for name, tensor in inputs.items() if name not in targets}
    recorded = training.steps(family.script, module, given, targets, content["training"], keep=blob_output)
    if set(recorded) != set(content["outputs"]):
        raise ReferenceError("training gives %s, the case has %s" % (sorted(recorded), sorted(content["outputs"])))
    return recorded


def blob_output(name, tensor):
    """An output as the blob keeps it: floats, integers and booleans all as float64."""
    flat = tensor.detach().double().flatten()
    if not tensor.is_floating_point() and flat.numel() and flat.abs().max().item() >= 2.0**53:
        raise ReferenceError('output "%s" holds integers of 2^53 or beyond, which float64 cannot tell apart' % name)
    indices = reference_blob.sample_indices(name, tuple(tensor.shape))
    kept = flat if indices is None else flat[torch.tensor(indices)]
    mean = flat.mean()
    stats = reference_blob.Stats(
        mean=mean.item(),
        std=(flat - mean).square().mean().sqrt().item(),
        norm=torch.linalg.vector_norm(flat).item(),
        largest=flat.abs().max().item(),
    )
    return reference_blob.Output(tuple(tensor.shape), indices, tuple(kept.tolist()), stats)


def exported_state(job, runner, content, path=""):
    """The seeded weights; the file stays where a path for it is given."""
    kept = path or os.path.join(job["work"], "state.safetensors")
    runner.export_state(content["label"], kept)
    state = load_file(kept)
    if not path:
        os.unlink(kept)
    for name, tensor in state.items():
        if tensor.is_floating_point() and tensor.dtype != torch.float32:
            raise ReferenceError('weight "%s" was exported as %s, want float32' % (name, tensor.dtype))
        if tensor.is_floating_point() and not tensor.isfinite().all():
            raise ReferenceError('weight "%s" has NaN or infinity' % name)
    return state


class InputExports:
    """The runner's inputs of each workload and rounding, asked for once. Those of equal parameters share their rows.

    A float32 case's inputs would do for all roundings if every runner exported them before rounding. Asking a case of
    each dtype is right whether it does so or not; inputs_of() refuses what was rounded too far.
    """

    def __init__(self, job, runner):
        self._path = os.path.join(job["work"], "inputs.safetensors")
        self._runner = runner
        self._exports = {}

    def of(self, content):
        # Other parameters may say other limits of the same input.
        of_size = json.dumps([content["rounding"], content["parameters"]], sort_keys=True)
        exports = self._exports.setdefault(of_size, {})
        key = json.dumps([[s["name"], s["shape"]] for s in content["inputs"]])
        if key not in exports:
            self._runner.export_inputs(content["label"], self._path)
            exports[key] = load_file(self._path)
            os.unlink(self._path)
            for other in exports.values():
                _check_shared_rows(other, exports[key])
        return exports[key]


def _check_shared_rows(one, other):
    """The rows of a smaller batch are the first of a larger one: why a case is verified at fewer rows than it times."""
    for name in set(one) & set(other):
        a, b = one[name], other[name]
        if a.dim() and b.dim() and a.shape[1:] == b.shape[1:]:
            rows = min(len(a), len(b))
            if not torch.equal(a[:rows], b[:rows]):
                raise ReferenceError('input "%s": the rows of batch %d and %d differ' % (name, len(a), len(b)))


def groups_with_one_state(job, family):
    """The job's contents by the signature of their state: [[content, …], …]."""
    groups = {}
    for content in job["contents"]:
        groups.setdefault(family.signature(content), []).append(content)
    return list(groups.values())


def independent_references(job, runner, emit):
    """Computes and writes every blob of the job."""
    torch.set_num_threads(job["threads"])
    family = Family(job["script"])
    exports = InputExports(job, runner)
    modules = module_export.Modules(job, family)
    for number, contents in enumerate(groups_with_one_state(job, family)):
        weights = os.path.join(job["work"], "%d.weights.safetensors" % number) if WEIGHTS in job["roles"] else ""
        state = exported_state(job, runner, contents[0], weights)
        for rounding in sorted({c["rounding"] for c in contents}):
            rounded_state = rounded(state, DTYPES[rounding])
            for content in (c for c in contents if c["rounding"] == rounding):
                emit(_one_reference(job, family, content, rounded_state, exports))
            del rounded_state
        for content in contents:
            if weights:
                emit(events.finished(content, WEIGHTS, weights, events.seeded_provenance(content)))
            events.export_inputs(job, content, runner, emit)
            if MODULE in job["roles"] and not content["training"] and not content["continuation"]:
                emit(_one_module(modules, content, state, exports))


def kept_outputs(family, content, state, inputs, drawn=True):
    """The outputs for the content's blob, of a state that is rounded to its dtype; `drawn` as of load()."""
    if content["training"]:
        return training_outputs(family, content, state, inputs, drawn)
    module = load(family.module(content), state, drawn)
    if content["continuation"]:
        outputs = generation_outputs(family, content, module, inputs)
    else:
        outputs = reference_outputs(family, module, inputs, content["outputs"])
    return {name: blob_output(name, outputs[name]) for name in content["outputs"]}


def _one_reference(job, family, content, state, exports):
    """The event of a content's reference."""
    try:
        kept = kept_outputs(family, content, state, inputs_of(content, exports.of(content)))
        events.write_blob(content, kept, {**content["metadata"], "provenance": family.provenance(content)})
    except (ReferenceError, LossOfPrecision, RunnerError, reference_blob.BlobError) as error:
        return events.failed(content, REFERENCE, error)
    return events.finished(content, REFERENCE, content["blob"], family.provenance(content))


def _one_module(modules, content, state, exports):
    try:
        given = inputs_of(content, exports.of(content), dtype=torch.float32)
        path = modules.export(content, lambda module: load(module, rounded(state, torch.float32)).float(), given)
    except (ReferenceError, RunnerError, module_export.ExportError) as error:
        return events.failed(content, MODULE, error)
    return events.finished(content, MODULE, path, "%s, seed %d" % (modules.provenance(), content["seed"]))
