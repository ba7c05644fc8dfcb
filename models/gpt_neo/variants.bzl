"""EleutherAI's GPT-Neo and GPT-J, decoders of tokens: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "model", "parameter")
load("//models:transformers_model.bzl", "decoder", "encoder", "text", "transformers_model")

def _implementation(name, description, vocab_size, parameters, buffers, module = None, head = text.next_word_scores()):
    own = {"gpt_neo_sequence_classification": ["score"], "gptj_qa": ["qa_outputs"]}.get(name, ["lm_head"])
    return transformers_model(
        name,
        description,
        family = "gpt_neo",
        module = module or name,
        parameters = [
            decoder.vocab_size(vocab_size),
            parameter("hidden_size", "integer", description = "features of a token"),
            parameter("num_layers", "integer", maximum = 1024, description = "blocks; of GPT-Neo an even number"),
            parameter("num_heads", "integer", maximum = 1024, description = "attention heads; they divide hidden_size"),
            decoder.max_position_embeddings(2048),
            decoder.layer_norm_epsilon(1e-5),
            decoder.sequence_length(maximum = 2048),
        ] + parameters,
        inputs = [text.ids],
        head = head,
        # Published files hold the masks of attention, which later versions compute.
        checkpoint_extras = checkpoint_extras(base = "transformer", buffers = buffers, heads = [name for name in ["lm_head", "score", "classifier", "qa_outputs"] if name not in own]),
    )

_NEO = [parameter("window_size", "integer", default = 256, description = "tokens that the second block and every other after it see")]
_NEO_BUFFERS = ["transformer.h.*.attn.attention.bias", "transformer.h.*.attn.attention.masked_bias"]
_J = [parameter("rotary_dim", "integer", default = 64, description = "features of a head that are rotated; even")]
_J_BUFFERS = ["transformer.h.*.attn.bias", "transformer.h.*.attn.masked_bias", "transformer.h.*.attn.embed_positions"]

IMPLEMENTATION = _implementation(
    "gpt_neo",
    "GPT-Neo (pre-norm decoder whose every other block sees the last tokens alone) with a score for each next word, whose weight is the embedding's.",
    50257,
    _NEO,
    _NEO_BUFFERS,
)

SEQUENCE_CLASSIFICATION = _implementation(
    "gpt_neo_sequence_classification",
    "GPT-Neo with a score for each class of a row, from its last token that is no padding.",
    50257,
    _NEO + [
        text.num_labels,
        parameter("pad_token_id", "integer", default = 0, minimum = 0, maximum = 1000000, description = "the token that is padding"),
    ],
    _NEO_BUFFERS,
    module = "gpt_neo",
    head = text.class_scores,
)

GPTJ = _implementation(
    "gptj",
    "GPT-J (decoder with rotary positions, whose attention and feed-forward layer stand side by side) with a score for each next word.",
    50400,
    _J,
    _J_BUFFERS,
)

QUESTION_ANSWERING = _implementation(
    "gptj_qa",
    "GPT-J with a score of each token as an answer's first and as its last.",
    50400,
    _J + [encoder.head_module("question_answering", behind = "decoder")],
    _J_BUFFERS,
    module = "gptj",
    head = text.answer_scores,
)

_SMALL = {"hidden_size": 32, "max_position_embeddings": 64, "num_heads": 2, "num_layers": 2, "sequence_length": 16, "vocab_size": 96}
_SMALL_NEO = dict(_SMALL, window_size = 6)
_SMALL_J = dict(_SMALL, rotary_dim = 8)

def _sizes(hidden_size, num_layers, num_heads, **more):
    return dict({"hidden_size": hidden_size, "num_heads": num_heads, "num_layers": num_layers}, **more)

_TINY = _sizes(64, 2, 2, max_position_embeddings = 256, vocab_size = 1000)

_OF_TESTS = "Two small blocks, which tests can afford."

TINY = [
    model("gpt_neo_tiny", IMPLEMENTATION, parameters = dict(_TINY, window_size = 6), smoke_parameters = _SMALL_NEO, description = _OF_TESTS),
    model("gptj_tiny", GPTJ, parameters = dict(_TINY, rotary_dim = 12), smoke_parameters = _SMALL_J, description = _OF_TESTS),
]

# The first row of their cases ends in the padding token.
TINY_HEADS = [
    model("gpt_neo_tiny_sequence_classification", SEQUENCE_CLASSIFICATION, parameters = dict(_TINY, window_size = 6, pad_token_id = 510), smoke_parameters = _SMALL_NEO, description = _OF_TESTS),
    model("gptj_tiny_qa", QUESTION_ANSWERING, parameters = dict(_TINY, rotary_dim = 12), smoke_parameters = _SMALL_J, description = _OF_TESTS),
]

MODELS = TINY + TINY_HEADS + [
    model("gpt_neo_125m", IMPLEMENTATION, parameters = _sizes(768, 12, 12), smoke_parameters = _SMALL_NEO, description = "EleutherAI/gpt-neo-125m."),
    model("gpt_neo_1_3b", IMPLEMENTATION, parameters = _sizes(2048, 24, 16), smoke_parameters = _SMALL_NEO, description = "EleutherAI/gpt-neo-1.3B, transformers' default."),
    model("gptj_6b", GPTJ, parameters = _sizes(4096, 28, 16), smoke_parameters = _SMALL_J, description = "EleutherAI/gpt-j-6b, transformers' default."),
    model("gpt_neo_1_3b_sequence_classification", SEQUENCE_CLASSIFICATION, parameters = _sizes(2048, 24, 16), smoke_parameters = _SMALL_NEO, description = "transformers' default sizes."),
    model("gptj_6b_qa", QUESTION_ANSWERING, parameters = _sizes(4096, 28, 16), smoke_parameters = _SMALL_J, description = "transformers' default sizes."),
]
