"""Meta-learning: TorchBench's maml, maml_omniglot and functorch_maml_omniglot. Pure data.

A row is a task: a few labelled images of each of its classes, to which the network adapts, and queries.
"""

load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter")

_REPOSITORY = "https://github.com/pytorch/benchmark/blob/main/torchbenchmark/models/"

def _implementation(name, logits, parameters = [], **others):
    return model_implementation(
        name = name,
        owner = "assay",
        source_url = _REPOSITORY + name + "/__init__.py",
        reference = "INDEPENDENT",
        reference_script = "models/maml/reference.py",
        parameters = [
            parameter("channels", "integer", default = 64, maximum = 4096, description = "of each convolution"),
            parameter("ways", "integer", default = 5, minimum = 2, maximum = 1000, description = "classes of a task"),
            parameter("queries", "integer", default = 15, maximum = 1000, description = "queries of each class"),
            parameter("shots", "integer", default = 1, maximum = 1000, description = "labelled images of each class"),
            parameter("steps", "integer", default = 5, maximum = 100, suffix = "steps", description = "inner steps"),
        ] + parameters,
        inputs = [
            input("x_spt", ["batch", "ways*shots", 1, 28, 28]),
            input("y_spt", ["batch", "ways*shots"], integers("ways"), dtype = "INT64"),
            input("x_qry", ["batch", "ways*queries", 1, 28, 28]),
        ],
        outputs = [output("logits", logits)],
        trainable = True,
        targets = [input("y_qry", ["batch", "ways*queries"], integers("ways"), dtype = "INT64")],
        unit = "task",
        **others
    )

MAML = _implementation(
    "maml",
    ["batch", "steps+1", "ways*queries", "ways"],
    description = "MAML of the first order: strided convolutions adapt to a task, and name its queries before and after each step.",
    checkpoint_extras = checkpoint_extras(buffers = ["net.vars_bn.*"]),
)

MAML_OMNIGLOT = _implementation(
    "maml_omniglot",
    ["batch", "ways*queries", "ways"],
    [
        parameter("tasks_at_once", "flag", default = False, description = "all tasks in one call of each operator, as torch.func.vmap has them; or one after another"),
    ],
    description = "MAML of the second order: convolutions and pools adapt to a task, and name its queries.",
    checkpoint_extras = checkpoint_extras(buffers = ["*.running_mean", "*.running_var", "*.num_batches_tracked"]),
)

_TINY = {"channels": 8, "queries": 2, "shots": 2, "steps": 2, "ways": 3}

def _omniglot(name, at_once):
    return [
        model(name + "_tiny", MAML_OMNIGLOT, parameters = dict(_TINY, tasks_at_once = at_once), smoke_parameters = _TINY, description = "The same of narrow layers, which tests can afford."),
        model(name, MAML_OMNIGLOT, parameters = {"tasks_at_once": at_once}, smoke_parameters = _TINY),
    ]

MODELS = [
    model("maml_tiny", MAML, parameters = _TINY, smoke_parameters = _TINY, description = "The same of narrow layers, which tests can afford."),
    model("maml", MAML, smoke_parameters = _TINY),
] + _omniglot("maml_omniglot", False) + _omniglot("functorch_maml_omniglot", True)
