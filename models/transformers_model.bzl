"""transformers_model(): the declaration that the text models of Hugging Face's transformers share.

Beside it stand the parts that it takes: inputs and heads in `text`, parameters in `encoder` and `decoder`. Example, in
models/<family>/variants.bzl:

    MASKED_LM = transformers_model(
        "megatron_bert_lm",
        "Megatron-LM's BERT with a score for each word at each token.",
        family = "megatron_bert",
        parameters = [encoder.vocab_size(29056)] + encoder.widths + encoder.bert_tables + [encoder.sequence_length(128)],
        inputs = [text.ids, text.mask, text.segments],
        head = text.word_scores,
        checkpoint_extras = encoder.extras("bert", ["bert.pooler"]),
    )
    MODELS = sized_models({"megatron_bert_tiny": encoder.tiny, "megatron_bert_345m": encoder.large}, "_masked_lm", MASKED_LM)

A parameter has the name that it has in transformers' configuration.
"""

load("//defs:variants.bzl", "checkpoint_config", "checkpoint_extras", "config_key", "input", "integers", "model", "model_implementation", "output", "parameter", "prefix_mask", "segments")

_SOURCE = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/%s/modeling_%s.py"

def transformers_model(name, description, family, parameters, inputs, head, checkpoint_extras = None, checkpoint_configs = [], module = None, unit = "token", units_per_call = "batch*sequence_length"):
    """A model_implementation() whose source is transformers 5.23 and whose reference is models/<family>/reference.py.

    Args:
      name: of the implementation.
      description: one sentence.
      family: its folder.
      parameters: all of them, among them vocab_size and the lengths of rows.
      inputs: of forward.
      head: text.word_scores or another, or a text.head() of the family's own.
      checkpoint_extras: how published checkpoints differ from the model: checkpoint_extras() or encoder.extras().
      checkpoint_configs: what config.json says: transformers_config() or encoder.config() of each model_type.
      module: of transformers, modeling_<module>.py; None: the family.
      unit: what a call has many of.
      units_per_call: how many, by default its tokens.
    Returns:
      what model() takes.
    """
    if not hasattr(head, "outputs"):
        fail("transformers_model %r: head = %r; text.word_scores, text.next_word_scores() or text.head(outputs = [...]) is allowed" % (name, head))
    module = module or family
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = _SOURCE % (module, module),
        reference = "INDEPENDENT",
        reference_script = "models/%s/reference.py" % family,
        parameters = parameters,
        inputs = inputs,
        outputs = head.outputs,
        trainable = bool(head.targets),
        targets = head.targets,
        continuation = head.continuation,
        continued = head.continued,
        checkpoint_extras = checkpoint_extras,
        checkpoint_configs = checkpoint_configs,
        unit = unit,
        units_per_call = units_per_call,
    )

# Keys of every config.json that change no output of evaluation: names, tokens that begin or end a text, what training and
# generate() read.
_UNREAD = " ".join([
    "_attn_implementation _name_or_path architectures begin_suppress_tokens bos_token_id chunk_size_feed_forward",
    "cls_token_id decoder_start_token_id do_sample dtype early_stopping eos_token_id finetuning_task",
    "forced_bos_token_id forced_eos_token_id gradient_checkpointing id2label initializer_range label2id language",
    "length_penalty mask_token_id max_length min_length name name_or_path no_repeat_ngram_size num_beams",
    "num_return_sequences output_attentions output_hidden_states output_past pad_token_id prefix problem_type",
    "repetition_penalty return_dict sep_token_id suppress_tokens task_specific_params temperature tokenizer_class",
    "top_k top_p torch_dtype transformers_version unk_token_id use_cache",
]).split(" ")

# No family here is one of these, unless its table says otherwise.
_ONLY = {"add_cross_attention": [False], "is_decoder": [False], "is_encoder_decoder": [False], "pruned_heads": [{}], "tie_encoder_decoder": [False]}

def transformers_config(model_type, parameters, only = {}, constants = {}, unread = [], objects = []):
    """A checkpoint_config() for the config.json of a text model of transformers, with the keys that all of them have.

    Args:
      model_type: of the config.json.
      parameters: parameter -> its value in a file that does not say it, or a config_key().
      only: key -> the values that the code computes, as of checkpoint_config().
      constants: parameter -> its value, which no such file says.
      unread: keys of this model_type that do not change what evaluation and generation compute.
      objects: keys whose value is such a file of a part, "text_config".
    Returns:
      what transformers_model() takes in checkpoint_configs.
    """
    prefixes = [""] + [name + "." for name in objects]
    everywhere = {prefix + name: values for prefix in prefixes for name, values in _ONLY.items()}
    only = {name: values for name, values in dict(everywhere, **only).items() if name not in parameters and name not in unread}
    return checkpoint_config(model_type, parameters, only, constants, [prefix + name for prefix in prefixes for name in _UNREAD] + unread)

def sized_models(sizes, suffix, implementation, smoke_parameters = {"num_hidden_layers": 1, "sequence_length": 8, "vocab_size": 1000}, description = "", **more):
    """A model() of each size.

    Args:
      sizes: name -> parameters.
      suffix: of each model's name.
      implementation: a transformers_model().
      smoke_parameters: of each model; by default those of an encoder.
      description: of each model.
      **more: further parameters of each model.
    Returns:
      a list for MODELS.
    """
    return [
        model(name + suffix, implementation, parameters = dict(size, **more), smoke_parameters = smoke_parameters, description = description)
        for name, size in sizes.items()
    ]

_WORDS = integers(limit = "vocab_size")

def _tokens(name, distribution = _WORDS, length = "sequence_length"):
    """An input with an integer for each token: [batch, length]."""
    return input(name, shape = ["batch", length], dtype = "INT64", distribution = distribution)

def _number_of_a_row(name, limit):
    return input(name, shape = ["batch"], dtype = "INT64", distribution = integers(limit = limit))

def _head(outputs, targets = [], continuation = None, continued = ""):
    """A model of such layers. Every argument is a field of ModelImplementation; with targets the model has a loss."""
    return struct(outputs = outputs, targets = targets, continuation = continuation, continued = continued)

def _scores_of_words(length):
    return [output("logits", shape = ["batch", length, "vocab_size"])]

def _next_word_scores(words = _WORDS, of_decoder = False, trainable = True):
    """A score for each next word at each token; the model generates.

    Args:
      words: how they are drawn.
      of_decoder: whether there is an encoder as well, and the scores are of decoder_input_ids.
      trainable: whether the model has a loss.
    Returns:
      what transformers_model() takes as its head.
    """
    length = "decoder_length" if of_decoder else "sequence_length"
    return _head(
        outputs = _scores_of_words(length),
        targets = [_tokens("labels", words, length)] if trainable else [],
        continuation = _tokens("continuation_ids", words, "new_tokens-1"),
        continued = "decoder_input_ids" if of_decoder else "",
    )

def _decoder_ids(words = _WORDS):
    return _tokens("decoder_input_ids", words, "decoder_length")

text = struct(
    # Inputs.
    tokens = _tokens,
    ids = _tokens("input_ids"),
    mask = _tokens("attention_mask", prefix_mask()),
    segments = _tokens("token_type_ids", segments()),
    decoder_ids = _decoder_ids,
    # Heads. A score for each word at each token, and the words that the loss wants there.
    head = _head,
    word_scores = _head(outputs = _scores_of_words("sequence_length"), targets = [_tokens("labels")]),
    next_word_scores = _next_word_scores,
    # Scores of each token as an answer's first and as its last, and which ones they are.
    answer_scores = _head(
        outputs = [output(name, shape = ["batch", "sequence_length"]) for name in ["start_logits", "end_logits"]],
        targets = [_number_of_a_row(name, "sequence_length") for name in ["start_positions", "end_positions"]],
    ),
    # A score for each class of a row; goes with the parameter num_labels.
    class_scores = _head(
        outputs = [output("logits", shape = ["batch", "num_labels"])],
        targets = [_number_of_a_row("labels", "num_labels")],
    ),
    num_labels = parameter("num_labels", "integer", default = 2, maximum = 100000, description = "classes"),
    num_labels_key = config_key(["num_labels", "#id2label"], absent = 2),
)

def _encoder_vocab_size(default):
    return parameter("vocab_size", "integer", default = default, description = "tokens")

def _max_position_embeddings(default, description = "longest sequence, tokens"):
    return parameter("max_position_embeddings", "integer", default = default, description = description)

def _type_vocab_size(default):
    used = ", of which the first is used" if default == 1 else ""
    return parameter("type_vocab_size", "integer", default = default, description = "token types" + used)

def _layer_norm_eps(default):
    return parameter("layer_norm_eps", "real", default = default, minimum = 0.0, description = "added to the variance")

def _sequence_length(default, minimum = 1, maximum = 512, description = "tokens of each row"):
    return parameter("sequence_length", "integer", default = default, minimum = minimum, maximum = maximum, suffix = "s", description = description)

def _head_module(name, behind = "encoder"):
    """Which class of transformers reference.py builds; the code knows it from the implementation's name."""
    return parameter("head", "text", default = name, allowed = [name], description = "the module behind the " + behind)

def _encoder_extras(module, heads = [], buffers = ["position_ids"]):
    """Buffers of the embeddings, which transformers stored until 4.31, and heads of published files."""
    return checkpoint_extras(buffers = ["%s.embeddings.%s" % (module, name) for name in buffers], heads = heads)

def _encoder_config(model_type, parameters = {}, only = {}, constants = {}, unread = [], sizes = {}):
    """transformers_config() of encoder.widths and encoder.bert_tables; `sizes`: of a file without them, other than BERT's."""
    return transformers_config(
        model_type,
        dict(dict(_BERT_CONFIG, **sizes), **parameters),
        dict({"hidden_act": ["gelu"], "position_embedding_type": ["absolute"], "tie_word_embeddings": [True]}, **only),
        constants,
        ["attention_probs_dropout_prob", "classifier_dropout", "hidden_dropout_prob"] + unread,
    )

def _encoder_size(hidden_size, num_hidden_layers, num_attention_heads, intermediate_size, **more):
    """Values of encoder.widths and of others."""
    return dict(
        hidden_size = hidden_size,
        num_hidden_layers = num_hidden_layers,
        num_attention_heads = num_attention_heads,
        intermediate_size = intermediate_size,
        **more
    )

# BertConfig's defaults. A table has a row for each position.
_BERT_CONFIG = dict(
    vocab_size = 30522,
    max_position_embeddings = config_key(absent = 512, reaches = "sequence_length"),
    type_vocab_size = 2,
    layer_norm_eps = 1e-12,
    **_encoder_size(768, 12, 12, 3072)
)

encoder = struct(
    # Parameters.
    vocab_size = _encoder_vocab_size,
    widths = [
        parameter("hidden_size", "integer", description = "width of a token's vector"),
        parameter("num_hidden_layers", "integer", maximum = 1024, description = "encoder layers"),
        parameter("num_attention_heads", "integer", maximum = 1024, description = "heads; divides hidden_size"),
        parameter("intermediate_size", "integer", description = "width of the feed-forward layer"),
    ],
    max_position_embeddings = _max_position_embeddings,
    type_vocab_size = _type_vocab_size,
    layer_norm_eps = _layer_norm_eps,
    bert_tables = [_max_position_embeddings(512), _type_vocab_size(2), _layer_norm_eps(1e-12)],
    sequence_length = _sequence_length,
    is_decoder = parameter("is_decoder", "flag", default = False, description = "whether a token sees none behind it, and its scores are of the next word"),
    head_module = _head_module,
    # Tensors that published files hold beside the model.
    extras = _encoder_extras,
    # Keys of config.json.
    config = _encoder_config,
    summary = ["summary_activation", "summary_first_dropout", "summary_last_dropout", "summary_proj_to_labels", "summary_type", "summary_use_proj"],
    # Sizes.
    size = _encoder_size,
    tiny = _encoder_size(128, 2, 2, 512),
    base = _encoder_size(768, 12, 12, 3072),
    large = _encoder_size(1024, 24, 16, 4096),
)

def _decoder_vocab_size(default):
    return parameter("vocab_size", "integer", default = default, maximum = 1000000, description = "rows of the word embedding")

def _layer_norm_epsilon(default, description = "added to a variance"):
    return parameter("layer_norm_epsilon", "real", default = default, minimum = 0, maximum = 1, description = description)

def _prompt_length(maximum, minimum = 2):
    return _sequence_length(128, minimum, maximum, "tokens of a row; where it generates, of the prompt")

def _encoder_length(maximum):
    return _sequence_length(128, maximum = maximum, description = "tokens of a row of the encoder")

def _decoder_length(maximum):
    return parameter("decoder_length", "integer", default = 1, maximum = maximum, suffix = "t", description = "tokens of a row of the decoder; where it generates, of the prompt")

# Parameters.
decoder = struct(
    vocab_size = _decoder_vocab_size,
    max_position_embeddings = _max_position_embeddings,
    layer_norm_epsilon = _layer_norm_epsilon,
    # The first is for a decoder alone, the others are for an encoder and its decoder.
    sequence_length = _prompt_length,
    encoder_length = _encoder_length,
    decoder_length = _decoder_length,
)
