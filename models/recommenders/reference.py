"""The networks of recommenders.cc in torch.nn, with the names of MLPerf's NeuMF, torch_rechub, deepctr_torch's Dice, torchrec and
NVIDIA's DeepRecommender: their packages are far larger than what is needed of them.
"""

import itertools

import torch
from torch import nn
from torch.nn import functional


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


class _NeuMF(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.mf_user_embed = nn.Embedding(p["users"], p["mf_dim"])
        self.mf_item_embed = nn.Embedding(p["items"], p["mf_dim"])
        self.mlp_user_embed = nn.Embedding(p["users"], p["mlp"][0] // 2)
        self.mlp_item_embed = nn.Embedding(p["items"], p["mlp"][0] // 2)
        self.mlp = nn.ModuleList(nn.Linear(i, o) for i, o in itertools.pairwise(p["mlp"]))
        self.final = nn.Linear(p["mlp"][-1] + p["mf_dim"], 1)

    def forward(self, user, item):
        mf = self.mf_user_embed(user) * self.mf_item_embed(item)
        mlp = torch.cat([self.mlp_user_embed(user), self.mlp_item_embed(item)], dim=1)
        for layer in self.mlp:
            mlp = torch.relu(layer(mlp))
        return torch.sigmoid(self.final(torch.cat([mf, mlp], dim=1)))


class _Dice(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.bn = nn.BatchNorm1d(features, eps=1e-8)
        self.alpha = nn.Parameter(torch.zeros(features))

    def forward(self, x):
        p = torch.sigmoid(self.bn(x))
        return self.alpha * (1 - p) * x + p * x


class _Mlp(nn.Module):
    def __init__(self, widths, activation, dropout=0.0):
        super().__init__()
        layers = []
        for i, o in itertools.pairwise(widths):
            layers += [nn.Linear(i, o), nn.BatchNorm1d(o), activation(o), nn.Dropout(dropout)]
        self.mlp = nn.Sequential(*layers, nn.Linear(widths[-1], 1))

    def forward(self, x):
        return self.mlp(x)


class _Tables(nn.Module):
    def __init__(self, rows, features):
        super().__init__()
        self.embed_dict = nn.ModuleDict({name: nn.Embedding(count, features) for name, count in rows.items()})

    def forward(self, **rows):
        return torch.cat([self.embed_dict[name](row) for name, row in rows.items()], dim=-1)


class _Wide(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.fc = nn.Linear(features, 1)

    def forward(self, x):
        return self.fc(x)


class _WideDeep(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.linear = _Wide(p["wide_features"])
        self.embedding = _Tables({"c%d" % table: p["rows"] for table in range(p["tables"])}, p["features"])
        self.mlp = _Mlp([p["tables"] * p["features"], *p["mlp"]], lambda _: nn.ReLU(), p["dropout"])

    def forward(self, wide, categories):
        deep = self.embedding(**{"c%d" % i: rows for i, rows in enumerate(categories.unbind(1))})
        return torch.sigmoid(self.linear(wide) + self.mlp(deep))


class _ActivationUnit(nn.Module):
    def __init__(self, features, widths):
        super().__init__()
        self.attention = _Mlp([4 * features, *widths], _Dice)

    def forward(self, history, target, present):
        target = target[:, None].expand(-1, history.shape[1], -1)
        pairs = torch.cat([target, history, target - history, target * history], dim=-1)
        weights = self.attention(pairs.view(-1, pairs.shape[-1])).view(history.shape[:2]) * present
        return (weights[..., None] * history).sum(1)


class _Din(nn.Module):
    def __init__(self, p):
        super().__init__()
        width = 2 * p["features"]
        self.embedding = _Tables({"item": p["items"], "category": p["categories"]}, p["features"])
        self.attention_layers = nn.ModuleList([_ActivationUnit(width, p["attention"])])
        self.mlp = _Mlp([2 * width, *p["mlp"]], _Dice)

    def forward(self, item, category, history_items, history_categories, history_mask):
        target = self.embedding(item=item, category=category)
        history = self.embedding(item=history_items, category=history_categories)
        interest = self.attention_layers[0](history, target, history_mask)
        return torch.sigmoid(self.mlp(torch.cat([interest, target], dim=1)))


def _named(**modules):
    """A module whose only content is its children: torchrec's classes around each of them."""
    holder = nn.Module()
    for name, module in modules.items():
        setattr(holder, name, module)
    return holder


def _perceptrons(widths):
    return _named(_mlp=nn.ModuleList(_named(_linear=nn.Linear(i, o)) for i, o in itertools.pairwise(widths)))


def _perceive(perceptrons, x):
    for layer in perceptrons._mlp:
        x = torch.relu(layer._linear(x))
    return x


class _LowRankCrossNet(nn.Module):
    def __init__(self, features, layers, rank):
        super().__init__()
        made = lambda *shape: nn.ParameterList(nn.Parameter(torch.zeros(shape)) for _ in range(layers))
        self.W_kernels, self.V_kernels, self.bias = made(features, rank), made(rank, features), made(features, 1)

    def forward(self, x):
        first = x = x[..., None]
        for w, v, bias in zip(self.W_kernels, self.V_kernels, self.bias, strict=True):
            x = first * (w @ (v @ x) + bias) + x
        return x[..., 0]


class _Dlrm(nn.Module):
    def __init__(self, p):
        super().__init__()
        tables = {"t_cat_%d" % t: nn.EmbeddingBag(p["rows"], p["features"], mode="sum") for t in range(p["tables"])}
        self.sparse_arch = _named(embedding_bag_collection=_named(embedding_bags=nn.ModuleDict(tables)))
        self.dense_arch = _named(model=_perceptrons([p["dense_features"], *p["bottom"], p["features"]]))
        width = (p["tables"] + 1) * p["features"]
        self.inter_arch = _named(crossnet=_LowRankCrossNet(width, p["layers"], p["low_rank"]))
        self.over_arch = _named(model=nn.ModuleList([_perceptrons([width, *p["top"]]), nn.Linear(p["top"][-1], 1)]))

    def forward(self, dense_features, sparse_features):
        bags = self.sparse_arch.embedding_bag_collection.embedding_bags.values()
        vectors = [_perceive(self.dense_arch.model, dense_features)]
        vectors += [bag(rows) for bag, rows in zip(bags, sparse_features.unbind(1), strict=True)]
        perceptrons, last = self.over_arch.model
        return torch.sigmoid(last(_perceive(perceptrons, self.inter_arch.crossnet(torch.cat(vectors, dim=1)))))


class _AutoEncoder(nn.Module):
    def __init__(self, p):
        super().__init__()
        encoder = list(itertools.pairwise([p["items"], *p["hidden"]]))
        decoder = [(o, i) for i, o in reversed(encoder)]
        made = lambda shapes: nn.ParameterList(nn.Parameter(torch.zeros(shape)) for shape in shapes)
        self.encode_w, self.encode_b = made((o, i) for i, o in encoder), made(o for _, o in encoder)
        self.decode_w, self.decode_b = made((o, i) for i, o in decoder), made(o for _, o in decoder)
        self.drop = nn.Dropout(p["dropout"])

    def forward(self, ratings):
        x = ratings
        for weights, biases in ((self.encode_w, self.encode_b), (self.decode_w, self.decode_b)):
            for weight, bias in zip(weights, biases, strict=True):
                x = functional.selu(functional.linear(x, weight, bias))
            if weights is self.encode_w:
                x = self.drop(x)
        return x


_BY_PARAMETER = {"mf_dim": _NeuMF, "wide_features": _WideDeep, "history": _Din, "low_rank": _Dlrm, "hidden": _AutoEncoder}


def build(parameters):
    return next(network for name, network in _BY_PARAMETER.items() if name in parameters)(parameters)


def forward(module, inputs):
    return {"expected" if isinstance(module, _AutoEncoder) else "probability": module(**inputs)}


def loss(module, outputs, targets):
    if not isinstance(module, _AutoEncoder):
        return functional.binary_cross_entropy(outputs["probability"], targets["clicked"])
    rated = targets["rated"] != 0
    return (outputs["expected"] - targets["rated"])[rated].square().mean()
