"""Reads registry.json (protobuf JSON of assay.Registry, defs/proto/suite.proto) as far as references need it."""

import json
import re
from typing import NamedTuple, Optional

INDEPENDENT, OWN_FLOAT64 = "INDEPENDENT", "OWN_FLOAT64"
RECORDED_STEPS = (1, 3)  # of a training case, counted from 1

_ADAM = (("learning_rate", float), ("beta1", float), ("beta2", float), ("epsilon", float), ("weight_decay", float))
# name -> its settings, fields of assay.Sgd and assay.Adam
OPTIMIZERS = {
    "sgd": (("learning_rate", float), ("momentum", float), ("nesterov", bool), ("weight_decay", float)),
    "adam": _ADAM,
    "adamw": _ADAM,
}


class RegistryError(ValueError):
    """The registry does not say what a reference needs; the message names the case."""


class Input(NamedTuple):
    name: str
    dtype: str  # name of assay.Dtype
    shape: tuple
    distribution: str  # JSON of assay.Distribution, keys sorted


class Training(NamedTuple):
    """How a case with mode TRAIN optimises; its target inputs are those that only the loss reads."""

    loss: str  # a name of assay.Loss
    clip_norm: float  # 0: none
    row_clip_norm: float  # 0: none
    optimizers: tuple  # of (name, {setting: value}), as in assay.Optimizer
    targets: tuple  # names of inputs

    @property
    def settings(self):
        """Everything that decides the numbers, for people and as part of a content's identity."""
        settings = {"loss": self.loss, "clip_norm": self.clip_norm, "optimizers": [list(o) for o in self.optimizers]}
        # Left out where it is 0, as in the identities of the contents that were made before it was there.
        return dict(settings, row_clip_norm=self.row_clip_norm) if self.row_clip_norm else settings


class Case(NamedTuple):
    label: str  # //benchmarks/resnet:resnet50_fp32_b8
    name: str
    model: str
    dtype: str
    seed: int
    tags: tuple
    implementation: str
    reference: str  # INDEPENDENT or OWN_FLOAT64
    script: str  # workspace path of the reference script; "" for OWN_FLOAT64
    outputs: tuple  # names, of the verified workload
    shape_parameters: tuple  # names of parameters that are a dimension of an input
    parameters: dict  # of the workload that the reference holds, every default filled in
    batch: int  # of it
    inputs: tuple  # of it
    key: str  # row of the lock
    training: Optional[Training] = None  # None: the case does not train
    continuation: tuple = ()  # the input that is continued and the one with the new tokens; (): the case does not generate
    rows: int = 0  # that the case measures; the reference's may be more

    @property
    def package(self):
        return self.label.partition(":")[0]


def read(path):
    """The cases that have a reference key, in the registry's order, and how many have none: those of operators."""
    with open(path, encoding="utf-8") as f:
        registry = json.load(f)
    entries = registry.get("cases", [])
    models, implementations = _by_name(registry, "models"), _by_name(registry, "implementations")
    cases = [_case(entry, models, implementations) for entry in entries if entry.get("reference", {}).get("key")]
    return cases, len(entries) - len(cases)


def _by_name(registry, what):
    return {item["name"]: item for item in registry.get(what, [])}


def implementation_of(entry, models, implementations):
    """The implementation of a case, which names its model, which names it; an operator's case brings its own."""
    if "implementation" in entry:
        return entry["implementation"]
    case = entry["benchmark_case"]
    model = models.get(case.get("model", ""))
    if model is None or model.get("implementation", "") not in implementations:
        text = '%s: the registry lacks its model "%s" or that one\'s implementation'
        raise RegistryError(text % (case.get("label", case.get("name", "a case")), case.get("model", "")))
    return implementations[model["implementation"]]


def _case(entry, models, implementations):
    case, implementation = entry["benchmark_case"], implementation_of(entry, models, implementations)
    workload = entry.get("referenced") or entry["verified"]
    label = case.get("label", "")
    if ":" not in label:
        raise RegistryError('case "%s" has no Bazel label, so its runner cannot be found' % case.get("name"))
    reference = implementation.get("reference", "")
    script = implementation.get("reference_script", "")
    if reference not in (INDEPENDENT, OWN_FLOAT64) or (reference == INDEPENDENT) != bool(script):
        raise RegistryError(
            '%s: implementation "%s" has reference %s and reference_script "%s"; want INDEPENDENT with a script or '
            "OWN_FLOAT64 without one" % (label, implementation.get("name"), reference or "unspecified", script)
        )
    return Case(
        label=label,
        name=case["name"],
        model=entry["model"]["name"] if "model" in entry else case["model"],
        dtype=case["dtype"],
        seed=int(case.get("seed", 0)),
        tags=tuple(case.get("tags", [])),
        implementation=implementation["name"],
        reference=reference,
        script=script,
        outputs=tuple(output["name"] for output in workload.get("outputs", [])),
        shape_parameters=_shape_parameters(implementation),
        parameters={name: _value(v) for name, v in sorted(workload.get("parameters", {}).items())},
        batch=int(workload.get("batch", 0)),
        inputs=tuple(_input(spec) for spec in workload.get("inputs", [])),
        key=entry["reference"]["key"],
        training=_training(label, case, implementation),
        continuation=_continuation(implementation) if case.get("mode") == "GENERATE" else (),
        rows=int(case.get("batch", 0)),
    )


def _continuation(implementation):
    return implementation.get("continued") or implementation["inputs"][0]["name"], implementation["continuation"]["name"]


def _training(label, case, implementation):
    if case.get("mode", "EVAL") != "TRAIN":
        return None
    training = case.get("training", {})
    optimizers = tuple(_optimizer(label, optimizer) for optimizer in training.get("optimizers", []))
    if not optimizers:
        raise RegistryError("%s: mode TRAIN without an optimizer; one of %s" % (label, ", ".join(sorted(OPTIMIZERS))))
    reads_targets = training.get("loss") in ("OWN", "CROSS_ENTROPY")
    return Training(
        loss=training.get("loss", ""),
        clip_norm=float(training.get("clip_norm", 0)),
        row_clip_norm=float(training.get("row_clip_norm", 0)),
        optimizers=optimizers,
        targets=tuple(spec["name"] for spec in implementation.get("targets", [])) if reads_targets else (),
    )


def _optimizer(label, optimizer):
    name = next(iter(optimizer), "none")
    if name not in OPTIMIZERS:
        raise RegistryError("%s: optimizer %s; one of %s" % (label, name, ", ".join(sorted(OPTIMIZERS))))
    given = optimizer[name]
    # Protobuf's JSON leaves out what is zero.
    return name, {setting: kind(given.get(setting, 0)) for setting, kind in OPTIMIZERS[name]}


def _value(value):
    """A Python value of a ParameterValue; protobuf's JSON has 64-bit integers as strings."""
    (kind, content), = value.items()
    if kind == "integer":
        return int(content)
    if kind == "integers":
        return [int(v) for v in content.get("values", [])]
    return float(content) if kind == "real" else content


def _input(spec):
    return Input(
        name=spec["name"],
        dtype=spec["dtype"],
        shape=tuple(int(d) for d in spec.get("shape", [])),
        distribution=json.dumps(spec.get("distribution", {}), sort_keys=True),
    )


def _shape_parameters(implementation):
    specs = implementation.get("inputs", []) + [implementation.get("continuation", {})]
    names = {name for spec in specs for d in spec.get("shape", []) for name in re.split(r"[*+-]", d)}
    return tuple(sorted(n for n in names if n != "batch" and not n.isdigit()))
