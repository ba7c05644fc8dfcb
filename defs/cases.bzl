"""What a benchmarks/<family>/cases.bzl is made of: a table whose rows are products of models, dtypes and batches.

Pure data: nothing here makes a target (defs/benchmarks.bzl does). Example:

    CASES = [
        cases(dtypes = ["fp32", "bf16"], batches = [1, 8, 64], large = [matching(batch = [64])]),
        cases(
            models = ["bert_large"],
            dtypes = ["fp16"],
            batches = [1],
            parameters = [{"sequence_length": 128}, {"sequence_length": 384}],
            skips = [skip("no half-precision kernel for layer_norm", device = "CPU")],
        ),
    ]
"""

load(":textproto.bzl", "enum")

MAXIMUM_BATCH = 1 << 20

def matching(model = None, dtype = None, batch = None, **parameters):
    """A condition on cases: every argument given is a list that must hold the case's value."""
    conditions = dict(parameters)
    for name, values in {"batch": batch, "dtype": dtype, "model": model}.items():
        if values != None:
            conditions[name] = values
    for name, values in conditions.items():
        if type(values) != "list":
            fail("matching(%s = %r): give a list of values" % (name, values))
    return conditions

def skip(reason, device, where = None):
    """A case that cannot run on a device, with the reason that the list and the run show.

    Args:
      reason: one sentence; required.
      device: "CPU" or "CUDA".
      where: a matching(); None: every case of the row.
    Returns:
      a struct for cases().
    """
    if not reason or type(reason) != "string" or not reason.strip():
        fail("skip on %s: a reason is required; it is shown wherever the case is listed" % device)
    return struct(reason = reason, device = device, where = where or {})

def cases(dtypes, batches, models = None, parameters = [{}], skips = [], large = [], verify = None, seed = 0):
    """One row of a case table: every model x dtype x batch x parameters.

    Args:
      dtypes: "fp32", "fp64", "bf16", "fp16".
      batches: rows of every input, 1 to 2^20.
      models: names; None: every model of the family, those added later too.
      parameters: dicts laid over the model's parameters, e.g. {"sequence_length": 128}.
      skips: list of skip().
      large: list of matching(): cases left out of `bazel test //...` for their time or memory.
      verify: a verify() of defs/tolerances.bzl, or a dict of them by dtype; None: the dtype's default.
      seed: of weights and inputs.
    Returns:
      a struct for benchmarks().
    """
    for batch in batches:
        if type(batch) != "int" or batch < 1 or batch > MAXIMUM_BATCH:
            fail("cases: batch %r is out of range; 1 to %d" % (batch, MAXIMUM_BATCH))
    return struct(
        dtypes = dtypes,
        batches = batches,
        models = models,
        parameters = parameters,
        skips = skips,
        large = large,
        verify = verify,
        seed = seed,
    )

def _matches(where, values):
    for name, allowed in where.items():
        if values.get(name) not in allowed:
            return False
    return True

def skips_of(row, values):
    """suite.proto's Skip messages of one case."""
    return [struct(device = enum(s.device), reason = s.reason) for s in row.skips if _matches(s.where, values)]

def is_large(row, values):
    """Whether one of the row's `large` conditions holds."""
    return bool([w for w in row.large if _matches(w, values)])
