"""BERT as transformers' BertModel and its classes with a head build it: pure data."""

load("//defs:text_heads.bzl", "ANSWER_POSITIONS", "ANSWER_SCORES", "WORD_LABELS", "WORD_SCORES", "tokens")
load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter", "prefix_mask", "segments")

_PARAMETERS = [
    parameter("vocab_size", "integer", default = 30522, description = "tokens"),
    parameter("hidden_size", "integer", description = "width of a token's vector"),
    parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
    parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
    parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
    parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
    parameter("type_vocab_size", "integer", default = 2, description = "token types"),
    parameter("layer_norm_eps", "real", default = 1e-12, minimum = 0.0, description = "added to the variance"),
    parameter("sequence_length", "integer", default = 128, maximum = 512, suffix = "s", description = "tokens of each row"),
]

def _implementation(name, description, outputs, extras, parameters = [], **kwargs):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/bert/modeling_bert.py",
        reference = "INDEPENDENT",
        reference_script = "models/bert/reference.py",
        parameters = _PARAMETERS + parameters,
        inputs = [
            tokens("input_ids", integers(limit = "vocab_size")),
            tokens("attention_mask", prefix_mask()),
            tokens("token_type_ids", segments()),
        ],
        outputs = outputs,
        checkpoint_extras = extras,
        unit = "token",
        units_per_call = "batch*sequence_length",
        **kwargs
    )

IMPLEMENTATION = _implementation(
    name = "bert",
    description = "Encoder of BERT (post-layer-norm transformer) with pooler: token ids, mask and token types in, sequence and pooled output out.",
    outputs = [
        output("last_hidden_state", shape = ["batch", "sequence_length", "hidden_size"]),
        output("pooler_output", shape = ["batch", "hidden_size"]),
    ],
    # transformers stored the buffers until 4.31 and reads neither; the heads are those of its Bert...For... classes.
    extras = checkpoint_extras(
        buffers = ["embeddings.position_ids", "embeddings.token_type_ids"],
        heads = ["cls", "classifier", "qa_outputs"],
    ),
)

# Of the encoder, in the files of a class with a head.
_BUFFERS_BEHIND_A_HEAD = ["bert.embeddings.position_ids", "bert.embeddings.token_type_ids"]

MASKED_LM = _implementation(
    name = "bert_masked_lm",
    description = "BERT with a score for each word at each token, whose weight is the embedding's.",
    parameters = [parameter("tie_word_embeddings", "flag", default = True, description = "whether the scores' weight is the embedding's")],
    outputs = WORD_SCORES,
    # Published checkpoints also have the pooler and the head that tells whether a sentence follows another.
    extras = checkpoint_extras(
        buffers = _BUFFERS_BEHIND_A_HEAD,
        heads = ["bert.pooler", "cls.seq_relationship"],
    ),
    trainable = True,
    targets = WORD_LABELS,
)

# Which class of transformers reference.py builds; the code knows it from the implementation's name.
def _head(name):
    return parameter("head", "text", default = name, allowed = [name], description = "the module behind the encoder")

QUESTION_ANSWERING = _implementation(
    name = "bert_question_answering",
    description = "BERT with two scores at each token: that an answer begins there, and that it ends there.",
    parameters = [_head("qa_outputs")],
    outputs = ANSWER_SCORES,
    extras = checkpoint_extras(
        buffers = _BUFFERS_BEHIND_A_HEAD,
        heads = ["bert.pooler", "cls"],
    ),
    trainable = True,
    targets = ANSWER_POSITIONS,
)

SEQUENCE_CLASSIFICATION = _implementation(
    name = "bert_sequence_classification",
    description = "BERT with a score for each class of a row.",
    parameters = [
        _head("classifier"),
        parameter("num_labels", "integer", default = 2, maximum = 100000, description = "classes"),
    ],
    outputs = [output("logits", shape = ["batch", "num_labels"])],
    extras = checkpoint_extras(
        buffers = _BUFFERS_BEHIND_A_HEAD,
        heads = ["cls"],
    ),
    trainable = True,
    targets = [input("labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "num_labels"))],
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

# google/bert_uncased_L-2_H-128_A-2, bert-base-uncased and bert-large-uncased.
_SIZES = {
    "bert_tiny": {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512},
    "bert_base": {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
    "bert_large": {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
}

ENCODERS = [model(name, IMPLEMENTATION, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]

MASKED_LMS = [model(name + "_masked_lm", MASKED_LM, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]

QUESTION_ANSWERERS = [model(name + "_qa", QUESTION_ANSWERING, parameters = size, smoke_parameters = _SMALL) for name, size in _SIZES.items()]

SEQUENCE_CLASSIFIERS = [
    model(name + "_sequence_classification", SEQUENCE_CLASSIFICATION, parameters = size, smoke_parameters = _SMALL)
    for name, size in _SIZES.items()
]

MODELS = ENCODERS + MASKED_LMS + QUESTION_ANSWERERS + SEQUENCE_CLASSIFIERS
