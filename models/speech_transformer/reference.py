"""kaituoxu's Speech-Transformer in torch.nn, with its names; it is no package."""

import math

import torch
from torch import nn
from torch.nn import functional

from models import sinusoids_reference

_POSITIONS, _SMOOTHING = 5000, 0.1


def provenance():
    return "torch.nn %s" % torch.__version__.split("+")[0]


class _Attention(nn.Module):
    def __init__(self, p, dropout):
        super().__init__()
        self.heads, width = p["heads"], p["heads"] * p["head_features"]
        self.w_qs, self.w_ks, self.w_vs = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.layer_norm, self.fc = nn.LayerNorm(width), nn.Linear(width, width)
        self.dropout, self.attention_dropout = nn.Dropout(dropout), nn.Dropout(dropout)

    def forward(self, x, memory, hidden):
        split = lambda y: y.unflatten(-1, (self.heads, -1)).transpose(1, 2)
        query, key, value = split(self.w_qs(x)), split(self.w_ks(memory)), split(self.w_vs(memory))
        scores = (query @ key.mT / math.sqrt(query.shape[-1])).masked_fill(hidden[:, None], -torch.inf)
        attended = self.attention_dropout(scores.softmax(-1)) @ value
        return self.layer_norm(self.dropout(self.fc(attended.transpose(1, 2).flatten(2))) + x)


class _FeedForward(nn.Module):
    def __init__(self, p, dropout):
        super().__init__()
        width = p["heads"] * p["head_features"]
        self.w_1, self.w_2 = nn.Linear(width, p["hidden"]), nn.Linear(p["hidden"], width)
        self.layer_norm, self.dropout = nn.LayerNorm(width), nn.Dropout(dropout)

    def forward(self, x):
        return self.layer_norm(self.dropout(self.w_2(torch.relu(self.w_1(x)))) + x)


class _Positions(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("pe", sinusoids_reference.interleaved(_POSITIONS, width))


class _EncoderLayer(nn.Module):
    def __init__(self, p, dropout):
        super().__init__()
        self.slf_attn, self.pos_ffn = _Attention(p, dropout), _FeedForward(p, dropout)

    def forward(self, x, hidden, absent):
        x = self.slf_attn(x, x, hidden).masked_fill(absent, 0)
        return self.pos_ffn(x).masked_fill(absent, 0)


class _DecoderLayer(nn.Module):
    def __init__(self, p, dropout):
        super().__init__()
        self.slf_attn, self.enc_attn, self.pos_ffn = _Attention(p, dropout), _Attention(p, dropout), _FeedForward(p, dropout)

    def forward(self, x, hidden, absent, memory, memory_hidden):
        x = self.slf_attn(x, x, hidden).masked_fill(absent, 0)
        x = self.enc_attn(x, memory, memory_hidden).masked_fill(absent, 0)
        return self.pos_ffn(x).masked_fill(absent, 0)


class _Encoder(nn.Module):
    def __init__(self, p, dropout):
        super().__init__()
        width = p["heads"] * p["head_features"]
        self.linear_in, self.layer_norm_in = nn.Linear(p["input_features"], width), nn.LayerNorm(width)
        self.positional_encoding, self.dropout = _Positions(width), nn.Dropout(dropout)
        self.layer_stack = nn.ModuleList(_EncoderLayer(p, dropout) for _ in range(p["layers"]))

    def forward(self, frames, absent):
        count = frames.shape[1]
        x = self.dropout(self.layer_norm_in(self.linear_in(frames)) + self.positional_encoding.pe[:, :count])
        for layer in self.layer_stack:
            x = layer(x, absent[:, None].expand(-1, count, -1), absent[..., None])
        return x


class _Decoder(nn.Module):
    def __init__(self, p, dropout):
        super().__init__()
        width = p["heads"] * p["head_features"]
        self.sos, self.eos, self.scale = p["sos"], p["eos"], math.sqrt(width)
        self.tgt_word_emb = nn.Embedding(p["vocab_size"], width)
        self.positional_encoding, self.dropout = _Positions(width), nn.Dropout(dropout)
        self.layer_stack = nn.ModuleList(_DecoderLayer(p, dropout) for _ in range(p["layers"]))
        self.tgt_word_prj = nn.Linear(width, p["vocab_size"], bias=False)
        self.tgt_word_prj.weight = self.tgt_word_emb.weight

    def forward(self, words, memory, memory_absent):
        words = functional.pad(words, (1, 0), value=self.sos)
        count, absent = words.shape[1], words == self.eos
        later = torch.ones(count, count, dtype=torch.bool, device=words.device).triu(1)
        x = self.dropout(self.tgt_word_emb(words) * self.scale + self.positional_encoding.pe[:, :count])
        for layer in self.layer_stack:
            x = layer(x, absent[:, None] | later, absent[..., None], memory, memory_absent[:, None].expand(-1, count, -1))
        return self.tgt_word_prj(x)


class _Transformer(nn.Module):
    def __init__(self, p, dropout=0.1):
        super().__init__()
        self.encoder, self.decoder = _Encoder(p, dropout), _Decoder(p, dropout)

    def forward(self, padded_input, input_lengths, padded_target):
        absent = torch.arange(padded_input.shape[1], device=padded_input.device) >= input_lengths[:, None]
        return {"scores": self.decoder(padded_target, self.encoder(padded_input, absent), absent)}


def build(parameters):
    return _Transformer(parameters)


def forward(module, inputs):
    return module(**inputs)


def loss(module, outputs, targets):
    """kaituoxu's smoothing: the wrong classes share eps, less the right one's part of it."""
    del module
    scores = outputs["scores"].flatten(0, 1)
    classes = scores.shape[1]
    right = functional.one_hot(targets["gold"].flatten(), classes)
    wanted = right * (1 - _SMOOTHING) + (1 - right) * _SMOOTHING / classes
    return -(wanted * scores.log_softmax(1)).sum(1).mean()
