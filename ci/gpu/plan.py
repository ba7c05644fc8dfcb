"""A plan: what a GPU's minutes are used for, step by step. Data in plans/<name>.toml.

    says = "is it right?"          one line about it
    seconds = 430                  for everything together; the steps' own limits sum up to no more

    [[step]]
    name = "verdicts"              unique in the plan
    do = "verify"                  a row of KINDS
    seconds = 150                  its hard limit
    ...                            what that kind takes beside
"""

import collections
import os

try:
    import tomllib
except ImportError:  # Python 3.10; pip, which every build needs, brings the same package
    from pip._vendor import tomli as tomllib

# The fields that each kind of step takes beside name, do and seconds: name of the field -> its default, or its type where it must be given.
KINDS = {
    "look": {},
    "unit_tests": {"tests": list},
    "verify": {"cases": [], "processes": 12, "case_seconds": 30},
    "measure": {"cases": list, "flags": [], "case_seconds": 30},
    "rounds": {"cases": list, "flags": [], "changes": [""], "rounds": 12, "case_seconds": 30},
    "program": {"words": list, "exit_code": 0, "says": ""},
    "peers": {"flags": []},
    "again": {"case_seconds": 60},
}
_ALL = ("name", "do", "seconds")

Step = collections.namedtuple("Step", "name do seconds fields")
Plan = collections.namedtuple("Plan", "name says seconds steps")


class PlanError(Exception):
    """A plan that can't be followed: where, and what is there."""


def folder():
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "plans")


def names():
    return sorted(name[:-len(".toml")] for name in os.listdir(folder()) if name.endswith(".toml"))


def _step(where, told):
    for field in _ALL:
        if field not in told:
            raise PlanError("%s has no %s" % (where, field))
    where = "%s, %r" % (where, told["name"])
    known = KINDS.get(told["do"])
    if known is None:
        raise PlanError("%s: do = %r is no kind of step; one of %s" % (where, told["do"], ", ".join(KINDS)))
    extra = [field for field in told if field not in known and field not in _ALL]
    if extra:
        raise PlanError("%s: %s takes no %s; it takes %s" % (where, told["do"], extra[0], ", ".join([*_ALL, *known])))
    fields = {}
    for field, default in known.items():
        kind = default if isinstance(default, type) else type(default)
        if field not in told and default is list:
            raise PlanError("%s: %s needs %s" % (where, told["do"], field))
        fields[field] = told.get(field, default)
        if not isinstance(fields[field], kind):
            raise PlanError("%s: %s is no %s" % (where, field, kind.__name__))
    return Step(told["name"], told["do"], told["seconds"], fields)


def read_plan(name, bundle):
    """The plan of that name. PlanError where it can't be followed with the bundle's cases."""
    if name not in names():
        raise PlanError("no plan %s; there are: %s" % (name, ", ".join(names())))
    path = os.path.join(folder(), name + ".toml")
    with open(path, "rb") as f:
        try:
            told = tomllib.load(f)
        except tomllib.TOMLDecodeError as error:
            raise PlanError("%s: %s" % (path, error)) from None
    steps = [_step("%s, step %d" % (path, i + 1), step) for i, step in enumerate(told.get("step", []))]
    for step in steps:
        for case in step.fields.get("cases", []):
            if case not in bundle.cases:
                raise PlanError("%s, %r: no case %s in this bundle" % (path, step.name, case))
    if len({step.name for step in steps}) < len(steps):
        raise PlanError("%s: two steps have the same name" % path)
    needed = sum(step.seconds for step in steps)
    if needed > told["seconds"]:
        raise PlanError("%s: its steps may take %d s together, and it has %d" % (path, needed, told["seconds"]))
    return Plan(name, told["says"], told["seconds"], steps)
