"""BERT-pytorch's BERTLM in torch.nn, with its names; it is no package. Exact GELU, as in TorchBench."""

import math

import torch
from torch import nn
from torch.nn import functional

from models import sinusoids_reference


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


class _Norm(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.a_2, self.b_2 = nn.Parameter(torch.ones(features)), nn.Parameter(torch.zeros(features))

    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=-1, correction=1, keepdim=True)
        return torch.addcmul(self.b_2, self.a_2, (x - mean) / (variance.sqrt() + 1e-6))


class _Attention(nn.Module):
    def __init__(self, features, heads, dropout):
        super().__init__()
        self.linear_layers = nn.ModuleList(nn.Linear(features, features) for _ in range(3))
        self.output_linear = nn.Linear(features, features)
        self.heads, self.dropout = heads, nn.Dropout(dropout)

    def forward(self, x, present):
        query, key, value = (linear(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for linear in self.linear_layers)
        scores = query @ key.mT / math.sqrt(query.shape[-1])
        weights = self.dropout(scores.masked_fill(~present[:, None, None], -1e9).softmax(-1))
        return self.output_linear((weights @ value).transpose(1, 2).flatten(2))


class _FeedForward(nn.Module):
    def __init__(self, features, dropout):
        super().__init__()
        self.w_1, self.w_2 = nn.Linear(features, 4 * features), nn.Linear(4 * features, features)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.w_2(self.dropout(functional.gelu(self.w_1(x))))


class _Sublayer(nn.Module):
    def __init__(self, features, dropout):
        super().__init__()
        self.norm, self.dropout = _Norm(features), nn.Dropout(dropout)

    def forward(self, x, branch):
        return x + self.dropout(branch(self.norm(x)))


class _Block(nn.Module):
    def __init__(self, features, heads, dropout):
        super().__init__()
        self.attention, self.feed_forward = _Attention(features, heads, dropout), _FeedForward(features, dropout)
        self.input_sublayer, self.output_sublayer = _Sublayer(features, dropout), _Sublayer(features, dropout)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, present):
        x = self.input_sublayer(x, lambda y: self.attention(y, present))
        return self.dropout(self.output_sublayer(x, self.feed_forward))


class _Positions(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.register_buffer("pe", sinusoids_reference.interleaved(512, features))


class _Embedding(nn.Module):
    def __init__(self, words, features, dropout):
        super().__init__()
        self.token = nn.Embedding(words, features, padding_idx=0)
        self.position = _Positions(features)
        self.segment = nn.Embedding(3, features, padding_idx=0)
        self.dropout = nn.Dropout(dropout)

    def forward(self, words, segments):
        return self.dropout(self.token(words) + self.position.pe[:, : words.shape[1]] + self.segment(segments))


class _Bert(nn.Module):
    def __init__(self, p, dropout):
        super().__init__()
        self.embedding = _Embedding(p["vocab_size"], p["hidden"], dropout)
        self.transformer_blocks = nn.ModuleList(_Block(p["hidden"], p["heads"], dropout) for _ in range(p["layers"]))

    def forward(self, words, segments):
        x = self.embedding(words, segments)
        for block in self.transformer_blocks:
            x = block(x, words > 0)
        return x


class _Head(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.linear = nn.Linear(features, classes)

    def forward(self, x):
        return self.linear(x).log_softmax(-1)


class _BertLm(nn.Module):
    def __init__(self, p, dropout=0.1):
        super().__init__()
        self.bert = _Bert(p, dropout)
        self.next_sentence = _Head(p["hidden"], 2)
        self.mask_lm = _Head(p["hidden"], p["vocab_size"])

    def forward(self, x, segment_label):
        features = self.bert(x, segment_label)
        return {"next_sentence": self.next_sentence(features[:, 0]), "words": self.mask_lm(features)}


def build(parameters):
    return _BertLm(parameters)


def forward(module, inputs):
    return module(**inputs)


def loss(module, outputs, targets):
    del module
    criterion = nn.NLLLoss(ignore_index=0)
    return criterion(outputs["next_sentence"], targets["is_next"]) + criterion(outputs["words"].mT, targets["bert_label"])
