"""DeBERTa versions 2 and 3 as transformers' DebertaV2ForMaskedLM and DebertaV2ForQuestionAnswering build them: pure data."""

load("//defs:text_heads.bzl", "ANSWER_POSITIONS", "ANSWER_SCORES", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "integers", "model", "model_implementation", "parameter", "prefix_mask")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 128100, description = "tokens"),
    parameter("hidden_size", "integer", description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
    parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
    parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
    parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
    parameter("relative_attention", "flag", default = True, description = "whether scores know the distance of two tokens; if not, positions are added to the words"),
    parameter("position_buckets", "integer", default = 256, minimum = 4, description = "buckets of the distances in one direction"),
    parameter("conv_kernel_size", "integer", default = 0, minimum = 0, description = "tokens that the convolution beside the first layer sees; 0: there is none"),
    parameter("layer_norm_eps", "real", default = 1e-7, minimum = 0.0, description = "added to the variance"),
    parameter("sequence_length", "integer", default = 512, maximum = 512, suffix = "s", description = "tokens of each row"),
]

def _implementation(name, description, outputs, targets, heads, parameters = []):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/deberta_v2/modeling_deberta_v2.py",
        reference = "INDEPENDENT",
        reference_script = "models/deberta_v2/reference.py",
        parameters = _PARAMETERS + parameters,
        inputs = [
            tokens("input_ids", integers(limit = "vocab_size")),
            tokens("attention_mask", prefix_mask()),
        ],
        outputs = outputs,
        # transformers stored the buffer until 4.31. The heads are of the authors' own pre-training.
        checkpoint_extras = checkpoint_extras(
            buffers = ["deberta.embeddings.position_ids"],
            heads = ["lm_predictions", "mask_predictions"] + heads,
        ),
        trainable = True,
        targets = targets,
        unit = "token",
        units_per_call = "batch*sequence_length",
    )

MASKED_LM = _implementation(
    name = "deberta_v2_masked_lm",
    description = "DeBERTa (attention by content and by distance) with a score for each word at each token.",
    outputs = WORD_SCORES,
    targets = WORD_LABELS,
    heads = [],
)

QUESTION_ANSWERING = _implementation(
    name = "deberta_v2_question_answering",
    description = "DeBERTa with two scores at each token: that an answer begins there, and that it ends there.",
    # Which class of transformers reference.py builds; the code knows it from the implementation's name.
    parameters = [parameter("head", "text", default = "qa_outputs", allowed = ["qa_outputs"], description = "the module behind the encoder")],
    outputs = ANSWER_SCORES,
    targets = ANSWER_POSITIONS,
    heads = ["cls"],
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

# With 8 buckets the distances from 5 on share some, so that rows of 8 tokens try the logarithm. The longest of 83 is at the
# edge of what puts a distance of 11, which rows of 16 tokens have, into the next bucket.
_TINY = {
    "conv_kernel_size": 3,
    "hidden_size": 64,
    "intermediate_size": 256,
    "max_position_embeddings": 84,
    "num_attention_heads": 2,
    "num_hidden_layers": 2,
    "position_buckets": 8,
    "vocab_size": 1000,
}

# microsoft/deberta-v3-{xsmall,small,base,large} and microsoft/deberta-v2-{xlarge,xxlarge}.
_SIZES = {
    "deberta_v3_xsmall": {"hidden_size": 384, "num_hidden_layers": 12, "num_attention_heads": 6, "intermediate_size": 1536},
    "deberta_v3_small": {"hidden_size": 768, "num_hidden_layers": 6, "num_attention_heads": 12, "intermediate_size": 3072},
    "deberta_v3_base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "deberta_v3_large": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
    "deberta_v2_xlarge": {"hidden_size": 1536, "num_hidden_layers": 24, "num_attention_heads": 24, "intermediate_size": 6144, "conv_kernel_size": 3},
    "deberta_v2_xxlarge": {"hidden_size": 1536, "num_hidden_layers": 48, "num_attention_heads": 24, "intermediate_size": 6144, "conv_kernel_size": 3},
    # What DebertaV2Config() is without settings, and so what TorchDynamo's benchmarks build: no distances, no convolution.
    "deberta_v2_absolute": {"hidden_size": 1536, "num_hidden_layers": 24, "num_attention_heads": 24, "intermediate_size": 6144, "relative_attention": False},
}

def _models(implementation, suffix, tiny, published):
    return [
        model(name + suffix, implementation, parameters = size, smoke_parameters = _SMALL)
        for name, size in list(tiny.items()) + [(name, _SIZES[name]) for name in published]
    ]

MASKED_LMS = _models(MASKED_LM, "_masked_lm", {
    "deberta_v2_tiny": _TINY,
    "deberta_v2_tiny_absolute": dict(_TINY, conv_kernel_size = 0, relative_attention = False),
}, _SIZES)

QUESTION_ANSWERERS = _models(
    QUESTION_ANSWERING,
    "_qa",
    {"deberta_v2_tiny": _TINY},
    ["deberta_v3_base", "deberta_v2_xlarge", "deberta_v2_absolute"],
)

MODELS = MASKED_LMS + QUESTION_ANSWERERS
