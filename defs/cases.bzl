"""Constructors for benchmarks/<family>/cases.bzl: a table whose rows are products of models, dtypes and batches.

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
        cases(dtypes = ["fp32"], batches = [8], run = training([sgd(learning_rate = 0.1, momentum = 0.9)], loss = "mean")),
        cases(dtypes = ["fp32"], batches = [1], parameters = [{"sequence_length": 128}], run = generation(new_tokens = 32)),
        cases(dtypes = ["fp32"], batches = [64], executions = [execution(), execution(autocast = "bf16")]),
    ]
"""

load(":textproto.bzl", "enum", "is_number")

MAXIMUM_BATCH = 1 << 20

# Fields of an execution in the order in which their words end a case's name; what a name leaves out is the default
# (eager, not lowered, contiguous, no autocast, highest, not deterministic).
EXECUTION_WORDS = [
    ("backend", ["torchscript"]),
    ("lowering", ["merged_branches", "int8_dynamic", "int8_weights", "int4_weights", "fp8_dynamic", "mxfp8_dynamic", "nvfp4_dynamic", "int8_static"]),
    ("memory_format", ["channels_last"]),
    ("autocast", ["autocast_bf16", "autocast_fp16"]),
    ("matmul_precision", ["high", "medium"]),
    ("deterministic", ["deterministic"]),
]

LOWERINGS = [words for field, words in EXECUTION_WORDS if field == "lowering"][0]

# Lowerings whose kernels are there for the CPU alone (models/layers/core/linear.cc), and why their cases are skipped on CUDA.
_CPU_LOWERINGS = {
    "int8_dynamic": "quantized::linear_dynamic has kernels for float32 on the CPU alone",
    "int8_weights": "aten::_weight_int8pack_mm is called for bf16 on the CPU alone",
    "int4_weights": "aten::_weight_int4pack_mm_for_cpu is for the CPU alone",
    "int8_static": "quantized::conv2d and quantized::linear are called on the CPU alone",
}

# Lowerings whose kernels are there for some GPUs alone: the compute capability that they need.
_GPU_LOWERINGS = {
    "mxfp8_dynamic": "10.0",
    "nvfp4_dynamic": "10.0",
}

_DEFAULT_WORDS = {"backend": "eager", "memory_format": "contiguous", "matmul_precision": "highest"}

def execution_value(field, word):
    """The value of suite.proto's Execution that a word of a name stands for."""
    if field == "deterministic":
        return True
    if field in ("backend", "lowering"):
        return word
    return enum((word[len("autocast_"):] if field == "autocast" else word).upper())

def execution(backend = "eager", lowering = None, memory_format = "contiguous", autocast = None, matmul_precision = "highest", deterministic = False):
    """How a program is called (suite.proto: Execution); what differs from the defaults ends the case's name.

    Args:
      backend: "eager", "torchscript".
      lowering: what the model is made into, "merged_branches", "int8_dynamic", "int8_weights", "int4_weights", "fp8_dynamic", "mxfp8_dynamic", "nvfp4_dynamic" or "int8_static"; None: nothing.
      memory_format: "contiguous" or "channels_last".
      autocast: "bf16" or "fp16"; None: none.
      matmul_precision: "highest", "high" or "medium".
      deterministic: whether nondeterministic kernels are refused.
    Returns:
      a struct for cases().
    """
    given = {"backend": backend, "lowering": lowering, "memory_format": memory_format, "matmul_precision": matmul_precision}
    given["autocast"] = "autocast_" + autocast if autocast else None
    given["deterministic"] = "deterministic" if deterministic else None
    fields = {}
    for field, words in EXECUTION_WORDS:
        default = _DEFAULT_WORDS.get(field)
        word = given[field]
        if word != default and word not in words:
            allowed = ([default] if default else []) + [w.replace("autocast_", "") for w in words]
            fail("execution: %s %r; one of %s" % (field, word.replace("autocast_", ""), ", ".join(allowed)))
        fields[field] = None if word == default else execution_value(field, word)
    return struct(**fields)

def _numbers(what, **values):
    """The values as floats, or fail(); case_checks.cc checks their ranges."""
    for name, value in values.items():
        if not is_number(value):
            fail("%s: %s %r; a number is allowed" % (what, name, value))
    return {name: float(value) for name, value in values.items()}

def sgd(learning_rate, momentum = 0.0, nesterov = False, weight_decay = 0.0):
    """torch.optim.SGD (suite.proto: Sgd)."""
    numbers = _numbers("sgd", learning_rate = learning_rate, momentum = momentum, weight_decay = weight_decay)
    return struct(sgd = struct(nesterov = nesterov, **numbers))

def _adam(what, learning_rate, betas, epsilon, weight_decay):
    if type(betas) not in ("list", "tuple") or len(betas) != 2:
        fail("%s: betas %r; two numbers are allowed" % (what, betas))
    return struct(**_numbers(
        what,
        learning_rate = learning_rate,
        beta1 = betas[0],
        beta2 = betas[1],
        epsilon = epsilon,
        weight_decay = weight_decay,
    ))

def adam(learning_rate, betas = (0.9, 0.999), epsilon = 1e-8, weight_decay = 0.0):
    """torch.optim.Adam, with its defaults (suite.proto: Adam)."""
    return struct(adam = _adam("adam", learning_rate, betas, epsilon, weight_decay))

def adamw(learning_rate, betas = (0.9, 0.999), epsilon = 1e-8, weight_decay = 0.01):
    """torch.optim.AdamW, with its defaults (suite.proto: Adam)."""
    return struct(adamw = _adam("adamw", learning_rate, betas, epsilon, weight_decay))

_LOSSES = ["own", "cross_entropy", "sum", "mean"]

def training(optimizers, loss, clip_norm = 0.0, row_clip_norm = 0.0):
    """Makes a row's cases training steps (suite.proto: Training).

    Args:
      optimizers: list of sgd(), adam(), adamw(), each at most once. All are verified; the first is measured where
        --optimizer does not name another.
      loss: "own" (the model's code has it), "cross_entropy" (of the first output with the first target), "sum" or
        "mean" (over all outputs that hold floats).
      clip_norm: largest norm of all gradients together, to which they are scaled before the update; 0: any.
      row_clip_norm: likewise of each row's gradients, before their mean is taken: private training without its noise.
        Every input has the batch as its first dimension.
    Returns:
      a struct for cases().
    """
    if type(optimizers) != "list" or [o for o in optimizers if type(o) != "struct"] or not optimizers:
        fail("training: optimizers %r; [sgd(learning_rate = 0.1, momentum = 0.9)] is one list" % (optimizers,))
    if loss not in _LOSSES:
        fail("training: loss %r; one of %s" % (loss, ", ".join(_LOSSES)))
    numbers = _numbers("training", clip_norm = clip_norm, **({"row_clip_norm": row_clip_norm} if row_clip_norm else {}))
    return struct(optimizers = optimizers, loss = enum(loss.upper()), **numbers)

def generation(new_tokens):
    """Makes a row's cases generate tokens after a prompt, one after another with a cache (suite.proto: Generation).

    Args:
      new_tokens: how many, 3 or more.
    Returns:
      a struct for cases().
    """
    if type(new_tokens) != "int" or new_tokens < 3:
        fail("generation: new_tokens %r; a number from 3 on is allowed" % (new_tokens,))
    return struct(new_tokens = new_tokens)

def run_word(run):
    """The word of a case's name for what it does beside forward: "", "train" or "gen32"."""
    if run == None:
        return ""
    return "gen%d" % run.new_tokens if hasattr(run, "new_tokens") else "train"

def mode_of(word):
    """"eval", "train" or "generate", of such a word."""
    return "generate" if word.startswith("gen") else word or "eval"

def matching(model = None, dtype = None, batch = None, mode = None, execution = None, **parameters):
    """A condition on cases: every argument given is a list that must hold the case's value.

    Args:
      model: names.
      dtype: "fp32", ...
      batch: numbers.
      mode: "eval", "train", "generate".
      execution: how they end a case's name, "channels_last_autocast_bf16"; "eager": the plain one.
      **parameters: values of the row's parameters.
    Returns:
      a dict for cases() and skip().
    """
    conditions = dict(parameters)
    for name, values in {"batch": batch, "dtype": dtype, "execution": execution, "mode": mode, "model": model}.items():
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

def nondeterministic(reason, device = "CUDA", outputs = [], where = None):
    """Outputs that may differ between two equal calls on a device: both calls are then held to the limits, not to each other's bits.

    With --deterministic they are equal. Training on CUDA is such a case without a row that says it
    (benchmarks/harness/execution/repeatability.h).

    Args:
      reason: names the kernel that adds in no fixed order; required, and shown beside the verdict.
      device: "CPU" or "CUDA".
      outputs: names of those that may differ; []: all. Cases without any of them keep the rule that two calls are equal.
      where: a matching(); None: every case of the row.
    Returns:
      a struct for cases() and operator().
    """
    if not reason or type(reason) != "string" or not reason.strip():
        fail("nondeterministic on %s: a reason is required; it is shown beside the verdict" % device)
    return struct(reason = reason, device = device, outputs = outputs, where = where or {})

def cases(dtypes, batches, models = None, parameters = [{}], skips = [], nondeterministic = [], large = [], verify = None, seed = 0, executions = [None], run = None):
    """One row of a case table: every model x dtype x batch x parameters x execution.

    Args:
      dtypes: "fp32", "fp64", "bf16", "fp16".
      batches: rows of every input, 1 to 2^20.
      models: names; None: every model of the family, those added later too.
      parameters: dicts laid over the model's parameters, e.g. {"sequence_length": 128}.
      skips: list of skip().
      nondeterministic: list of nondeterministic().
      large: list of matching(): cases whose tests `bazel test //...` leaves out for their time or memory. A test stands
        for all cases that share its reference; it is left out only if all of them are large.
      verify: a verify() of defs/tolerances.bzl, or a dict of them by dtype, which hold under autocast to it as well, and by lowering; None:
        the dtype's default.
      seed: of weights and inputs.
      executions: list of execution(); None: the plain one.
      run: a training() or generation(); None: the row's cases run forward alone.
    Returns:
      a struct for benchmarks().
    """
    if run != None and (type(run) != "struct" or not (hasattr(run, "optimizers") or hasattr(run, "new_tokens"))):
        fail('cases: run = %r; training([sgd(...)], loss = "mean") or generation(new_tokens = 32) is allowed' % (run,))
    if type(seed) != "int" or seed < 0:
        fail("cases: seed %r; an integer from 0 on" % (seed,))
    for batch in batches:
        if type(batch) != "int" or batch < 1 or batch > MAXIMUM_BATCH:
            fail("cases: batch %r is out of range; 1 to %d" % (batch, MAXIMUM_BATCH))
    return struct(
        dtypes = dtypes,
        batches = batches,
        models = models,
        parameters = parameters,
        skips = skips,
        nondeterministic = nondeterministic,
        large = large,
        verify = verify,
        seed = seed,
        executions = executions,
        run = run,
    )

def _matches(where, values):
    for name, allowed in where.items():
        if values.get(name) not in allowed:
            return False
    return True

def lowering_skips(execution):
    """The Skip messages that follow from how a program is called; `execution` is an execution() or None."""
    lowering = execution.lowering if execution else None
    if lowering in _CPU_LOWERINGS:
        return [struct(device = enum("CUDA"), reason = "%s: %s" % (lowering, _CPU_LOWERINGS[lowering]))]
    if lowering not in _GPU_LOWERINGS:
        return []
    least = _GPU_LOWERINGS[lowering]
    reason = "%s: aten::_scaled_mm_v2 has kernels with a scale for each block on GPUs of compute capability %s and above alone" % (lowering, least)
    return [struct(device = enum("CPU"), reason = reason), struct(device = enum("CUDA"), reason = reason, below_capability = least)]

def skips_of(row, values, execution = None):
    """suite.proto's Skip messages of one case: those of its row, and those that its execution has in any row."""
    skips = [struct(device = enum(s.device), reason = s.reason) for s in row.skips if _matches(s.where, values)]
    return skips + lowering_skips(execution)

def nondeterminism_of(row, values, outputs = None):
    """suite.proto's Nondeterminism messages of one case.

    Args:
      row: of cases() or operator().
      values: of the case, for matching().
      outputs: names of the case's outputs; None: not known, as of a model.
    Returns:
      a list of structs.
    """
    found = []
    for declared in row.nondeterministic:
        may_differ = [o for o in declared.outputs if outputs == None or o in outputs]
        if _matches(declared.where, values) and (may_differ or not declared.outputs):
            found.append(struct(device = enum(declared.device), outputs = may_differ, reason = declared.reason))
    return found

def is_large(row, values):
    """Whether one of the row's `large` conditions holds."""
    return bool([w for w in row.large if _matches(w, values)])
