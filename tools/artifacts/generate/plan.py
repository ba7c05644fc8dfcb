"""Turns cases into the least work: what has to be computed, once each, and which keys of the lock it serves.

Content: the reference of one workload, evaluated or trained, in one rounding; float32 and float64 cases share it, because weights and inputs
are float32 values in both. Job: the contents that share a model's weights; one process computes it.
"""

import json
import math
import re
from typing import NamedTuple, Optional

from tools.artifacts.generate import registry
from tools.artifacts.generate.registry import RegistryError

# dtype of a case or an input -> what its values are rounded to before everything is computed in float64
ROUNDING = {"FP32": "fp32", "FP64": "fp32", "FP16": "fp16", "BF16": "bf16"}


class Content(NamedTuple):
    keys: tuple  # rows of the lock
    label: str  # a case with this workload, for the runner
    parameters: dict
    batch: int
    rounding: str
    inputs: tuple  # of registry.Input
    seed: int
    in_bucket: bool  # every case of it is tagged "bucket"
    package: str  # whose lock has the keys
    outputs: tuple  # names of what its reference holds
    training: Optional[registry.Training] = None  # None: forward alone
    continuation: tuple = ()  # an input, and the one that forward reads behind it; (): none

    def metadata(self, implementation):
        """The blob's metadata beside the provenance. It names no case, so equal content gives equal bytes for every
        case."""
        trained = {"training": json.dumps(self.training.settings, sort_keys=True)} if self.training else {}
        return {
            **trained,
            "implementation": implementation,
            "parameters": json.dumps(self.parameters, sort_keys=True),
            "batch": str(self.batch),
            "rounding": self.rounding,
            "seed": str(self.seed),
        }

    @property
    def units(self):
        """Elements of the inputs: which of one model's contents is the largest."""
        return sum(math.prod(i.shape) for i in self.inputs) or 1


class Job(NamedTuple):
    name: str  # of the models, for people
    implementation: str
    package: str
    reference: str
    script: str
    contents: tuple


def select(cases, pattern):
    """The cases whose label or key the regular expression finds."""
    expression = re.compile(pattern)
    return [c for c in cases if expression.search(c.label) or expression.search(c.key)]


def make_jobs(cases):
    """Jobs in the order of the registry; refuses a key that means two different things."""
    contents, meaning = {}, {}
    for case in cases:
        identity = _identity(case)
        known = meaning.setdefault(case.key, (identity, case.label))
        if known[0] != identity:
            raise RegistryError(
                'key "%s" is used by %s and %s, which compute different things' % (case.key, known[1], case.label)
            )
        contents.setdefault(identity, []).append(case)
    jobs = {}
    for same in contents.values():
        jobs.setdefault(_weights(same[0]), []).append(same)
    return [_job(members) for members in jobs.values()]


def _rounding(case):
    if case.dtype not in ROUNDING:
        raise RegistryError("%s: no rounding is defined for dtype %s" % (case.label, case.dtype))
    return ROUNDING[case.dtype]


def _identity(case):
    inputs = [(i.name, ROUNDING.get(i.dtype, i.dtype), i.shape, i.distribution) for i in case.inputs]
    training = case.training and [case.training.settings, case.training.targets]
    what = [case.parameters, case.batch, inputs, case.outputs, _rounding(case), training, case.continuation]
    return (_weights(case), json.dumps(what, sort_keys=True))


def _weights(case):
    """The parameters that decide a model's weights: all except those that only size the inputs.

    A parameter of an input's shape may size a weight as well (a position table); compute.py looks at the shapes and
    then exports again.
    """
    parameters = {n: v for n, v in case.parameters.items() if n not in case.shape_parameters}
    where = (case.package, case.implementation, case.reference, case.script, case.seed)
    return where, json.dumps(parameters, sort_keys=True)


def _job(members):
    first = members[0][0]
    models = sorted({case.model for same in members for case in same})
    return Job(
        name="+".join(models),
        implementation=first.implementation,
        package=first.package,
        reference=first.reference,
        script=first.script,
        contents=tuple(_content(same) for same in members),
    )


def _content(same):
    first = same[0]
    return Content(
        keys=tuple(sorted({case.key for case in same})),
        label=first.label,
        parameters=first.parameters,
        batch=first.batch,
        rounding=_rounding(first),
        inputs=first.inputs,
        seed=first.seed,
        in_bucket=all("bucket" in case.tags for case in same),
        package=first.package,
        outputs=first.outputs,
        training=first.training,
        continuation=first.continuation,
    )
