"""BERT encoders as transformers' BertModel builds them: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "input", "integers", "model", "model_implementation", "output", "parameter", "prefix_mask", "segments")

IMPLEMENTATION = model_implementation(
    name = "bert",
    description = "Encoder of BERT (post-layer-norm transformer) with pooler: token ids, mask and token types in, sequence and pooled output out.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/bert/modeling_bert.py",
    reference = "INDEPENDENT",
    reference_script = "models/bert/reference.py",
    parameters = [
        parameter("vocab_size", "integer", default = 30522, description = "tokens"),
        parameter("hidden_size", "integer", description = "width of a token's vector"),
        parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
        parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
        parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
        parameter("max_position_embeddings", "integer", default = 512, description = "longest sequence, tokens"),
        parameter("type_vocab_size", "integer", default = 2, description = "token types"),
        parameter("layer_norm_eps", "real", default = 1e-12, minimum = 0.0, description = "added to the variance"),
        parameter("sequence_length", "integer", default = 128, maximum = 512, suffix = "s", description = "tokens of each row"),
    ],
    inputs = [
        input("input_ids", shape = ["batch", "sequence_length"], dtype = "INT64", distribution = integers(limit = "vocab_size")),
        input("attention_mask", shape = ["batch", "sequence_length"], dtype = "INT64", distribution = prefix_mask()),
        input("token_type_ids", shape = ["batch", "sequence_length"], dtype = "INT64", distribution = segments()),
    ],
    outputs = [
        output("last_hidden_state", shape = ["batch", "sequence_length", "hidden_size"]),
        output("pooler_output", shape = ["batch", "hidden_size"]),
    ],
    # transformers stored the buffers until 4.31 and reads neither; the heads are those of its Bert...For... classes.
    checkpoint_extras = checkpoint_extras(
        buffers = ["embeddings.position_ids", "embeddings.token_type_ids"],
        heads = ["cls", "classifier", "qa_outputs"],
    ),
)

_SMALL = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}

MODELS = [
    model(
        "bert_base",
        IMPLEMENTATION,
        parameters = {"hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072},
        smoke_parameters = _SMALL,
    ),
    model(
        "bert_large",
        IMPLEMENTATION,
        parameters = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096},
        smoke_parameters = _SMALL,
    ),
]
