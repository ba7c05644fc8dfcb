"""Chooses the cases of a table that `bazel test //...` verifies, by the code that the models run.

It verifies the first model in float32 and bf16, and the first model of each branch in float64. The limits of float64
(defs/tolerances.bzl) are a millionth of those of float32, so they find what float32's rounding hides: an epsilon of
1e-6 in place of 1e-5 changes swin_t by 4e-6 of its standard deviation, and float32 allows 1e-5. One model is enough of a
branch, because models of the same code differ in sizes alone, which model_golden_test compares for all of them.

A branch is an implementation and the values of its parameters of the kinds "text" and "flag": they choose code, whereas
numbers say how much of it there is. Example, where a number chooses code as well:

    cases(..., large = left_out_by_default(MODELS, also = {"swin_v2_t": "version 2 has attention and norms of its own"}))
"""

load(":cases.bzl", "matching")

def _branch(model):
    """The parameters that choose the code that a model runs; a flag that is not given counts as False."""
    chosen = []
    for parameter in model.parameters:
        if getattr(parameter.value, "text", None) != None or getattr(parameter.value, "flag", False):
            chosen.append(parameter)
    return repr([model.implementation.name, chosen])

def models_of_branches(models, also = {}, without = {}):
    """The first model of each branch.

    Args:
      models: MODELS of a family's variants.bzl.
      also: model -> why: more of them, where a number chooses code.
      without: model -> why: fewer, where another model runs the same code or where one takes too long.
    Returns:
      their names.
    """
    names = [m.name for m in models]
    for name, why in list(also.items()) + list(without.items()):
        if name not in names:
            fail("models_of_branches: unknown model %r; one of %s" % (name, ", ".join(names)))
        if not why:
            fail("models_of_branches: %r: why?" % name)
    branches = {}
    for model in models:
        branches.setdefault(_branch(model), model.name)
    chosen = list(branches.values()) + list(also)
    return [name for name in names if name in chosen and name not in without]

def left_out_by_default(models, also = {}, without = {}):
    """The conditions of cases(large = ...) that leave the rest of the models' cases out.

    Args:
      models: MODELS of a family's variants.bzl.
      also: as of models_of_branches().
      without: as of models_of_branches().
    Returns:
      a list of matching().
    """
    in_float64 = models_of_branches(models, also, without)
    return [
        matching(dtype = ["fp16"]),
        matching(dtype = ["fp32", "bf16"], model = [m.name for m in models[1:]]),
        matching(dtype = ["fp64"], model = [m.name for m in models if m.name not in in_float64]),
    ]
