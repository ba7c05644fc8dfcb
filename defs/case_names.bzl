"""Names of cases and keys of references: the only place that builds them and takes them apart.

    <model>_<dtype>_b<batch>[_<suffix><value>][_seed<N>][_<run>][_<execution>]      a case
    <model>_<dtype>_b<rows>[_<suffix><value>][_seed<N>][_<run>]                     its reference: the lock's key

A run is "train" or "gen<tokens>"; nothing stands for forward alone. A key has no execution: the same float64 truth judges every way of calling a program. Its rows are two whatever the
case's batch is, because the outputs of fewer rows are the first of those of more; only a training step depends on all
of its rows, so there they are the batch. Example:

    identity = case_identity("bert_base", "fp32", 64, {"sequence_length": 128}, execution = execution(autocast = "bf16"))
    case_name(IMPLEMENTATION, identity)                              # "bert_base_fp32_b64_s128_autocast_bf16"
    case_key(IMPLEMENTATION, identity, VERIFIED_ROWS)                # "bert_base_fp32_b2_s128"
"""

load(":cases.bzl", "EXECUTION_WORDS", "execution_value")

# Rows of a reference. Two still show a wrong stride between rows; 256 would cost 128 times the float64 work.
VERIFIED_ROWS = 2

def case_identity(model, dtype, batch, parameters = {}, seed = 0, run = "", execution = None):
    """The properties by which two cases differ; `parameters` are those with a suffix, `run` is a run_word()."""
    return struct(
        model = model,
        dtype = dtype,
        batch = batch,
        parameters = parameters,
        seed = seed,
        run = run,
        execution = execution,
    )

def execution_text(execution):
    """The words of an execution, as they end a case's name: "channels_last_autocast_bf16"; "" for the plain one."""
    return "_".join([
        word
        for field, words in EXECUTION_WORDS
        for word in words
        if execution and getattr(execution, field) == execution_value(field, word)
    ])

def _workload(implementation, identity, rows):
    parts = ["%s_%s_b%d" % (identity.model, identity.dtype, rows)]
    for p in (implementation.parameters if implementation else []):
        if p.suffix and p.name in identity.parameters:
            parts.append("%s%d" % (p.suffix, identity.parameters[p.name]))
    parts += ["seed%d" % identity.seed] if identity.seed else []
    parts += [identity.run] if identity.run else []
    return "_".join(parts)

def case_name(implementation, identity):
    """The name of a case; `implementation` is None for an operator's."""
    words = execution_text(identity.execution)
    return _workload(implementation, identity, identity.batch) + ("_" + words if words else "")

def case_key(implementation, identity, rows):
    """The lock's key of a case whose reference holds `rows` rows."""
    return _workload(implementation, identity, rows)

def reference_rows(identity, verify_batch = None):
    """Rows that the reference of a case holds."""
    return verify_batch or (identity.batch if identity.run == "train" else VERIFIED_ROWS)

def _number(text):
    """(number at the head of the text, rest of the text), or (None, text)."""
    digits = len(text) - len(text.lstrip("0123456789"))
    if digits == 0 or text[digits:] and text[digits] != "_":
        return None, text
    return int(text[:digits]), text[digits:]

def _take_number(text, prefix):
    if not text.startswith("_" + prefix):
        return None, text
    number, rest = _number(text[1 + len(prefix):])
    return number, text if number == None else rest

def _take_word(text, word):
    if text != "_" + word and not text.startswith("_" + word + "_"):
        return False, text
    return True, text[1 + len(word):]

def _split(name, implementations):
    """(model, dtype, batch, rest) of a name; the model is None if it is unknown."""
    parts = name.split("_")
    for i in range(2, len(parts)):
        model = "_".join(parts[:i - 1])
        if parts[i][:1] == "b" and parts[i][1:].isdigit() and (not implementations or model in implementations):
            return model, parts[i - 1], int(parts[i][1:]), "".join(["_" + p for p in parts[i + 1:]])
    return None, None, None, None

def parse_case_name(what, name, implementations):
    """The identity that a name gives, or fail(): Bazel cannot read a hand-written case while it loads, only its name.

    Args:
      what: begins the message.
      name: of the case.
      implementations: model -> its implementation; empty where the cases are operators'.
    Returns:
      (identity, implementation)
    """
    form = "<model>_<dtype>_b<batch>[_<suffix><value>][_seed<N>][_train|_gen<N>][_<execution>].textproto"
    model, dtype, batch, rest = _split(name, implementations)
    if model == None:
        known = ", ".join(sorted(implementations))
        fail("%s must be called %s%s" % (what, form, ", with one of the models " + known if known else ""))
    implementation = implementations.get(model)
    parameters = {}
    for p in (implementation.parameters if implementation else []):
        if p.suffix:
            value, rest = _take_number(rest, p.suffix)
            if value != None:
                parameters[p.name] = value
    seed, rest = _take_number(rest, "seed")
    train, rest = _take_word(rest, "train")
    new_tokens, rest = _take_number(rest, "gen")
    run = "train" if train else "gen%d" % new_tokens if new_tokens != None else ""
    fields = {}
    for field, words in EXECUTION_WORDS:
        for word in words:
            found, rest = _take_word(rest, word)
            if found:
                fields[field] = execution_value(field, word)
    execution = struct(**{field: fields.get(field) for field, _ in EXECUTION_WORDS}) if fields else None
    identity = case_identity(model, dtype, batch, parameters, seed or 0, run, execution)
    if rest:
        suffixes = ["_%s<%s>" % (p.suffix, p.name) for p in (implementation.parameters if implementation else []) if p.suffix]
        words = ["_" + word for _, all_words in EXECUTION_WORDS for word in all_words]
        fail("%s: %r is no part of a case's name here; after the batch come, in this order: %s" %
             (what, rest, " ".join(suffixes + ["_seed<N>", "_train", "_gen<N>"] + words)))
    if case_name(implementation, identity) != name:
        fail("%s: what its name says is written %s" % (what, case_name(implementation, identity)))
    return identity, implementation
