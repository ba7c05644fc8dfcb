"""MobileBERT as transformers' MobileBertForMaskedLM and MobileBertForQuestionAnswering build it: pure data."""

load("//defs:text_heads.bzl", "ANSWER_POSITIONS", "ANSWER_SCORES", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "model_implementation", "parameter", "prefix_mask", "segments")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 30522, description = "tokens"),
    parameter("embedding_size", "integer", default = 128, description = "width of a word's vector; less than hidden_size"),
    parameter("hidden_size", "integer", default = 512, description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", default = 24, maximum = 1024, description = "encoder layers"),
    parameter("num_attention_heads", "integer", default = 4, maximum = 1024, description = "heads; divides intra_bottleneck_size"),
    parameter("intermediate_size", "integer", default = 512, description = "width of the feed-forward layers"),
    parameter("intra_bottleneck_size", "integer", default = 128, description = "width of a token within a layer"),
    parameter("num_feedforward_networks", "integer", default = 4, maximum = 64, description = "feed-forward networks of a layer"),
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
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/mobilebert/modeling_mobilebert.py",
        reference = "INDEPENDENT",
        reference_script = "models/mobilebert/reference.py",
        parameters = _PARAMETERS + parameters,
        inputs = [
            tokens("input_ids", integers(limit = "vocab_size")),
            tokens("attention_mask", prefix_mask()),
            tokens("token_type_ids", segments()),
        ],
        outputs = outputs,
        # The published checkpoint is of the pre-training class: it has a pooler and both heads.
        checkpoint_extras = checkpoint_extras(
            buffers = ["mobilebert.embeddings.position_ids"],
            heads = ["mobilebert.pooler"] + heads,
        ),
        trainable = True,
        targets = targets,
        unit = "token",
        units_per_call = "batch*sequence_length",
    )

MASKED_LM = _implementation(
    name = "mobilebert_masked_lm",
    description = "MobileBERT (thin layers between bottlenecks, without norms) with a score for each word at each token.",
    outputs = WORD_SCORES,
    targets = WORD_LABELS,
    heads = ["cls.seq_relationship"],
)

QUESTION_ANSWERING = _implementation(
    name = "mobilebert_question_answering",
    description = "MobileBERT with two scores at each token: that an answer begins there, and that it ends there.",
    # Which class of transformers reference.py builds; the code knows it from the implementation's name.
    parameters = [parameter("head", "text", default = "qa_outputs", allowed = ["qa_outputs"], description = "the module behind the encoder")],
    outputs = ANSWER_SCORES,
    targets = ANSWER_POSITIONS,
    heads = ["cls"],
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

_TINY = {
    "embedding_size": 32,
    "hidden_size": 64,
    "intermediate_size": 64,
    "intra_bottleneck_size": 32,
    "num_attention_heads": 2,
    "num_feedforward_networks": 2,
    "num_hidden_layers": 2,
    "vocab_size": 1000,
}

def _models(implementation, suffix):
    return [
        model("mobilebert_tiny" + suffix, implementation, parameters = _TINY, smoke_parameters = _SMALL),
        # google/mobilebert-uncased.
        model("mobilebert" + suffix, implementation, smoke_parameters = _SMALL),
    ]

MASKED_LMS = _models(MASKED_LM, "_masked_lm")

QUESTION_ANSWERERS = _models(QUESTION_ANSWERING, "_qa")

MODELS = MASKED_LMS + QUESTION_ANSWERERS
