"""ConvBERT as transformers' ConvBertForMaskedLM builds it: pure data."""

load("//defs:variants.bzl", "parameter")
load("//models:transformers_model.bzl", "encoder", "sized_models", "text", "transformers_model")

IMPLEMENTATION = transformers_model(
    "convbert_masked_lm",
    "ConvBERT (attention beside convolutions whose kernels depend on the tokens) with a score for each word at each token.",
    family = "convbert",
    parameters = [
        encoder.vocab_size(30522),
        parameter("embedding_size", "integer", description = "width of a word's vector; a projection follows if it is not hidden_size"),
        parameter("hidden_size", "integer", description = "width of a token's vector"),
        parameter("num_hidden_layers", "integer", default = 12, maximum = 1024, description = "encoder layers"),
        parameter("num_attention_heads", "integer", maximum = 1024, description = "heads before convolutions take the place of some; divides hidden_size"),
        parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
        parameter("head_ratio", "integer", default = 2, description = "of how many heads one is left; divides num_attention_heads"),
        parameter("conv_kernel_size", "integer", default = 9, description = "tokens that a convolution sees; odd"),
        parameter("num_groups", "integer", default = 1, description = "parts that the feed-forward layer treats apart; divides its widths"),
    ] + encoder.bert_tables + [encoder.sequence_length(512)],
    inputs = [text.ids, text.mask, text.segments],
    head = text.word_scores,
    # The authors trained a discriminator beside the generator.
    checkpoint_extras = encoder.extras("convbert", ["discriminator_predictions"], ["position_ids", "token_type_ids"]),
)

# Kernels of 5 tokens, so that rows of 8 have tokens with all of their neighbours.
_TINY = encoder.size(64, 2, 4, 256, conv_kernel_size = 5, embedding_size = 64, vocab_size = 1000)

# YituTech/conv-bert-{small,medium-small,base}.
_SIZES = {
    "convbert_tiny": _TINY,
    "convbert_tiny_grouped": dict(_TINY, embedding_size = 32, num_groups = 2),
    "convbert_small": {"embedding_size": 128, "hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 1024},
    "convbert_medium_small": {"embedding_size": 128, "hidden_size": 384, "num_attention_heads": 8, "intermediate_size": 1536, "num_groups": 2},
    "convbert_base": {"embedding_size": 768, "hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072},
}

MODELS = sized_models(_SIZES, "_masked_lm", IMPLEMENTATION)
