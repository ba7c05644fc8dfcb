"""Assay's cases as calls in Python: the reference's own model, or ATen's operator, on the same shapes, dtypes and optimizer.

    workload = workloads.prepare(entry, step, torch.device("cuda"), exports)
    workload.call()              # what a clock times
    workload.errors()            # {output: rms of its error by standard deviations of the float64 output}

A model's weights and inputs are those that Assay's runner exports, if it is given: bit for bit the case's own. Without a
runner they are torch's own first weights, which take the same time but have other errors. An operator's inputs are drawn
from the case's distribution. Training steps and generations are those of python_peer.py.
Not for timing (clocks.py).
"""

import argparse
import copy
import functools
import importlib
import math
import os
import shlex
import subprocess
from typing import Callable, NamedTuple, Optional

# (case, step, weight of its share of the time), the most important first.
PLAN = [
    ("mlp_fp32_b64", "forward", 2),
    ("resnet50_bf16_b64", "forward", 2),
    ("bert_base_bf16_b8_s128", "forward", 2),
    ("mm_bf16_m8192_k8192_n8192", "forward", 1),
    ("layer_norm_bf16_b16384_c1024", "forward", 1),
    ("add_bf16_r65536_c256", "forward", 1),
    ("resnet50_fp32_b8", "forward", 1),
    ("bert_base_fp32_b8_s128", "forward", 1),
    ("bert_base_fp32_b8_s128_train", "train_step", 1),
    ("gpt2_fp32_b1_s128_gen32", "prefill", 1),
    ("gpt2_fp32_b1_s128_gen32", "generate", 1),
    ("conv2d_bf16_b32_i256_o256_h14_w14", "forward", 1),
    ("sdpa_flash_bf16_b1_n32_s2048_d128", "forward", 1),
    ("copy_bf16_r262144_c256", "forward", 1),
    ("sum_bf16_b4096_c4096", "forward", 1),
]
_DRAWN_EXACTLY = 1 << 16  # elements that plain Python draws in a quarter of a second


class Workload(NamedTuple):
    call: Callable
    trains: bool = False
    errors: Optional[Callable] = None  # None: a training step or a generation
    values: str = "exported"  # Assay's own; else why they are not


class Exports:
    """The runner's seeded weights and inputs. `command` starts it on a case, {label} of {package}; "" is none."""

    def __init__(self, command, folder):
        self._command, self._folder = command, folder

    def of(self, entry):
        """((state, inputs) by name, "exported"), or (None, why there are none)."""
        if not self._command:
            return None, "no --export was given"
        try:
            return self._exported(entry), "exported"
        except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
            return None, "--export: %s" % error

    def _exported(self, entry):
        from safetensors.torch import load_file

        case = entry["benchmark_case"]
        state, inputs = (os.path.join(self._folder, name) for name in (case["model"] + ".state", case["name"] + ".inputs"))
        flags = ["--export-inputs=" + inputs] + ([] if os.path.exists(state) else ["--export-state=" + state])
        package = case["label"][2:].partition(":")[0]
        words = shlex.split(self._command.format(label=case["label"], package=package)) + flags
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", timeout=60)
        if done.returncode:
            raise RuntimeError("exit code %d of %s: %s" % (done.returncode, shlex.join(words), done.stderr.strip()[-200:]))
        return load_file(state), load_file(inputs)


def prepare(entry, step, device, exports):
    """The workload of a case's step. Raises what the model, the operator or the runner raises."""
    import torch

    torch.manual_seed(0)
    if "operator_call" in entry["benchmark_case"]:
        return _operator(entry, device)
    given, values = exports.of(entry)
    script, module, inputs, verified = _model(entry, given)
    module, inputs, verified = module.to(device), _moved(inputs, device), _moved(verified, device)
    if step == "forward":
        errors = functools.partial(_model_errors, script, module, verified)
        return Workload(lambda: script.forward(module, inputs), errors=errors, values=values)
    from ci.figures import python_peer

    options = argparse.Namespace(case=entry["benchmark_case"]["label"], optimizer="", step=step)
    if step == "train_step":
        return Workload(python_peer.training_step(script, module, inputs, entry, options), trains=True, values=values)
    return Workload(python_peer.generation(module, inputs, entry, options), values=values)


def _moved(tensors, device):
    return {name: tensor.to(device) for name, tensor in tensors.items()}


def _double(tensors):
    return {name: tensor.double() if tensor.is_floating_point() else tensor for name, tensor in tensors.items()}


def _model(entry, given):
    """(reference script, its module, inputs to time, inputs of the verified batch) on the CPU, in the case's dtype."""
    from tools.artifacts.generate.registry import _value
    from ci.figures import python_peer

    dtype = _dtype(entry["benchmark_case"]["dtype"])
    if given:
        verified = {n: t.to(dtype) if t.is_floating_point() else t for n, t in given[1].items()}
        return (*python_peer.prepared(entry, *given), verified)
    script = importlib.import_module(entry["implementation"]["reference_script"][: -len(".py")].replace("/", "."))
    module = script.build({name: _value(v) for name, v in entry["measured"]["parameters"].items()}).eval().to(dtype)
    inputs, verified = ({s["name"]: _draw(s, entry, "cpu") for s in entry[w]["inputs"]} for w in ("measured", "verified"))
    return script, module, inputs, verified


def _dtype(name):
    import torch

    names = {"FP32": "float32", "BF16": "bfloat16", "FP16": "float16", "FP64": "float64", "INT64": "int64", "BOOL": "bool"}
    return getattr(torch, names[name])


def _draw(spec, entry, device):
    """An input: Assay's own values where it is small, else as many from the same uniform distribution."""
    import torch

    from artifacts.format import seeded_inputs

    shape, dtype = [int(d) for d in spec["shape"]], _dtype(spec["dtype"])
    if math.prod(shape) <= _DRAWN_EXACTLY:
        values = seeded_inputs.values(spec, int(entry["benchmark_case"].get("seed", 0)))
        return torch.tensor(values).reshape(shape).to(device, dtype)
    uniform = spec["distribution"]["uniform"]  # KeyError: no such case is in PLAN
    low, high = uniform.get("low", 0.0), uniform.get("high", 0.0)
    if low == high == 0:
        low, high = -math.sqrt(3), math.sqrt(3)
    return torch.empty(shape, device=device).uniform_(low, high).to(dtype)


def _function(name):
    """torch's function of an operator, by which a person calls it; operators without one are called through torch.ops."""
    import torch

    base, _, overload = name[len("aten::"):].partition(".")
    if hasattr(torch, base):
        function = getattr(torch, base)
        return lambda arguments: function(**{"input" if n == "self" else n: v for n, v in arguments.items()})
    operator = getattr(getattr(torch.ops.aten, base), overload or "default")
    return lambda arguments: operator(**arguments)


def _operator(entry, device):
    from tools.artifacts.generate.registry import _value

    called = entry["benchmark_case"]["operator_call"]
    tensors = {spec["name"]: _draw(spec, entry, device) for spec in entry["measured"]["inputs"]}
    settings = {name: _value(value) for name, value in called.get("arguments", {}).items()}
    function, arguments = _function(called["name"]), {**tensors, **settings}

    def errors():
        truth = _function(called["truth"]) if "truth" in called else function
        wanted = truth({**_double(tensors), **settings})
        (name,) = (output["name"] for output in called["outputs"])
        return {name: _rms_error(_first(function(arguments)), _first(wanted))}

    return Workload(lambda: function(arguments), errors=errors, values="drawn from the same distribution")


def _first(outputs):
    return outputs[0] if isinstance(outputs, (tuple, list)) else outputs


def _model_errors(script, module, inputs):
    from tools.artifacts.generate.true_float64 import true_float64

    got, exact = script.forward(module, inputs), copy.deepcopy(module).double()
    with true_float64():
        wanted = script.forward(exact, _double(inputs))
    return {name: _rms_error(got[name], wanted[name]) for name in wanted}


def _rms_error(got, want):
    """As OutputVerdict.rms_error: rms(got - want) / std(want)."""
    difference = (got.double() - want).square().mean().sqrt().item()
    return difference / want.std(correction=0).item() if difference else 0.0
