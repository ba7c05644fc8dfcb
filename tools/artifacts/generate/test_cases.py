"""Registry entries for the tests of the generator, in the shape of assay.Registry as protobuf JSON."""

from tools.artifacts.generate.registry import RECORDED_STEPS


def training_outputs(outputs):
    """Names of what a training case's reference holds, given the model's outputs."""
    of_one = ("loss", *outputs, "gradients", "gradient_norms", "parameters")
    return ["step%d.%s" % (step, name) for step in RECORDED_STEPS for name in of_one]


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
        implementation["referenceScript"] = "models/toy/reference.py"
    inputs = [{"name": "x", "dtype": dtype, "shape": [str(batch), "3", str(parameters["width"])], "distribution": {"uniform": {}}}]
    outputs = ["y"] if sgd is None else training_outputs(["y"])
    if sgd is not None:
        case.update(mode="TRAIN", training={"optimizers": [{"sgd": sgd}]})
        implementation["targets"] = [{"name": "labels", "dtype": "INT64", "shape": ["batch"]}]
        inputs.append({"name": "labels", "dtype": "INT64", "shape": [str(batch)]})
    return {
        "benchmarkCase": case,
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
