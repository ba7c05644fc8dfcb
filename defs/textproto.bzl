"""Text form of protocol buffers out of Starlark structs.

Bazel's proto.encode_text quotes enum values and, on Bazel 4, refuses None; neither does this. Example:

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

# More parts than the text of a family with a thousand models has.
_MOST_PARTS = 1 << 24

def _fields(message):
    names = [n for n in sorted(dir(message)) if n not in ("to_json", "to_proto") and getattr(message, n) != None]
    return [(n, getattr(message, n)) for n in names]

def _scalar(value):
    kind = type(value)
    if kind == "bool":
        return "true" if value else "false"
    if is_number(value):
        return str(value)
    if kind != "string":
        fail("%r has no text form; a number, bool, string, struct or list of these has" % (value,))
    if value.startswith(_MARK):
        return value[len(_MARK):]
    return '"' + value.replace("\\", "\\\\").replace('"', "\\\"").replace("\n", "\\n") + '"'

def textproto(message):
    """The text form of a struct whose fields are those of a message; None fields are left out."""
    parts = []

    # Starlark has no recursion: a stack holds what is still to be written, a text or a pair of field and value.
    stack = _fields(message)[::-1]
    for _ in range(_MOST_PARTS):
        if not stack:
            return "".join(parts)
        top = stack.pop()
        if type(top) == "string":
            parts.append(top)
            continue
        name, value = top
        if type(value) == "list":
            stack.extend([(name, v) for v in value][::-1])
        elif type(value) == "struct":
            parts.append(name + " {\n")
            stack.append("}\n")
            stack.extend(_fields(value)[::-1])
        else:
            parts.append("%s: %s\n" % (name, _scalar(value)))
    fail("textproto: more than %d parts" % _MOST_PARTS)
