"""DistilBERT as transformers' classes with a head build it: pure data."""

load("//defs:text_heads.bzl", "ANSWER_POSITIONS", "ANSWER_SCORES", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "model_implementation", "parameter", "prefix_mask")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 30522, description = "tokens"),
    parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
    parameter("dim", "integer", default = 768, description = "width of a token's vector"),
    parameter("n_layers", "integer", default = 6, maximum = 1024, description = "layers"),
    parameter("n_heads", "integer", default = 12, maximum = 1024, description = "heads; divides dim"),
    parameter("hidden_dim", "integer", default = 3072, description = "width of the feed-forward layer"),
    parameter("sequence_length", "integer", default = 128, maximum = 512, suffix = "s", description = "tokens of each row"),
]

# Which class of transformers reference.py builds; the code knows it from the implementation's name.
def _implementation(name, description, head, outputs, targets, heads):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/distilbert/modeling_distilbert.py",
        reference = "INDEPENDENT",
        reference_script = "models/distilbert/reference.py",
        parameters = _PARAMETERS + [parameter("head", "text", default = head, allowed = [head], description = "the module behind the layers")],
        inputs = [tokens("input_ids", integers(limit = "vocab_size")), tokens("attention_mask", prefix_mask())],
        outputs = outputs,
        # transformers stored the buffer until 4.31.
        checkpoint_extras = checkpoint_extras(
            buffers = ["distilbert.embeddings.position_ids"],
            heads = heads,
        ),
        trainable = True,
        targets = targets,
        unit = "token",
        units_per_call = "batch*sequence_length",
    )

MASKED_LM = _implementation(
    name = "distilbert_masked_lm",
    description = "DistilBERT with a score for each word at each token, whose weight is the embedding's.",
    head = "masked_lm",
    outputs = WORD_SCORES,
    targets = WORD_LABELS,
    heads = [],
)

QUESTION_ANSWERING = _implementation(
    name = "distilbert_question_answering",
    description = "DistilBERT with two scores at each token: that an answer begins there, and that it ends there.",
    head = "qa_outputs",
    outputs = ANSWER_SCORES,
    targets = ANSWER_POSITIONS,
    heads = ["vocab_transform", "vocab_layer_norm", "vocab_projector"],
)

_SMALL = {"n_layers": 1, "sequence_length": 8, "vocab_size": 1000}

# distilbert-base-uncased and -cased, and their multilingual sister.
_SIZES = {
    "distilbert_tiny": {"dim": 128, "n_layers": 2, "n_heads": 2, "hidden_dim": 512, "vocab_size": 1000},
    "distilbert_base": {},
    "distilbert_base_cased": {"vocab_size": 28996},
    "distilbert_base_multilingual": {"vocab_size": 119547},
}

def _models(suffix, implementation):
    return [model(name + suffix, implementation, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]

MASKED_LMS = _models("_masked_lm", MASKED_LM)

QUESTION_ANSWERERS = _models("_qa", QUESTION_ANSWERING)

MODELS = MASKED_LMS + QUESTION_ANSWERERS
