"""Actors, critics and the renderer of drq, soft_actor_critic and LearningToPaint: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter", "uniform")

def _count(name, default, description, minimum = 1, maximum = 65536):
    return parameter(name, "integer", default = default, minimum = minimum, maximum = maximum, description = description)

_PIXELS = [
    # The encoder's convolutions, of which the first has stride 2, need 15 pixels.
    _count("resolution", 84, "pixels of an image's side", minimum = 15),
    _count("channels", 9, "channels of an image: three frames"),
    _count("filters", 32, "channels of a convolution"),
    _count("features", 50, "features of an image"),
]
_DRQ = _PIXELS + [_count("hidden", 1024, "width of the MLP"), _count("actions", 1, "numbers of an action")]
_SAC = [_count("states", 3, "numbers of a state"), _count("hidden", 1024, "width of the MLP"), _count("actions", 1, "numbers of an action")]

def _painting(inputs):
    return [_count("channels", 64, "channels of the first stage; each further one has twice as many"), _count("inputs", inputs, "channels of the input")]

_OBSERVATION = input("obs", ["batch", "channels", "resolution", "resolution"], uniform(0, 255))
_ACTION = input("action", ["batch", "actions"], uniform(-1, 1))
_STATE = input("state", ["batch", "states"])
_POLICY = [output("mean", ["batch", "actions"]), output("std", ["batch", "actions"])]

def _implementation(name, description, source, parameters, inputs, outputs, target = None, keeps_statistics = False):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/pytorch/benchmark/tree/main/torchbenchmark/models/" + source,
        reference = "INDEPENDENT",
        reference_script = "models/agents/reference.py",
        parameters = [parameter("network", "text", default = name, allowed = [name], description = "which of the networks")] + parameters,
        inputs = inputs,
        outputs = outputs,
        trainable = target != None,
        targets = [target] if target else [],
        keeps_statistics = keeps_statistics,
    )

DRQ_ACTOR = _implementation("drq_actor", "DrQ's actor: convolutions and an MLP make a policy out of images.", "drq/drq.py", _DRQ, [_OBSERVATION], _POLICY)
DRQ_CRITIC = _implementation(
    "drq_critic",
    "DrQ's critic: convolutions and two MLPs value an action on images.",
    "drq/drq.py",
    _DRQ,
    [_OBSERVATION, _ACTION],
    [output("q1", ["batch", 1]), output("q2", ["batch", 1])],
    target = input("value", ["batch", 1]),
)
SAC_ACTOR = _implementation("sac_actor", "Soft actor-critic's actor: an MLP makes a policy out of a state.", "soft_actor_critic/nets.py", _SAC, [_STATE], _POLICY)
SAC_CRITIC = _implementation(
    "sac_critic",
    "Soft actor-critic's critic: an MLP values an action in a state.",
    "soft_actor_critic/nets.py",
    _SAC,
    [_STATE, _ACTION],
    [output("q1", ["batch", 1])],
    target = input("value", ["batch", 1]),
)
PAINTING_ACTOR = _implementation(
    "painting_actor",
    "LearningToPaint's actor: a small ResNet chooses the next strokes.",
    "LearningToPaint/baseline/DRL/actor.py",
    _painting(9) + [_count("strokes", 65, "numbers of five strokes")],
    [input("state", ["batch", "inputs", 128, 128], uniform(0, 1))],
    [output("action", ["batch", "strokes"])],
    keeps_statistics = True,
)
PAINTING_CRITIC = _implementation(
    "painting_critic",
    "LearningToPaint's critic: a small ResNet without norms, but of normalised weights, values a canvas.",
    "LearningToPaint/baseline/DRL/critic.py",
    _painting(12),
    [input("state", ["batch", "inputs", 128, 128], uniform(0, 1))],
    [output("q1", ["batch", 1])],
    target = input("value", ["batch", 1]),
)
STROKE_RENDERER = _implementation(
    "stroke_renderer",
    "LearningToPaint's renderer: an MLP and convolutions draw a stroke.",
    "LearningToPaint/baseline/Renderer/model.py",
    [_count("width", 512, "width of the first layer; each further one has twice as many"), _count("side", 16, "an eighth of the image's side, pixels")],
    [input("stroke", ["batch", 10], uniform(0, 1))],
    [output("image", ["batch", "8*side", "8*side"])],
    target = input("drawn", ["batch", "8*side", "8*side"], uniform(0, 1)),
)

_TINY = {
    "drq_actor": {"actions": 4, "features": 10, "filters": 4, "hidden": 16, "resolution": 21},
    "drq_critic": {"actions": 4, "features": 10, "filters": 4, "hidden": 16, "resolution": 21},
    "sac_actor": {"actions": 4, "hidden": 16},
    "sac_critic": {"actions": 4, "hidden": 16},
    "painting_actor": {"channels": 4},
    "painting_critic": {"channels": 4},
    "stroke_renderer": {"side": 2, "width": 8},
}
_ALL = [DRQ_ACTOR, DRQ_CRITIC, SAC_ACTOR, SAC_CRITIC, PAINTING_ACTOR, PAINTING_CRITIC, STROKE_RENDERER]

TINY = [
    model(i.name + "_tiny", i, parameters = _TINY[i.name], smoke_parameters = _TINY[i.name], description = "The same of narrow layers, which tests can afford.")
    for i in _ALL
]

PUBLISHED = [model(i.name, i, smoke_parameters = _TINY[i.name]) for i in _ALL]

MODELS = TINY + PUBLISHED
