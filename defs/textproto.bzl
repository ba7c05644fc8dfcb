"""Text form of protocol buffers out of Starlark structs.

Bazel's proto.encode_text quotes enum values and, on Bazel 4, refuses None; both are cured here. Example:

    text = textproto(struct(name = "resnet18_fp32_b1", dtype = enum("FP32"), seed = None))
"""

_MARK = "<enum>"

def enum(name):
    """Marks a string as the name of an enum value."""
    if type(name) != "string" or not name or [c for c in name.elems() if not (c.isalnum() or c == "_")]:
        fail("%r is not the name of an enum value" % (name,))
    return _MARK + name

def is_number(value):
    """True for int and float."""
    return type(value) in ("int", "float")

def parameter_value(what, value):
    """suite.proto's ParameterValue of a Starlark value."""
    kind = type(value)
    if kind == "int":
        return struct(integer = value)
    if kind == "float":
        return struct(real = value)
    if kind == "bool":
        return struct(flag = value)
    if kind == "string":
        return struct(text = value)
    if kind == "list" and not [v for v in value if type(v) != "int"]:
        return struct(integers = struct(values = value))
    fail("%s: %r is no parameter value; an int, float, bool, string or list of ints is" % (what, value))

def parameter_map(what, values):
    """A map<string, ParameterValue> field of a dict."""
    return [struct(key = k, value = parameter_value(what, v)) for k, v in sorted(values.items())]

def _fields(message):
    return {k: getattr(message, k) for k in dir(message) if k not in ("to_json", "to_proto") and getattr(message, k) != None}

# Starlark has no recursion; the deepest message (a default value's integers in a family) has six levels.
def _level7(value):
    return struct(**_fields(value)) if type(value) == "struct" else value

def _level6(value):
    if type(value) == "list":
        return [_level7(v) for v in value]
    return struct(**{k: _level7(v) for k, v in _fields(value).items()}) if type(value) == "struct" else value

def _level5(value):
    if type(value) == "list":
        return [_level6(v) for v in value]
    return struct(**{k: _level6(v) for k, v in _fields(value).items()}) if type(value) == "struct" else value

def _level4(value):
    if type(value) == "list":
        return [_level5(v) for v in value]
    return struct(**{k: _level5(v) for k, v in _fields(value).items()}) if type(value) == "struct" else value

def _level3(value):
    if type(value) == "list":
        return [_level4(v) for v in value]
    return struct(**{k: _level4(v) for k, v in _fields(value).items()}) if type(value) == "struct" else value

def _level2(value):
    if type(value) == "list":
        return [_level3(v) for v in value]
    return struct(**{k: _level3(v) for k, v in _fields(value).items()}) if type(value) == "struct" else value

def _without_none(message):
    return struct(**{k: _level2(v) for k, v in _fields(message).items()})

def textproto(message):
    """The text form of a struct whose fields are those of a message; None fields are left out."""
    parts = proto.encode_text(_without_none(message)).split('"' + _MARK)
    return parts[0] + "".join([p.replace('"', "", 1) for p in parts[1:]])
