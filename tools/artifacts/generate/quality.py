"""How good a check a model's reference is: the figures behind tolerances (defs/tolerances.bzl). Needs torch.

Measures, on the CPU and with Python's implementation, for one workload of each model:

    std           standard deviation of the float64 output: a well scaled model has about one
    <dtype> error rms and max of (output in the dtype - float64 output of the same rounded weights), over std
    sensitivity   output change when one weight tensor in the middle changes at random by up to 1 %, over the float32
                  rms error, the least of three tensors: below about 100, a wrong weight could hide in the noise

It says nothing about the C++ models or a GPU: those are what the tests compare with the reference.
"""

import torch

from tools.artifacts.generate import compute
from tools.artifacts.generate.runner_export import RunnerError

_SEED = 20240229  # of the perturbation; any fixed number does
_CHANGE = 0.01


def errors(got, want):
    """(rms, max) of the difference over the standard deviation of `want`."""
    difference = got.double() - want
    std = (want - want.mean()).square().mean().sqrt()
    return (difference.square().mean().sqrt() / std).item(), (difference.abs().max() / std).item()


def middle_weights(state):
    """Names of three weight matrices or kernels around the middle of the model."""
    weights = [n for n, t in state.items() if t.is_floating_point() and t.dim() >= 2]
    return sorted({weights[len(weights) * q // 4] for q in (1, 2, 3)})


def measure(job, runner, emit):
    """Emits {"measured": …} for the job's smallest workload, or for every one of them with --measure=all."""
    torch.set_num_threads(job["threads"])
    family = compute.Family(job["script"])
    exports = compute.InputExports(job, runner)
    seen = set()
    for contents in compute.groups_with_one_state(job, family):
        state = compute.exported_state(job, runner, contents[0])
        for content in contents:
            workload = (str(content["parameters"]), content["batch"])
            if workload in seen or content["training"] or content["continuation"]:
                continue
            seen.add(workload)
            try:
                emit({"id": content["id"], "measured": _figures(job, family, content, state, exports)})
            except (compute.ReferenceError, RunnerError, RuntimeError) as error:
                emit({"id": content["id"], "error": str(error)})


def _figures(job, family, content, state, exports):
    names = content["outputs"]
    figures = {name: {} for name in names}
    for rounding, dtype in compute.DTYPES.items():
        # Inputs follow the dtype under test, whichever case brought the workload here.
        specs = [{**spec, "rounding": rounding} for spec in content["inputs"]]
        inputs = compute.inputs_of({**content, "inputs": specs}, exports.of(content))
        want = _float64(family, content, compute.rounded(state, dtype), inputs, names)
        if rounding == "fp32":
            exact, exact_inputs = want, inputs
            for name in names:
                figures[name]["std"] = want[name].std(unbiased=False).item()
        got = _in_dtype(family, content, dtype, state, inputs, names)
        for name in names:
            figures[name][rounding] = errors(got[name], want[name]) if isinstance(got, dict) else got
    _add_sensitivity(family, content, state, exact_inputs, exact, figures)
    return figures


def _float64(family, content, state, inputs, names):
    return compute.reference_outputs(family, compute.load(family.module(content), state), inputs, names)


def _in_dtype(family, content, dtype, state, inputs, names):
    """Outputs computed in `dtype`, or in which way the CPU cannot."""
    module = compute.load(family.module(content), compute.rounded(state, dtype, to=dtype)).to(dtype)
    given = {n: t.to(dtype) if t.is_floating_point() else t for n, t in inputs.items()}
    try:
        with torch.inference_mode():
            return compute.forward(family, module, given, names)
    except RuntimeError as error:
        return str(error).splitlines()[0]


def _add_sensitivity(family, content, state, inputs, exact, figures):
    generator = torch.Generator().manual_seed(_SEED)
    for weight in middle_weights(state):
        changed = compute.rounded(state, torch.float32)
        noise = torch.rand(state[weight].shape, generator=generator, dtype=torch.float64) * 2 - 1
        changed[weight] = changed[weight] * (1 + _CHANGE * noise)
        got = _float64(family, content, changed, inputs, list(exact))
        for name, figure in figures.items():
            ratio = errors(got[name], exact[name])[0] / max(figure["fp32"][0], 1e-300)
            if ratio < figure.get("sensitivity", (float("inf"),))[0]:
                figure["sensitivity"] = (ratio, weight)
