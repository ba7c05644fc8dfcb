"""The networks of agents.cc in torch.nn, with the names of TorchBench's drq, soft_actor_critic and LearningToPaint."""

import torch
from torch import nn
from torch.distributions import TanhTransform
from torch.nn import functional
from torch.nn.utils import parametrizations

_LOG_STD = (-10, 2)


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


def _policy(numbers):
    mean, logarithm = torch.tensor_split(numbers, 2, dim=-1)
    low, high = _LOG_STD
    return {"mean": TanhTransform()(mean), "std": torch.exp(low + 0.5 * (high - low) * (torch.tanh(logarithm) + 1))}


class _Encoder(nn.Module):
    def __init__(self, p):
        super().__init__()
        filters = p["filters"]
        self.convs = nn.ModuleList(nn.Conv2d(filters if i else p["channels"], filters, 3, stride=1 if i else 2) for i in range(4))
        side = (p["resolution"] - 1) // 2 - 6
        self.head = nn.Sequential(nn.Linear(filters * side**2, p["features"]), nn.LayerNorm(p["features"]))

    def forward(self, obs):
        x = obs / 255
        for conv in self.convs:
            x = torch.relu(conv(x))
        return torch.tanh(self.head(x.reshape(len(x), -1)))


def _mlp(width, hidden, last):
    return nn.Sequential(nn.Linear(width, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, last))


class _DrqActor(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.encoder = _Encoder(p)
        self.trunk = _mlp(p["features"], p["hidden"], 2 * p["actions"])

    def forward(self, obs):
        return _policy(self.trunk(self.encoder(obs)))


class _DrqCritic(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.encoder = _Encoder(p)
        self.Q1 = _mlp(p["features"] + p["actions"], p["hidden"], 1)
        self.Q2 = _mlp(p["features"] + p["actions"], p["hidden"], 1)

    def forward(self, obs, action):
        both = torch.cat([self.encoder(obs), action], dim=-1)
        return {"q1": self.Q1(both), "q2": self.Q2(both)}


class _FullyConnected(nn.Module):
    def __init__(self, width, hidden, last):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(width, hidden), nn.Linear(hidden, hidden), nn.Linear(hidden, last)

    def forward(self, x):
        return self.fc3(torch.relu(self.fc2(torch.relu(self.fc1(x)))))


class _SacActor(_FullyConnected):
    def __init__(self, p):
        super().__init__(p["states"], p["hidden"], 2 * p["actions"])

    def forward(self, state):
        return _policy(super().forward(state))


class _SacCritic(_FullyConnected):
    def __init__(self, p):
        super().__init__(p["states"] + p["actions"], p["hidden"], 1)

    def forward(self, state, action):
        return {"q1": super().forward(torch.cat([state, action], dim=1))}


def _conv(kind, i, o, kernel, stride):
    return kind(i, o, kernel, stride=stride, padding=kernel // 2, bias=kind is not nn.Conv2d)


class _WeightNormConv(nn.Module):
    """torch.nn.utils.weight_norm's tensors, with their former names."""

    def __init__(self, i, o, kernel, stride, padding, bias):
        super().__init__()
        conv = nn.Conv2d(i, o, kernel, stride=stride, padding=padding, bias=bias)
        normed = parametrizations.weight_norm(conv).parametrizations.weight
        self.bias, self.weight_g, self.weight_v = conv.bias, normed.original0, normed.original1
        self.stride, self.padding = stride, padding

    def forward(self, x):
        length = torch.linalg.vector_norm(self.weight_v, dim=(1, 2, 3), keepdim=True)
        weight = self.weight_g * self.weight_v / length
        return functional.conv2d(x, weight, self.bias, stride=self.stride, padding=self.padding)


class _TReLU(nn.Module):
    def __init__(self):
        super().__init__()
        self.alpha = nn.Parameter(torch.zeros(1))

    def forward(self, x):
        return torch.maximum(x, self.alpha)


class _ActorBlock(nn.Module):
    def __init__(self, i, o, stride):
        super().__init__()
        self.conv1, self.bn1 = _conv(nn.Conv2d, i, o, 3, stride), nn.BatchNorm2d(o)
        self.conv2, self.bn2 = _conv(nn.Conv2d, o, o, 3, 1), nn.BatchNorm2d(o)
        self.shortcut = nn.Sequential(_conv(nn.Conv2d, i, o, 1, stride), nn.BatchNorm2d(o)) if stride != 1 or i != o else nn.Sequential()

    def forward(self, x):
        return torch.relu(self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(x))))) + self.shortcut(x))


class _CriticBlock(nn.Module):
    def __init__(self, i, o, stride):
        super().__init__()
        self.conv1, self.conv2 = _conv(_WeightNormConv, i, o, 3, stride), _conv(_WeightNormConv, o, o, 3, 1)
        self.shortcut = nn.Sequential(*([_conv(_WeightNormConv, i, o, 1, stride)] if stride != 1 or i != o else []))
        self.relu_1, self.relu_2 = _TReLU(), _TReLU()

    def forward(self, x):
        return self.relu_2(self.conv2(self.relu_1(self.conv1(x))) + self.shortcut(x))


def _stage(block, i, o):
    return nn.Sequential(block(i, o, 2), block(o, o, 1))


class _Painting(nn.Module):
    def __init__(self, p, block, conv, last):
        super().__init__()
        width = p["channels"]
        self.conv1 = _conv(conv, p["inputs"], width, 3, 2)
        if block is _ActorBlock:
            self.bn1 = nn.BatchNorm2d(width)
        self.layer1 = _stage(block, width, width)
        self.layer2 = _stage(block, width, 2 * width)
        self.layer3 = _stage(block, 2 * width, 4 * width)
        self.layer4 = _stage(block, 4 * width, 8 * width)
        self.fc = nn.Linear(8 * width, last)
        if block is _CriticBlock:
            self.relu_1 = _TReLU()

    def features(self, x):
        for layer in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = layer(x)
        return self.fc(functional.avg_pool2d(x, 4).flatten(1))


class _PaintingActor(_Painting):
    def __init__(self, p):
        super().__init__(p, _ActorBlock, nn.Conv2d, p["strokes"])

    def forward(self, state):
        return {"action": torch.sigmoid(self.features(torch.relu(self.bn1(self.conv1(state)))))}


class _PaintingCritic(_Painting):
    def __init__(self, p):
        super().__init__(p, _CriticBlock, _WeightNormConv, 1)

    def forward(self, state):
        return {"q1": self.features(self.relu_1(self.conv1(state)))}


class _StrokeRenderer(nn.Module):
    def __init__(self, p):
        super().__init__()
        width, self.side = p["width"], p["side"]
        self.fc1, self.fc2 = nn.Linear(10, width), nn.Linear(width, 2 * width)
        self.fc3, self.fc4 = nn.Linear(2 * width, 4 * width), nn.Linear(4 * width, 16 * self.side**2)
        self.conv1, self.conv2 = nn.Conv2d(16, 32, 3, padding=1), nn.Conv2d(32, 32, 3, padding=1)
        self.conv3, self.conv4 = nn.Conv2d(8, 16, 3, padding=1), nn.Conv2d(16, 16, 3, padding=1)
        self.conv5, self.conv6 = nn.Conv2d(4, 8, 3, padding=1), nn.Conv2d(8, 4, 3, padding=1)

    def forward(self, stroke):
        x = stroke
        for layer in (self.fc1, self.fc2, self.fc3, self.fc4):
            x = torch.relu(layer(x))
        x = x.view(-1, 16, self.side, self.side)
        for first, second in ((self.conv1, self.conv2), (self.conv3, self.conv4), (self.conv5, self.conv6)):
            x = functional.pixel_shuffle(second(torch.relu(first(x))), 2)
        return {"image": 1 - torch.sigmoid(x[:, 0])}


_NETWORKS = {
    "drq_actor": _DrqActor,
    "drq_critic": _DrqCritic,
    "sac_actor": _SacActor,
    "sac_critic": _SacCritic,
    "painting_actor": _PaintingActor,
    "painting_critic": _PaintingCritic,
    "stroke_renderer": _StrokeRenderer,
}


def build(parameters):
    return _NETWORKS[parameters["network"]](parameters)


def forward(module, inputs):
    return module(**inputs)


def loss(module, outputs, targets):
    del module
    (target,) = targets.values()
    return sum(functional.mse_loss(output, target) for output in outputs.values())
