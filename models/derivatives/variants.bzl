"""Programs of a function and its derivative: pyhpc-benchmarks' equation of state and TorchBench's lennard_jones. Pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter", "uniform")

def _implementation(name, **others):
    return model_implementation(
        name = name,
        owner = "assay",
        reference = "INDEPENDENT",
        reference_script = "models/derivatives/reference.py",
        **others
    )

EQUATION_OF_STATE = _implementation(
    "equation_of_state",
    description = "The derivative of sea water's dynamic enthalpy by its temperature, for the function of 48 terms of IOC et al. (2010).",
    source_url = "https://github.com/dionhaefner/pyhpc-benchmarks/tree/main/benchmarks/equation_of_state",
    parameters = [
        # 2^20 cells, as TorchBench shares them out.
        parameter("x", "integer", default = 204, maximum = 4096, description = "cells from west to east"),
        parameter("y", "integer", default = 204, maximum = 4096, description = "cells from south to north"),
        parameter("z", "integer", default = 26, maximum = 4096, description = "cells from the surface down"),
    ],
    inputs = [
        input("sa", ["batch", "x", "y", "z"], uniform(0.01, 10)),
        input("ct", ["batch", "x", "y", "z"], uniform(-12, 20)),
        input("p", ["batch", 1, 1, "z"], uniform(0, 1000)),
    ],
    outputs = [output("derivative", ["batch", "x", "y", "z"])],
    unit = "cell",
    units_per_call = "batch*x*y*z",
)

LENNARD_JONES = _implementation(
    "lennard_jones",
    description = "Energies and forces of pairs of atoms: an MLP of their distance, and its derivative.",
    source_url = "https://github.com/pytorch/benchmark/blob/main/torchbenchmark/models/lennard_jones/__init__.py",
    parameters = [
        parameter("hidden", "integer", default = 16, maximum = 65536, description = "width of the layers between the first and the last"),
        parameter("layers", "integer", default = 5, minimum = 2, maximum = 1000, description = "linear layers"),
    ],
    inputs = [input("drs", ["batch", 3], uniform(-2, 2))],
    outputs = [output("energies", ["batch", 1]), output("forces", ["batch", 3])],
    trainable = True,
    targets = [input("energies", ["batch", 1]), input("forces", ["batch", 3])],
    unit = "pair",
)

MODELS = [
    model("lennard_jones", LENNARD_JONES),
    model("pyhpc_equation_of_state_tiny", EQUATION_OF_STATE, parameters = {"x": 12, "y": 10, "z": 6}, smoke_parameters = {"x": 4, "y": 3, "z": 2}, description = "The same of a small grid, which tests can afford."),
    model("pyhpc_equation_of_state", EQUATION_OF_STATE, smoke_parameters = {"x": 4, "y": 3, "z": 2}),
]
