"""BERT as transformers' BertModel and its classes with a head build it: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "output", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

_BUFFERS = ["position_ids", "token_type_ids"]

# The files of BERT's authors describe the pooler. Only a model with scores of words has a tie.
_UNREAD = ["directionality", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers", "pooler_size_per_head", "pooler_type"]
_UNTIED = ["tie_word_embeddings"]

def _implementation(name, description, head, extras, parameters = [], config = {}, constants = {}, unread = _UNTIED):
    return transformers_model(
        name,
        description,
        family = "bert",
        parameters = [encoder.vocab_size(30522)] + encoder.widths + encoder.bert_tables + [encoder.sequence_length(128)] + parameters,
        inputs = [text.ids, text.mask, text.segments],
        head = head,
        checkpoint_extras = extras,
        checkpoint_configs = [encoder.config("bert", config, constants = constants, unread = _UNREAD + unread)],
    )

IMPLEMENTATION = _implementation(
    "bert",
    "Encoder of BERT (post-layer-norm transformer) with pooler: token ids, mask and token types in, sequence and pooled output out.",
    text.head(outputs = [
        output("last_hidden_state", shape = ["batch", "sequence_length", "hidden_size"]),
        output("pooler_output", shape = ["batch", "hidden_size"]),
    ]),
    # The heads are those of transformers' Bert...For... classes.
    checkpoint_extras(
        buffers = ["embeddings." + name for name in _BUFFERS],
        heads = ["cls", "classifier", "qa_outputs"],
    ),
)

MASKED_LM = _implementation(
    "bert_masked_lm",
    "BERT with a score for each word at each token, whose weight is the embedding's.",
    text.word_scores,
    # Published checkpoints also have the pooler and the head that tells whether a sentence follows another.
    encoder.extras("bert", ["bert.pooler", "cls.seq_relationship"], _BUFFERS),
    [parameter("tie_word_embeddings", "flag", default = True, description = "whether the scores' weight is the embedding's")],
    {"tie_word_embeddings": True},
    unread = [],
)

QUESTION_ANSWERING = _implementation(
    "bert_question_answering",
    "BERT with two scores at each token: that an answer begins there, and that it ends there.",
    text.answer_scores,
    encoder.extras("bert", ["bert.pooler", "cls"], _BUFFERS),
    [encoder.head_module("qa_outputs")],
    constants = {"head": "qa_outputs"},
)

SEQUENCE_CLASSIFICATION = _implementation(
    "bert_sequence_classification",
    "BERT with a score for each class of a row.",
    text.class_scores,
    encoder.extras("bert", ["cls"], _BUFFERS),
    [encoder.head_module("classifier"), text.num_labels],
    {"num_labels": text.num_labels_key},
    {"head": "classifier"},
)

# google/bert_uncased_L-2_H-128_A-2, bert-base-uncased and bert-large-uncased.
_SIZES = {"bert_tiny": encoder.tiny, "bert_base": encoder.base, "bert_large": encoder.large}

ENCODERS = sized_models(_SIZES, "", IMPLEMENTATION)

MASKED_LMS = sized_models(_SIZES, "_masked_lm", MASKED_LM)

QUESTION_ANSWERERS = sized_models(_SIZES, "_qa", QUESTION_ANSWERING)

SEQUENCE_CLASSIFIERS = sized_models(_SIZES, "_sequence_classification", SEQUENCE_CLASSIFICATION)

MODELS = ENCODERS + MASKED_LMS + QUESTION_ANSWERERS + SEQUENCE_CLASSIFIERS
