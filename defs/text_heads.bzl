"""Inputs and outputs that models of text have alike, whatever their family: pure data.

    load("//defs:text_heads.bzl", "ANSWER_POSITIONS", "ANSWER_SCORES", "WORD_LABELS", "WORD_SCORES", "tokens")

    inputs = [tokens("input_ids", integers(limit = "vocab_size")), tokens("attention_mask", prefix_mask())]

The implementation has the parameters sequence_length and, for words, vocab_size.
"""

load(":variants.bzl", "input", "integers", "output")

def tokens(name, distribution):
    """An integer for each token: [batch, sequence_length]."""
    return input(name, shape = ["batch", "sequence_length"], dtype = "INT64", distribution = distribution)

# A score for each word at each token, and the words that the loss wants there.
WORD_SCORES = [output("logits", shape = ["batch", "sequence_length", "vocab_size"])]
WORD_LABELS = [tokens("labels", integers(limit = "vocab_size"))]

# Scores of each token as an answer's first and as its last, and which ones they are.
ANSWER_SCORES = [
    output("start_logits", shape = ["batch", "sequence_length"]),
    output("end_logits", shape = ["batch", "sequence_length"]),
]
ANSWER_POSITIONS = [
    input("start_positions", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "sequence_length")),
    input("end_positions", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "sequence_length")),
]
