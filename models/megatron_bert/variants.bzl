"""BERT of Megatron-LM as transformers' classes with a head build it: pure data."""

load("//defs:text_heads.bzl", "ANSWER_POSITIONS", "ANSWER_SCORES", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "model_implementation", "parameter", "prefix_mask", "segments")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 29056, description = "tokens"),
    parameter("hidden_size", "integer", description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
    parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
    parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
    parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
    parameter("type_vocab_size", "integer", default = 2, description = "token types"),
    parameter("layer_norm_eps", "real", default = 1e-12, minimum = 0.0, description = "added to the variance"),
    parameter("sequence_length", "integer", default = 128, minimum = 2, maximum = 512, suffix = "s", description = "tokens of each row"),
]

def _implementation(name, description, outputs, targets, heads, parameters = []):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/megatron_bert/modeling_megatron_bert.py",
        reference = "INDEPENDENT",
        reference_script = "models/megatron_bert/reference.py",
        parameters = _PARAMETERS + parameters,
        inputs = [
            tokens("input_ids", integers(limit = "vocab_size")),
            tokens("attention_mask", prefix_mask()),
            tokens("token_type_ids", segments()),
        ],
        outputs = outputs,
        # transformers stored the buffer until 4.31.
        checkpoint_extras = checkpoint_extras(
            buffers = ["bert.embeddings.position_ids"],
            heads = heads,
        ),
        trainable = True,
        targets = targets,
        unit = "token",
        units_per_call = "batch*sequence_length",
    )

WORDS = _implementation(
    name = "megatron_bert_lm",
    description = "Megatron-LM's BERT with a score for each word at each token, whose weight is the embedding's.",
    parameters = [parameter("is_decoder", "flag", default = False, description = "whether a token sees none behind it, and its scores are of the next word")],
    outputs = WORD_SCORES,
    targets = WORD_LABELS,
    heads = ["bert.pooler", "cls.seq_relationship"],
)

QUESTION_ANSWERING = _implementation(
    name = "megatron_bert_question_answering",
    description = "BERT of Megatron-LM with two scores at each token: that an answer begins there, and that it ends there.",
    outputs = ANSWER_SCORES,
    targets = ANSWER_POSITIONS,
    heads = ["bert.pooler", "cls"],
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

_345M = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096}

# Nvidia's megatron-bert-cased-345m, the default of transformers and TorchDynamo, and megatron-bert-uncased-345m.
_SIZES = {
    "megatron_bert_tiny": {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512, "vocab_size": 1000},
    "megatron_bert_cased_345m": _345M,
    "megatron_bert_uncased_345m": dict(_345M, vocab_size = 30592),
}

def _models(suffix, implementation, sizes, **more):
    return [
        model(name + suffix, implementation, parameters = dict(size, **more), smoke_parameters = _SMALL)
        for name, size in sizes.items()
    ]

CAUSAL_LMS = _models("_causal_lm", WORDS, _SIZES, is_decoder = True)

MASKED_LMS = _models("_masked_lm", WORDS, _SIZES)

QUESTION_ANSWERERS = _models("_qa", QUESTION_ANSWERING, _SIZES)

MODELS = CAUSAL_LMS + MASKED_LMS + QUESTION_ANSWERERS
