"""Registry entries for the tests of the generator, in the shape of assay.Registry as protobuf JSON."""


def entry(name="toy_fp32_b2", dtype="FP32", batch=2, key=None, seed=None, tags=(), reference="OWN_FLOAT64", **parameters):
    """One ResolvedCase of //benchmarks/toy with input x [batch, width] and output y."""
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
    return {
        "benchmarkCase": case,
        "model": {"name": "toy"},
        "implementation": implementation,
        "verified": {
            "parameters": {name: {"integer": str(value)} for name, value in parameters.items()},
            "batch": str(batch),
            "inputs": [
                {
                    "name": "x",
                    "dtype": dtype,
                    "shape": [str(batch), "3", str(parameters["width"])],
                    "distribution": {"uniform": {}},
                }
            ],
            "outputs": [{"name": "y", "dtype": dtype, "shape": [str(batch)], "batched": True}],
        },
        "reference": {"key": key or name},
    }
