"""Runs the other implementation on what a runner has written (--export-layers), and compares layer by layer. Needs torch.

    compared = comparison.compare("/tmp/folder", workspace)
    findings.first_fault(compared.calls, compared.outputs)
"""

import os
import torch
from safetensors import safe_open
from safetensors.torch import load_file

from tools.artifacts.generate import compute, jobs, plan, registry, training
from tools.artifacts.generate.errors import SurroundingsError
from tools.artifacts.generate.true_float64 import true_float64
from tools.locate import findings
from tools.locate.differences import difference, scale
from tools.locate.layer_trace import LayerTrace

# In units of the largest gradient's standard deviation.
_LEAST_GRADIENT = 1e-6


class _Ours:
    """The calls that the runner has written, by name and number."""

    def __init__(self, folder):
        self._paths = {}
        for name in os.listdir(folder):
            with safe_open(os.path.join(folder, name), "pt") as file:
                told = file.metadata()
            self._paths[told["layer"], int(told["number"])] = os.path.join(folder, name)

    def take(self, name, number):
        """input.0, ..., output; None where there is no such call. A second time there is none either."""
        path = self._paths.pop((name, number), None)
        return path and load_file(path)

    def left(self):
        return sorted("%s (call %d)" % (n, i + 1) if i else n for n, i in self._paths)


class _Comparison:
    """Compares each call of the reference once it is over."""

    def __init__(self, ours):
        self._ours = ours
        self.calls = []

    def take(self, call):
        ours = self._ours.take(call.name, call.number)
        given, output = findings.NEVER_CALLED, findings.NEVER_CALLED
        if ours:
            given = self._inputs([t for n, t in sorted(ours.items()) if n != "output"], call.inputs)
            output = difference(ours["output"], call.output)
        self.calls.append(findings.Call(call.name, call.number, given, output, tuple(sorted(call.fed_by))))

    @staticmethod
    def _inputs(ours, reference):
        """The worst of those that can be compared."""
        if len(ours) != len(reference):
            return findings.Difference(None, "ours has %d inputs, the reference %d" % (len(ours), len(reference)))
        found = [difference(*pair) for pair in zip(ours, reference)]
        off = [d for d in found if d.off]
        unknown = [d for d in found if d.rms is None]
        return (off or unknown or sorted(found, key=lambda d: -d.rms))[0]


def compare(folder, workspace):
    """Compares the content of `folder` with the reference script in `workspace`."""
    cases, _ = registry.read(os.path.join(folder, "case.json"))
    (job,) = plan.make_jobs(cases)
    given = jobs.specification(job, 0, jobs.Places(workspace, "", "", os.path.join(folder, "work")), 1, False)
    if not os.path.isfile(given["script"]):
        raise SurroundingsError("%s: there is no such file; the case names it as its reference_script" % given["script"])
    (content,) = given["contents"]
    family = compute.Family(given["script"])
    state = load_file(os.path.join(folder, "state.safetensors"))
    module = compute.load(family.module(content), compute.rounded(state, compute.DTYPES[content["rounding"]]))
    inputs = compute.inputs_of(content, load_file(os.path.join(folder, "inputs.safetensors")))
    ours = _Ours(os.path.join(folder, "calls"))
    comparison = _Comparison(ours)
    results = load_file(os.path.join(folder, "results.safetensors"))
    run = _train if content["training"] else _evaluate
    compared = run(family, content, module, inputs, comparison, results)
    return findings.Compared(
        case=cases[0].name,
        rounding=content["rounding"],
        provenance=family.script.provenance(),
        calls=comparison.calls,
        ours_alone=ours.left(),
        **compared,
    )


def _evaluate(family, content, module, inputs, comparison, results):
    with torch.inference_mode(), true_float64():
        with LayerTrace(module.state_dict(keep_vars=True), inputs, comparison.take) as trace:
            outputs = compute.forward(family, module, inputs, content["outputs"])
    return {"outputs": _outputs(outputs, trace, results), "loss": [], "gradients": [], "statistics": []}


def _train(family, content, module, inputs, comparison, results):
    """One step in which nothing drops out, up to its gradients."""
    training.drop_nothing(module)
    module.train()
    parameters = dict(module.named_parameters())
    for parameter in parameters.values():
        parameter.requires_grad_(True)
    targets = {name: inputs.pop(name) for name in content["targets"]}
    with torch.enable_grad(), true_float64():
        with LayerTrace(module.state_dict(keep_vars=True), inputs, comparison.take) as trace:
            outputs = family.script.forward(module, inputs)
        loss = training.loss_of(family.script, module, outputs, targets, content["training"]["loss"])
        loss.backward()
    of_model = {name: value for name, value in outputs.items() if not name.startswith("_")}
    buffers = {n: b for n, b in module.state_dict().items() if n not in parameters and b.is_floating_point()}
    return {
        "outputs": _outputs(of_model, trace, results),
        "loss": [findings.Result("loss", difference(results["loss"], loss.detach()))],
        "gradients": _gradients(parameters, trace, results),
        "statistics": [
            findings.Result(name, difference(results["buffer." + name], buffer))
            for name, buffer in buffers.items()
            if "buffer." + name in results
        ],
    }


def _outputs(outputs, trace, results):
    return [
        findings.Result(name, difference(results["output." + name], value.detach()), tuple(trace.feeding(value)))
        for name, value in outputs.items()
    ]


def _gradients(parameters, trace, results):
    last_first = sorted(parameters, key=lambda name: -trace.last_call_of.get(name, -1))
    # A parameter that the loss does not reach has none; ours is zeros.
    gradients = {name: torch.zeros_like(p) if p.grad is None else p.grad for name, p in parameters.items()}
    # A bias in front of a batch norm has a gradient of rounding alone, in which no digit is right.
    least = _LEAST_GRADIENT * max(map(scale, gradients.values()))
    return [findings.Result(name, difference(results["gradient." + name], gradients[name], least)) for name in last_first]
