"""MobileBERT as transformers' MobileBertForMaskedLM and MobileBertForQuestionAnswering build it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

_PARAMETERS = [
    encoder.vocab_size(30522),
    parameter("embedding_size", "integer", default = 128, description = "width of a word's vector; less than hidden_size"),
    parameter("hidden_size", "integer", default = 512, description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", default = 24, maximum = 1024, description = "encoder layers"),
    parameter("num_attention_heads", "integer", default = 4, maximum = 1024, description = "heads; divides intra_bottleneck_size"),
    parameter("intermediate_size", "integer", default = 512, description = "width of the feed-forward layers"),
    parameter("intra_bottleneck_size", "integer", default = 128, description = "width of a token within a layer"),
    parameter("num_feedforward_networks", "integer", default = 4, maximum = 64, description = "feed-forward networks of a layer"),
] + encoder.bert_tables + [encoder.sequence_length(128, minimum = 2)]

def _implementation(name, description, head, heads, parameters = []):
    return transformers_model(
        name,
        description,
        family = "mobilebert",
        parameters = _PARAMETERS + parameters,
        inputs = [text.ids, text.mask, text.segments],
        head = head,
        # The published checkpoint is of the pre-training class: it has a pooler and both heads.
        checkpoint_extras = encoder.extras("mobilebert", ["mobilebert.pooler"] + heads),
    )

MASKED_LM = _implementation(
    "mobilebert_masked_lm",
    "MobileBERT (thin layers between bottlenecks, without norms) with a score for each word at each token.",
    text.word_scores,
    ["cls.seq_relationship"],
)

QUESTION_ANSWERING = _implementation(
    "mobilebert_question_answering",
    "MobileBERT with two scores at each token: that an answer begins there, and that it ends there.",
    text.answer_scores,
    ["cls"],
    [encoder.head_module("qa_outputs")],
)

_TINY = encoder.size(64, 2, 2, 64, embedding_size = 32, intra_bottleneck_size = 32, num_feedforward_networks = 2, vocab_size = 1000)

# The second is google/mobilebert-uncased.
_SIZES = {"mobilebert_tiny": _TINY, "mobilebert": {}}

MASKED_LMS = sized_models(_SIZES, "_masked_lm", MASKED_LM)

QUESTION_ANSWERERS = sized_models(_SIZES, "_qa", QUESTION_ANSWERING)

MODELS = MASKED_LMS + QUESTION_ANSWERERS
