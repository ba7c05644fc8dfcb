"""Registry entries for the tests of the generator, in the shape of assay.Registry as protobuf JSON."""

from tools.artifacts.generate.registry import RECORDED_STEPS


def training_outputs(outputs, optimizers=("sgd",), buffers=False):
    """Names of what a training case's reference holds, given the model's outputs, as defs/case/training_steps.cc makes them."""
    first, last = RECORDED_STEPS
    before = ["loss", *outputs, "gradients", "gradient_norms"] + ["buffers"] * buffers
    after = ["parameters", "update_norms"]
    names = ["step%d.%s" % (first, name) for name in before]
    for optimizer in optimizers:
        names += ["%s.step%d.%s" % (optimizer, first, name) for name in after]
        names += ["%s.step%d.%s" % (optimizer, last, name) for name in before + after]
    return names


def entry(name="toy_fp32_b2", dtype="FP32", batch=2, key=None, seed=None, tags=(), reference="OWN_FLOAT64", sgd=None, **parameters):
    """One ResolvedCase of //benchmarks/toy with input x [batch, width] and output y; `sgd` makes it train."""
    parameters = {"width": 4, "depth": 1, **parameters}
    case = {"name": name, "label": "//benchmarks/toy:" + name, "model": "toy", "dtype": dtype, "tags": list(tags)}
    if seed is not None:
        case["seed"] = str(seed)
    implementation = {
        "name": "toy",
        "reference": reference,
        "inputs": [{"name": "x", "shape": ["batch", "3", "width"]}],
        "outputs": [{"name": "y", "shape": ["batch"]}],
    }
    if reference == "INDEPENDENT":
        implementation["reference_script"] = "models/toy/reference.py"
    inputs = [{"name": "x", "dtype": dtype, "shape": [str(batch), "3", str(parameters["width"])], "distribution": {"uniform": {}}}]
    outputs = ["y"] if sgd is None else training_outputs(["y"])
    if sgd is not None:
        case.update(mode="TRAIN", training={"optimizers": [{"sgd": sgd}], "loss": "OWN"})
        implementation["targets"] = [{"name": "labels", "dtype": "INT64", "shape": ["batch"]}]
        inputs.append({"name": "labels", "dtype": "INT64", "shape": [str(batch)]})
    return {
        "benchmark_case": case,
        "model": {"name": "toy"},
        "implementation": implementation,
        "verified": {
            "parameters": {name: {"integer": str(value)} for name, value in parameters.items()},
            "batch": str(batch),
            "inputs": inputs,
            "outputs": [{"name": name, "dtype": dtype, "shape": [str(batch)], "batched": True} for name in outputs],
        },
        "reference": {"key": key or name},
    }
