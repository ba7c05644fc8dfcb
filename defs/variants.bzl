"""Constructors for models/<family>/variants.bzl: they make messages of suite.proto and are checked at load.

Pure data: nothing here makes a target (defs/benchmarks.bzl does). Example:

    IMPLEMENTATION = model_implementation(
        name = "mlp",
        description = "Three linear layers with ReLU, then softmax.",
        owner = "assay",
        source_url = "https://example.org/paper",
        reference = "INDEPENDENT",
        reference_script = "models/mlp/reference.py",
        parameters = [parameter("hidden_features", "integer", default = 512, description = "width of both hidden layers")],
        inputs = [input("input", shape = ["batch", 32])],
        outputs = [output("probabilities", shape = ["batch", 10])],
    )
    MODELS = [model("mlp", IMPLEMENTATION), model("mlp_wide", IMPLEMENTATION, parameters = {"hidden_features": 4096})]

Enum values are strings with the names of suite.proto and are checked against it by //defs/compiler:compile_cases at build.
"""

load(":textproto.bzl", "enum", "is_number", "parameter_map", "parameter_value")

_KINDS = {
    "flag": "bool",
    "integer": "int",
    "integers": "list",
    "real": "float",
    "text": "string",
}

def check_name(what, name):
    """Fails unless `name` is a lower-case identifier: it becomes part of target names."""
    if type(name) != "string" or not name:
        fail("%s: a name must be a non-empty string, not %r" % (what, name))
    for c in name.elems():
        if not (c.islower() or c.isdigit() or c == "_"):
            fail("%s: the name %r may hold only a-z, 0-9 and _" % (what, name))

def parameter(name, kind, default = None, minimum = None, maximum = None, allowed = [], suffix = "", description = ""):
    """Declares a parameter that models of an implementation may set (suite.proto: ParameterSpec).

    Args:
      name: lower case.
      kind: "integer", "real", "flag", "text" or "integers".
      default: value where a model sets none; None: every model must set it.
      minimum: inclusive; integers default to 1.
      maximum: inclusive; integers default to 2^31 - 1.
      allowed: for "text".
      suffix: letters that carry an integer's value in a case's name, "s" for _s384.
      description: what it is, with its unit.
    Returns:
      a struct for model_implementation().
    """
    check_name("parameter", name)
    if kind not in _KINDS:
        fail("parameter %r: unknown kind %r; one of %s" % (name, kind, ", ".join(sorted(_KINDS))))
    if not description:
        fail("parameter %r: a description is required" % name)
    if suffix and kind != "integer":
        fail("parameter %r: suffix %r on kind %s; only an integer's value is written in a case's name" % (name, suffix, kind))
    if [c for c in suffix.elems() if not c.isalpha() or not c.islower()]:
        fail("parameter %r: suffix %r; letters a-z" % (name, suffix))
    if suffix in ("b", "seed"):
        fail("parameter %r: suffix %r has its own meaning in a case's name" % (name, suffix))
    numeric = kind in ("integer", "integers", "real")
    lowest = {"real": -1e300}.get(kind, 1)
    highest = {"real": 1e300}.get(kind, 2147483647)
    return struct(
        name = name,
        kind = kind,
        default_value = None if default == None else parameter_value("parameter %r" % name, default),
        minimum = (lowest if minimum == None else minimum) if numeric else None,
        maximum = (highest if maximum == None else maximum) if numeric else None,
        allowed = allowed,
        suffix = suffix,
        description = description,
    )

def _distribution(**kind):
    # One message of suite.proto's Distribution, marked so that input() can tell it from any other struct.
    return struct(assay_distribution = struct(**kind))

def _limited(field, limit, **others):
    # A limit is a number or a dimension, which have fields of their own.
    if type(limit) == "string":
        if not limit:
            fail("%s: an empty text; an integer parameter, or sums and products of these are allowed" % field)
        others[field + "_parameter"] = limit
    elif type(limit) == "int":
        others[field] = limit
    else:
        fail("%s: %r is neither an integer nor the name of an integer parameter" % (field, limit))
    return struct(**others)

def _number(what, value):
    if not is_number(value):
        fail("%s: %r is not a number" % (what, value))
    return float(value)

def uniform(low = 0, high = 0):
    """Floats, uniform on [low, high); by default with mean 0 and standard deviation 1."""
    return _distribution(uniform = struct(low = _number("uniform", low), high = _number("uniform", high)))

def normal(mean = 0, stddev = 1):
    """Floats with a bell-shaped density."""
    return _distribution(normal = struct(mean = _number("normal", mean), stddev = _number("normal", stddev)))

def integers(limit, low = 0, sorted = False, run = 0):
    """Uniform integers in [low, limit); a limit may be a dimension of integer parameters: "sequence_length+1".

    Args:
      limit: a number or a dimension.
      low: a number.
      sorted: whether each row of the last dimension ascends.
      run: a number or a dimension: as many elements of each row, from its second on, are the limit instead.
    Returns:
      what input() takes.
    """
    of_run = {("run" if type(run) == "int" else "run_parameter"): run} if run else {}
    return _distribution(integers = _limited("limit", limit, low = low, sorted = sorted or None, **of_run))

def zipf(limit, exponent):
    """Integers k in [0, limit) with probability proportional to (k + 1)^-exponent, a multiple of 0.25."""
    return _distribution(zipf = _limited("limit", limit, exponent = _number("zipf", exponent)))

def prefix_mask(at_end = False):
    """Row r of the last dimension (S long): S - ((r + 1) mod 4) * (S / 8) ones, then zeros; `at_end`: the zeros first."""
    return _distribution(prefix_mask = struct(at_end = True) if at_end else struct())

def segments():
    """Zeros in the first half of each row of the last dimension, ones in the second."""
    return _distribution(segments = struct())

def bernoulli(p):
    """Ones (true) with probability p, else zeros."""
    return _distribution(bernoulli = struct(p = _number("bernoulli", p)))

def bag_offsets(bag_size, spread = 0):
    """The places at which the bags of an embedding bag begin: each has bag_size elements less 0 to spread, drawn: bag_offsets("s", "s-1") has 1 to s."""
    of_spread = {("spread" if type(spread) == "int" else "spread_parameter"): spread} if spread else {}
    return _distribution(bag_offsets = _limited("bag_size", bag_size, **of_spread))

def time_steps(limit):
    """Steps of a diffusion schedule, spread over [0, limit)."""
    return _distribution(time_steps = _limited("limit", limit))

def boxes(limit):
    """Boxes on a page, in a last dimension of 4: left, upper, right and lower edge in [0, limit), none before its opposite."""
    return _distribution(boxes = _limited("limit", limit))

def _shape(what, shape):
    for dimension in shape:
        if type(dimension) not in ("int", "string"):
            fail("%s: dimension %r; a number or a text is allowed: \"batch\", an integer parameter, or sums and products of these" % (what, dimension))
    return [str(d) for d in shape]

def input(name, shape, distribution = uniform(), dtype = None):
    """Declares a named input of forward, or a target of the loss (suite.proto: InputSpec).

    Args:
      name: as the independent implementation calls it.
      shape: each dimension a number, "batch", an integer parameter, or sums and products of these: "batch*tables",
        "sequence_length+1". The first may be "sum:lengths": the input holds bags, whose lengths the input "lengths" has,
        drawn by integers(), or whose offsets, drawn by bag_offsets().
      distribution: how it is drawn: uniform(), normal(), integers(), zipf(), prefix_mask(), segments(), bernoulli(),
        bag_offsets(), time_steps() or boxes().
      dtype: "INT64", ...; None: the case's dtype.
    Returns:
      a struct for model_implementation().
    """
    if not hasattr(distribution, "assay_distribution"):
        fail("input %r: distribution %r; one of uniform(), normal(), integers(), zipf(), prefix_mask(), segments(), bernoulli(), bag_offsets(), time_steps(), boxes()" % (name, distribution))
    return struct(
        name = name,
        dtype = enum(dtype) if dtype else None,
        shape = _shape("input %r" % name, shape),
        distribution = distribution.assay_distribution,
    )

def output(name, shape, dtype = None, rule = None):
    """Declares a named output of forward (suite.proto: OutputSpec).

    Args:
      name: as the independent implementation calls it.
      shape: each dimension as in input(), or "*" for any size; []: a scalar.
      dtype: "FP32", "INT64", ...; None: the case's dtype.
      rule: "ALLCLOSE", ...; None: the case's, or EXACT where the dtype holds integers. "IOU": for booleans.
    Returns:
      a struct for model_implementation().
    """
    return struct(
        name = name,
        dtype = enum(dtype) if dtype else None,
        shape = _shape("output %r" % name, shape),
        rule = enum(rule) if rule else None,
    )

def checkpoint_extras(buffers = [], heads = [], renamings = {}, base = "", stacks = {}):
    """Declares tensors that published checkpoints hold beside the model's (suite.proto: CheckpointExtras).

    Example: checkpoint_extras(buffers = ["embeddings.position_ids"], heads = ["classifier"])

    Args:
      buffers: names that the original library stores and does not read; "h.*.attn.bias" is of every block.
      heads: first parts of the names of tensors that other models add to this one.
      renamings: part of a name as old checkpoints have it -> as the model has it: {".norm.1.": ".norm1."}.
      base: the module that files of the library's bare model hold alone, and so without its name: "transformer".
      stacks: end of a tensor's name -> how files end the names of its parts, where "*" is the place in the first dimension:
        {"mlp.experts.gate_up_proj": ["block_sparse_moe.experts.*.w1.weight", "block_sparse_moe.experts.*.w3.weight"]}.
    Returns:
      a struct for model_implementation().
    """
    for today, parts in stacks.items():
        if not today or not parts or [part for part in parts if part.count("*") != 1]:
            fail("checkpoint_extras: stacks: %r to %r; each part's name has one \"*\"" % (today, parts))
    for name in buffers + heads + ([base] if base else []):
        if type(name) != "string" or not name or name.startswith(".") or name.endswith("."):
            fail("checkpoint_extras: %r; a name like \"classifier\" or \"embeddings.position_ids\" is allowed" % (name,))
    for then, today in renamings.items():
        if not then or then == today:
            fail("checkpoint_extras: renamings: %r to %r renames nothing" % (then, today))
    return struct(buffers = buffers, heads = heads, renamings = [struct(then = then, today = today) for then, today in renamings.items()], base = base, stacks = [struct(today = today, parts = parts) for today, parts in stacks.items()])

def _json(value):
    return None if value == None else json.encode(value)

def config_key(names = None, absent = None, quotient = None, null = None, only = [], reaches = None):
    """How a config.json says one parameter, for checkpoint_config() (suite.proto: CheckpointConfig.Key).

    Args:
      names: of the key, today's first; None: the parameter's. "a.b" is in the object a, "#a" is the number of the members of a; "%a" is p where each p-th of the list a is "full_attention", and the others have a window.
      absent: the value of a file without the key; None: such a file is refused, if there is no quotient.
      quotient: of parameters that were read before, "hidden_size/num_attention_heads", or one of them, or the square of that, "(resolution/patch_size)^2". Beside `absent`, which is then of a file without the object a: of an object a that lacks the key "a.b".
      null: the value of a file that says null; None: as of one without the key.
      only: the values that the code computes; []: all that the parameter allows.
      reaches: a dimension that the value must not be smaller than, "sequence_length": where each position has a row of a table.
    Returns:
      a struct for checkpoint_config().
    """
    return struct(names = names, absent = _json(absent), quotient = quotient, null = _json(null), only = [json.encode(value) for value in only], reaches = reaches)

def checkpoint_config(model_type, parameters, only = {}, constants = {}, unread = []):
    """Declares what the config.json beside published weights says (suite.proto: CheckpointConfig).

    Example: checkpoint_config("gpt2", {"n_layer": 12}, only = {"activation_function": ["gelu_new"]})

    Args:
      model_type: of the config.json.
      parameters: parameter -> its value in a file that does not say it, or a config_key(). The key has the parameter's name.
      only: key -> the values that the code computes; the first is that of a file without the key. Or a config_key() with them, whose `absent` is the value of an object a that lacks the key "a.b".
      constants: parameter -> its value, which no such file says. A parameter with a suffix stays that of the case.
      unread: keys that do not change what evaluation and generation compute.
    Returns:
      a struct for model_implementation().
    """
    keys = []
    for name, value in parameters.items():
        key = value if type(value) == "struct" else config_key(absent = value)
        keys.append(struct(parameter = name, names = [name] if key.names == None else key.names, absent = key.absent, quotient = key.quotient, null = key.null, only = key.only, reaches = key.reaches))
    for name, values in only.items():
        key = values if type(values) == "struct" else config_key(only = values)
        keys.append(struct(names = key.names or [name], absent = key.absent, only = key.only))
    keys += [struct(parameter = name, absent = json.encode(value)) for name, value in constants.items()]
    return struct(message = struct(model_type = model_type, keys = keys, unread = unread), set = parameters.keys() + constants.keys())

def _check_config(what, config, parameters):
    for name in config.set:
        if name not in [p.name for p in parameters]:
            fail("%s, checkpoint_config %r: unknown parameter %r" % (what, config.message.model_type, name))
    missing = [p.name for p in parameters if p.name not in config.set and not p.suffix]
    if missing:
        fail("%s, checkpoint_config %r: it says nothing of %s; add a key or a constant" % (what, config.message.model_type, ", ".join(missing)))

def model_implementation(name, description, owner, source_url, reference, inputs, outputs, parameters = [], reference_script = "", trainable = False, targets = [], continuation = None, continued = "", checkpoint_extras = None, checkpoint_configs = [], keeps_statistics = False, detector = False, unit = "row", units_per_call = "batch"):
    """Declares a family's code (suite.proto: ModelImplementation); every argument is a field of that message."""
    check_name("model_implementation", name)
    check_name("model_implementation %r, unit" % name, unit)
    for field, value in {"description": description, "owner": owner, "source_url": source_url}.items():
        if not value:
            fail("model_implementation %r: %s is required" % (name, field))
    if reference == "INDEPENDENT" and not reference_script:
        fail("model_implementation %r: an INDEPENDENT reference needs reference_script" % name)
    for given in outputs:
        if type(given) != "struct":
            fail("model_implementation %r: output %r; write output(%r, shape = [...])" % (name, given, given))
    seen = {}
    for p in parameters:
        if p.name in seen:
            fail("model_implementation %r: two parameters are called %r" % (name, p.name))
        seen[p.name] = True
        if p.suffix and "suffix " + p.suffix in seen:
            fail("model_implementation %r: two parameters have the suffix %r" % (name, p.suffix))
        seen["suffix " + p.suffix] = True
    for config in checkpoint_configs:
        _check_config("model_implementation %r" % name, config, parameters)
    return struct(
        name = name,
        description = description,
        owner = owner,
        source_url = source_url,
        reference = enum(reference),
        reference_script = reference_script,
        parameters = parameters,
        inputs = inputs,
        outputs = outputs,
        trainable = trainable,
        targets = targets,
        continuation = continuation,
        continued = continued,
        checkpoint_extras = checkpoint_extras,
        checkpoint_configs = [config.message for config in checkpoint_configs],
        keeps_statistics = keeps_statistics,
        detector = detector,
        unit = unit,
        units_per_call = str(units_per_call),
    )

def check_parameters(what, implementation, values):
    """Fails on a parameter that the implementation does not declare, or of another kind."""
    kinds = {p.name: p.kind for p in implementation.parameters}
    for name, value in values.items():
        if name not in kinds:
            fail("%s: unknown parameter %r; %s has: %s" %
                 (what, name, implementation.name, ", ".join(sorted(kinds)) or "none"))
        if _KINDS[kinds[name]] != type(value) and not (kinds[name] == "real" and is_number(value)):
            fail("%s: parameter %r is of kind %s, not %r" % (what, name, kinds[name], value))

def image_preset(resize, crop = 224, interpolation = "bilinear", mean = [0.485, 0.456, 0.406], std = [0.229, 0.224, 0.225]):
    """How a photograph is prepared for published weights (suite.proto: ImagePreset).

    Args:
      resize: of the shorter side, pixels.
      crop: side of the centre that is cut out, pixels.
      interpolation: "bilinear" or "bicubic".
      mean: of red, green and blue on [0, 1]; by default ImageNet's.
      std: the same for standard deviations.
    Returns:
      a struct for model().
    """
    return struct(
        resize = resize,
        crop = crop,
        interpolation = enum(interpolation.upper()),
        mean = [_number("image_preset: mean", value) for value in mean],
        std = [_number("image_preset: std", value) for value in std],
    )

def model(name, implementation, parameters = {}, smoke_parameters = {}, description = "", image_preset = None):
    """One variant (suite.proto: Model).

    Args:
      name: begins the names of its cases; unique in the tree.
      implementation: a model_implementation().
      parameters: values that differ from the implementation's defaults.
      smoke_parameters: laid over `parameters` by the smoke test, to make the model small.
      description: what distinguishes it; empty: the implementation's.
      image_preset: of a classifier, an image_preset(), for the steps preprocess and postprocess; None: it has neither.
    Returns:
      a struct for benchmarks().
    """
    check_name("model", name)
    check_parameters("model %r" % name, implementation, parameters)
    check_parameters("model %r, smoke_parameters" % name, implementation, smoke_parameters)
    given = {p.name: True for p in implementation.parameters if p.default_value != None}
    missing = [p.name for p in implementation.parameters if p.name not in given and p.name not in parameters]
    if missing:
        fail("model %r: %s of implementation %r must be set" % (name, ", ".join(missing), implementation.name))
    return struct(
        name = name,
        implementation = implementation,
        parameters = parameter_map("model %r" % name, parameters),
        smoke_parameters = parameter_map("model %r" % name, smoke_parameters),
        description = description,
        image_preset = image_preset,
    )
