"""BigBird as transformers' BigBirdForMaskedLM builds it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

IMPLEMENTATION = transformers_model(
    "bigbird_masked_lm",
    "BigBird (attention to blocks of neighbours, to the first and last block and to random ones) with a score for each word.",
    family = "bigbird",
    module = "big_bird",
    parameters = [encoder.vocab_size(50358)] + encoder.widths + [
        parameter("block_size", "integer", default = 64, maximum = 4096, description = "tokens of a block"),
        parameter("num_random_blocks", "integer", default = 3, maximum = 64, description = "random blocks that a block sees; in evaluation each is the first block"),
        encoder.max_position_embeddings(4096),
        encoder.type_vocab_size(2),
        encoder.layer_norm_eps(1e-12),
        encoder.sequence_length(1024, maximum = 4096, description = "tokens of each row, more than (5+2*num_random_blocks)*block_size"),
    ],
    inputs = [text.ids, text.mask, text.segments],
    head = text.word_scores,
    checkpoint_extras = encoder.extras("bert", ["cls.seq_relationship"], ["position_ids", "token_type_ids"]),
)

_SMALL = {"block_size": 4, "num_hidden_layers": 1, "num_random_blocks": 2, "sequence_length": 37, "vocab_size": 1000}

# google/bigbird-roberta-base and google/bigbird-roberta-large.
_SIZES = {
    "bigbird_tiny": encoder.size(64, 2, 2, 256, block_size = 4, max_position_embeddings = 64, num_random_blocks = 2, sequence_length = 37, vocab_size = 256),
    "bigbird_base": encoder.base,
    "bigbird_large": encoder.large,
}

MODELS = sized_models(_SIZES, "_masked_lm", IMPLEMENTATION, _SMALL)
