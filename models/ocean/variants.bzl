"""Two of pyhpc-benchmarks' programs of an ocean model, without parameters: pure data."""

load("//defs:variants.bzl", "bernoulli", "input", "integers", "model", "model_implementation", "output", "parameter", "uniform")

_CELLS = ["batch", "x", "y", "z"]

def _numbers(axis, low, high, names):
    return [input(name, ["batch", axis], uniform(low, high)) for name in names]

def _cells(low, high, names, more = []):
    return [input(name, _CELLS + more, uniform(low, high)) for name in names]

def _masks(names):
    return [input(name, _CELLS, bernoulli(0.8)) for name in names]

def _distances(side, level):
    return _numbers("x", side, 4 * side, ["dxt", "dxu"]) + _numbers("y", side, 4 * side, ["dyt", "dyu"]) + \
           _numbers("z", level, 10 * level, ["dzt", "dzw"]) + _numbers("y", 0.3, 1, ["cost", "cosu"])

def _implementation(name, description, inputs, outputs):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/dionhaefner/pyhpc-benchmarks/tree/main/benchmarks/" + name,
        reference = "INDEPENDENT",
        reference_script = "models/ocean/reference.py",
        parameters = [
            parameter("program", "text", default = name, allowed = [name], description = "which of the programs"),
            # 2^20 cells, as TorchBench shares them out.
            parameter("x", "integer", default = 204, minimum = 6, maximum = 4096, description = "cells from west to east"),
            parameter("y", "integer", default = 204, minimum = 6, maximum = 4096, description = "cells from south to north"),
            parameter("z", "integer", default = 26, minimum = 3, maximum = 4096, description = "cells from the deepest to the surface"),
        ],
        inputs = inputs,
        outputs = outputs,
        unit = "cell",
        units_per_call = "batch*x*y*z",
    )

# Sides in metres: slopes of surfaces of equal density are then near 1e-3, where their taper begins.
ISONEUTRAL_MIXING = _implementation(
    "isoneutral_mixing",
    "Mixing along surfaces of equal density, after Griffies et al. (1998).",
    inputs = _masks(["maskT", "maskU", "maskV", "maskW"]) + _distances(side = 5000, level = 5) +
             _cells(30, 38, ["salt"], more = [3]) + _cells(-2, 30, ["temp"], more = [3]) + _numbers("z", -5000, 0, ["zt"]) +
             _cells(0, 2000, ["K_iso", "K_11", "K_22"]) + _cells(0, 0.001, ["K_33"]) +
             _cells(-0.001, 0.001, ["Ai_ez", "Ai_nz", "Ai_bx", "Ai_by"], more = [2, 2]),
    outputs = [output(name, _CELLS) for name in ["K_11", "K_22", "K_33"]] +
              [output(name, _CELLS + [2, 2]) for name in ["Ai_ez", "Ai_nz", "Ai_bx", "Ai_by"]],
)

# Sides in metres: in a second, each of diffusion, dissipation and advection changes the energy by some hundredths.
TURBULENT_KINETIC_ENERGY = _implementation(
    "turbulent_kinetic_energy",
    "A step of the kinetic energy of turbulence, after Gaspar et al. (1990), with a tridiagonal system in each column.",
    inputs = _cells(-5, 5, ["u", "v"], more = [3]) + _cells(-0.5, 0.5, ["w"], more = [3]) + _masks(["maskU", "maskV", "maskW"]) +
             _distances(side = 50, level = 0.5) + [input("kbot", ["batch", "x", "y"], integers(limit = "z"), dtype = "INT64")] +
             _cells(0, 2, ["kappaM"]) + _cells(0.5, 5, ["mxl"]) + _cells(-0.5, 0.5, ["forc"]) +
             [input("forc_tke_surface", ["batch", "x", "y"], uniform(-2, 1))] +
             _cells(-0.2, 1, ["tke"], more = [3]) + _cells(-0.2, 0.2, ["dtke"], more = [3]),
    outputs = [output(name, _CELLS + [3]) for name in ["tke", "dtke"]] + [output("tke_surf_corr", ["batch", "x", "y"])],
)

_SMALL = {"x": 7, "y": 8, "z": 5}

# Its seven outputs are as many numbers as the references of a model's default cases may hold.
_TINY = {"isoneutral_mixing": {"x": 8, "y": 7, "z": 4}, "turbulent_kinetic_energy": {"x": 20, "y": 24, "z": 8}}

MODELS = [
    made
    for implementation in [ISONEUTRAL_MIXING, TURBULENT_KINETIC_ENERGY]
    for made in [
        model(
            "pyhpc_%s_tiny" % implementation.name,
            implementation,
            parameters = _TINY[implementation.name],
            smoke_parameters = _SMALL,
            description = "The same of a small grid, which tests can afford.",
        ),
        model("pyhpc_" + implementation.name, implementation, smoke_parameters = _SMALL),
    ]
]
