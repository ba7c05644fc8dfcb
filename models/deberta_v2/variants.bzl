"""DeBERTa versions 2 and 3 as transformers' DebertaV2ForMaskedLM and DebertaV2ForQuestionAnswering build them: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

_PARAMETERS = [encoder.vocab_size(128100)] + encoder.widths + [
    encoder.max_position_embeddings(512),
    parameter("relative_attention", "flag", default = True, description = "whether scores know the distance of two tokens; if not, positions are added to the words"),
    parameter("position_buckets", "integer", default = 256, minimum = 4, description = "buckets of the distances in one direction"),
    parameter("conv_kernel_size", "integer", default = 0, minimum = 0, description = "tokens that the convolution beside the first layer sees; 0: there is none"),
    encoder.layer_norm_eps(1e-7),
    encoder.sequence_length(512),
]

def _implementation(name, description, head, heads = [], parameters = []):
    return transformers_model(
        name,
        description,
        family = "deberta_v2",
        parameters = _PARAMETERS + parameters,
        inputs = [text.ids, text.mask],
        head = head,
        # The heads are of the authors' own pre-training.
        checkpoint_extras = encoder.extras("deberta", ["lm_predictions", "mask_predictions"] + heads),
    )

MASKED_LM = _implementation(
    "deberta_v2_masked_lm",
    "DeBERTa (attention by content and by distance) with a score for each word at each token.",
    text.word_scores,
)

QUESTION_ANSWERING = _implementation(
    "deberta_v2_question_answering",
    "DeBERTa with two scores at each token: that an answer begins there, and that it ends there.",
    text.answer_scores,
    ["cls"],
    [encoder.head_module("qa_outputs")],
)

# With 8 buckets the distances from 5 on share some, so that rows of 8 tokens try the logarithm. The longest of 83 is at the
# edge of what puts a distance of 11, which rows of 16 tokens have, into the next bucket.
_TINY = encoder.size(64, 2, 2, 256, conv_kernel_size = 3, max_position_embeddings = 84, position_buckets = 8, vocab_size = 1000)
_TINIES = {"deberta_v2_tiny": _TINY, "deberta_v2_tiny_absolute": dict(_TINY, conv_kernel_size = 0, relative_attention = False)}

_XLARGE = encoder.size(1536, 24, 24, 6144)

# microsoft/deberta-v3-{xsmall,small,base,large} and microsoft/deberta-v2-{xlarge,xxlarge}.
_SIZES = {
    "deberta_v3_xsmall": encoder.size(384, 12, 6, 1536),
    "deberta_v3_small": encoder.size(768, 6, 12, 3072),
    "deberta_v3_base": encoder.base,
    "deberta_v3_large": encoder.large,
    "deberta_v2_xlarge": dict(_XLARGE, conv_kernel_size = 3),
    "deberta_v2_xxlarge": dict(_XLARGE, conv_kernel_size = 3, num_hidden_layers = 48),
    # What DebertaV2Config() is without settings, and so what TorchDynamo's benchmarks build: no distances, no convolution.
    "deberta_v2_absolute": dict(_XLARGE, relative_attention = False),
}

_ANSWERING = ["deberta_v2_tiny", "deberta_v3_base", "deberta_v2_xlarge", "deberta_v2_absolute"]

MASKED_LMS = sized_models(dict(_TINIES, **_SIZES), "_masked_lm", MASKED_LM)

QUESTION_ANSWERERS = sized_models({name: dict(_TINIES, **_SIZES)[name] for name in _ANSWERING}, "_qa", QUESTION_ANSWERING)

MODELS = MASKED_LMS + QUESTION_ANSWERERS
