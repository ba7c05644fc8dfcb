"""classifier_arguments(): what the test of a family of image classifiers tries, out of its tables.

They take the first model of each branch of the code (default_tier.bzl), made small by its smoke_parameters and with eight classes. It
must do what models/testing/image_classifier.h says, and must refuse each list of numbers that lacks its last one. Example:

    model_family(
        name = "visformer",
        classifiers = MODELS,
        fixed_size = True,
        refusals = [("visformer_small", {"heads": 5}, "channels 32 is not a multiple of heads 5")],
    )
"""

load(":default_tier.bzl", "models_of_branches")
load(":textproto.bzl", "parameter_value")
load(":variants.bzl", "check_parameters")

_CLASSES = 8

def _values(model, changes = {}):
    """Parameter -> ParameterValue of a model made small, with changes."""
    check_parameters("refusals, model %r" % model.name, model.implementation, changes)
    declared = model.implementation.parameters
    values = {p.name: p.default_value for p in declared if p.default_value != None}
    values.update([(entry.key, entry.value) for entry in model.parameters + model.smoke_parameters])
    values.update([(p.name, parameter_value(p.name, _CLASSES)) for p in declared if p.name == "num_classes"])
    values.update([(name, parameter_value(name, value)) for name, value in changes.items()])
    return values

def _text(value):
    if getattr(value, "integers", None) != None:
        return ",".join([str(v) for v in value.integers.values])
    return str([v for v in [getattr(value, kind, None) for kind in ("flag", "integer", "real", "text")] if v != None][0])

def _argument(*words):
    """One argument of //models/testing:image_classifier_main, as `args` of a test wants it."""
    if [w for w in words if ";" in w or "'" in w]:
        fail("%s: no ; and no ' can stand in an argument of the test" % (words,))
    return "'%s'" % ";".join(words)

def _parameters(model, values):
    kinds = {p.name: p.kind for p in model.implementation.parameters}
    return ["%s:%s=%s" % (kinds[name], name, _text(value)) for name, value in sorted(values.items())]

def _accepts(model, fixed_size, auxiliary_outputs):
    values = _values(model)
    if "resolution" not in values:
        fail("classifiers: model %r has no parameter \"resolution\", which image_classifier() declares" % model.name)
    pixels = values["resolution"].integer
    minimum = [p.minimum for p in model.implementation.parameters if p.name == "resolution"][0]
    shape = ["2" if d == "batch" else _text(values[d]) for d in model.implementation.outputs[0].shape]
    return _argument(
        "accepts",
        model.name,
        model.implementation.name,
        "exactly" if fixed_size else "at least",
        str(pixels if fixed_size else minimum),
        str(pixels),
        ",".join(shape),
        str(auxiliary_outputs),
        *_parameters(model, values)
    )

def _refuses(model, changes, words):
    return _argument("refuses", model.name, model.implementation.name, words, *_parameters(model, _values(model, changes)))

def _shortened(model):
    """Changes, each of one list that is too short by its last number -> the list's name."""
    lists = {n: v.integers.values for n, v in _values(model).items() if getattr(v, "integers", None) != None}
    return [({name: numbers[:-1]}, name) for name, numbers in lists.items()]

def classifier_arguments(classifiers, also = {}, without = {}, fixed_size = False, auxiliary_outputs = 0, refusals = []):
    """Arguments of //models/testing:image_classifier_main.

    Args:
      classifiers: MODELS of image classifiers.
      also: model -> why it is tried, as of models_of_branches().
      without: model -> why it is not.
      fixed_size: whether they take images of their own resolution only.
      auxiliary_outputs: how many outputs training adds.
      refusals: (model, parameters that differ, words of the message).
    Returns:
      a list of strings.
    """
    by_name = {m.name: m for m in classifiers}
    tried = [by_name[name] for name in models_of_branches(classifiers, also, without)]
    for name, _, _ in refusals:
        if name not in by_name:
            fail("refusals: unknown model %r; one of %s" % (name, ", ".join(sorted(by_name))))
    accepted = [_accepts(m, fixed_size, auxiliary_outputs) for m in tried]
    too_short = [_refuses(m, changes, words) for m in tried for changes, words in _shortened(m)]
    return accepted + too_short + [_refuses(by_name[name], changes, words) for name, changes, words in refusals]
