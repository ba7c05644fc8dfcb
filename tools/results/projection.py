"""Structs with some of a message's fields: what is not named is never made into objects of Python, which is what reading costs.

    Record = projection(record_types.Record, ["outcome", "benchmark_case.name", "measurements.checks.status"])
    record = msgspec.json.decode(line, type=Record, strict=False)
    record.benchmark_case.name         # ""; a field that is absent has its proto's default, a message that is absent is empty

    projection(message, paths, leaf=lambda kind, default: (kind, None))     # other types and defaults
    projection(message, paths, own={"verdict.runs": (int, 0)})              # likewise, of one field; without a default it is required

defs/proto/record_types.py, which is made of record.proto, has the messages. A path that they lack is an AttributeError.
"""

import difflib
import typing

import msgspec


def projection(message, paths, leaf=lambda kind, default: (kind, default), own=()):
    own, tree = dict(own), {}
    for path in [*paths, *own]:
        node = tree
        for name in path.split("."):
            node = node.setdefault(name, {})
    return _struct(message, "", tree, leaf, own)


def _struct(message, prefix, tree, leaf, own):
    made = []
    for name, inner in tree.items():
        path, found = prefix + name, field(message, name)
        if path in own:
            made.append((name, *own[path]))
        elif inner:
            made.append((name, *_holder(found, _struct(shape(found.type)[0], path + ".", inner, leaf, own))))
        else:
            made.append((name, *leaf(_without_none(found.type), _default(found))))
    return msgspec.defstruct(message.__name__, made, kw_only=True, gc=False, frozen=True)


def field(message, name):
    """A msgspec.structs.FieldInfo."""
    known = {one.name: one for one in msgspec.structs.fields(message)}
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        nearest = "; the nearest is %s" % near[0] if near else ""
        raise AttributeError("%s has no field %s%s (defs/proto/record.proto, defs/proto/suite.proto)" % (message.__name__, name, nearest))
    return known[name]


def shape(kind):
    """(the type of an element, what holds it: None, list or dict)."""
    kind = _without_none(kind)
    holder = typing.get_origin(kind)
    return (typing.get_args(kind)[-1], holder) if holder in (list, dict) else (kind, None)


def kind_of(message, path):
    """The type of a field, or of the elements of a list."""
    for name in path.split("."):
        message = shape(field(message, name).type)[0]
    return message


def _without_none(kind):
    """Only a member of a oneof may be None."""
    return typing.get_args(kind)[0] if typing.get_origin(kind) is typing.Union else kind


def _holder(found, struct):
    holder = shape(found.type)[1]
    if holder is None and any(one.required for one in msgspec.structs.fields(struct)):
        return (struct,)
    if holder is None:
        return struct, msgspec.field(default_factory=lambda empty=struct(): empty)
    return (list[struct] if holder is list else dict[str, struct]), msgspec.field(default_factory=holder)


def _default(found):
    return found.default if found.default_factory is msgspec.NODEFAULT else msgspec.field(default_factory=found.default_factory)
