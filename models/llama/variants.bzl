"""Decoders of Llama's kind as transformers builds them: pure data, with the names of their config.json."""

load("//defs:variants.bzl", "checkpoint_extras", "config_key", "model", "parameter", "prefix_mask")
load("//models:transformers_model.bzl", "decoder", "text", "transformers_config", "transformers_model")

_PARAMETERS = [
    parameter("model_type", "text", allowed = ["llama", "mistral", "qwen3", "gemma2", "gemma3", "mixtral", "gpt_oss"], description = "whose block: norms, activation, experts"),
    parameter("vocab_size", "integer", maximum = 1000000, description = "rows of the word embedding"),
    parameter("hidden_size", "integer", description = "features of a token"),
    parameter("intermediate_size", "integer", description = "features inside the feed-forward half, of one expert where there are several"),
    parameter("num_hidden_layers", "integer", maximum = 1024, description = "blocks"),
    parameter("num_attention_heads", "integer", maximum = 1024, description = "heads of queries"),
    parameter("num_key_value_heads", "integer", maximum = 1024, description = "heads of keys and values; they divide num_attention_heads"),
    parameter("head_dim", "integer", maximum = 4096, description = "features of a head, an even number"),
    parameter("max_position_embeddings", "integer", default = 2048, maximum = 10000000, description = "tokens that the published model was trained for; no tensor depends on it"),
    parameter("rms_norm_eps", "real", default = 1e-5, minimum = 0, maximum = 1, description = "added to a mean square"),
    parameter("rope_theta", "real", default = 10000, minimum = 1, maximum = 1e12, description = "base of the rotary frequencies"),
    parameter("rope_type", "text", default = "default", allowed = ["default", "linear", "llama3", "yarn"], description = "how the frequencies are scaled"),
    parameter("factor", "real", default = 1, minimum = 1, maximum = 1000000, description = "by which rope_type divides low frequencies"),
    parameter("low_freq_factor", "real", default = 1, minimum = 0, maximum = 1000000, description = "of llama3: wavelengths beyond original_max_position_embeddings / this are divided"),
    parameter("high_freq_factor", "real", default = 4, minimum = 0, maximum = 1000000, description = "of llama3: wavelengths below original_max_position_embeddings / this are kept"),
    parameter("original_max_position_embeddings", "integer", default = 8192, maximum = 10000000, description = "of llama3 and yarn: tokens of the first training"),
    parameter("rope_local_base_freq", "real", default = 10000, minimum = 1, maximum = 1e12, description = "of gemma3: rope_theta of the layers with a window"),
    parameter("sliding_window", "integer", default = 0, minimum = 0, maximum = 10000000, description = "keys that a token sees at most; 0: all"),
    parameter("sliding_window_pattern", "integer", default = 0, minimum = 0, maximum = 1024, description = "each layer of this number has no window; 0: all layers have one"),
    parameter("query_pre_attn_scalar", "integer", default = 0, minimum = 0, maximum = 1000000, description = "scores are divided by its root; 0: head_dim"),
    parameter("attn_logit_softcapping", "real", default = 0, minimum = 0, maximum = 1000000, description = "scores of attention stay below; 0: no cap"),
    parameter("final_logit_softcapping", "real", default = 0, minimum = 0, maximum = 1000000, description = "logits stay below; 0: no cap"),
    parameter("attention_bias", "flag", default = False, description = "whether attention's projections have biases"),
    parameter("tie_word_embeddings", "flag", default = False, description = "whether the scores' weight is the embedding's"),
    parameter("num_local_experts", "integer", default = 8, maximum = 4096, description = "of mixtral and gpt_oss: experts of a layer"),
    parameter("num_experts_per_tok", "integer", default = 2, maximum = 4096, description = "of mixtral and gpt_oss: those that a token goes through"),
    decoder.sequence_length(maximum = 1000000),
]

def _scaling(name, absent, **more):
    """A key of rope_parameters, which was called rope_scaling until transformers 5."""
    return config_key(["rope_parameters." + name, "rope_scaling." + name], absent = absent, **more)

# Most classes of transformers take these values of a file without the key.
_CONFIG = {
    "vocab_size": None,
    "hidden_size": None,
    "intermediate_size": None,
    "num_hidden_layers": None,
    "num_attention_heads": None,
    "max_position_embeddings": None,
    "num_key_value_heads": config_key(quotient = "num_attention_heads"),
    "head_dim": config_key(quotient = "hidden_size/num_attention_heads"),
    "rms_norm_eps": 1e-6,
    "tie_word_embeddings": False,
    "rope_theta": config_key(["rope_parameters.rope_theta", "rope_theta"], absent = 10000.0),
    # yarn is gpt-oss's, which does not round the ends of its ramp.
    "rope_type": config_key(
        ["rope_parameters.rope_type", "rope_scaling.rope_type", "rope_scaling.type"],
        absent = "default",
        only = ["default", "linear", "llama3"],
    ),
    "factor": _scaling("factor", 1.0),
    "low_freq_factor": _scaling("low_freq_factor", 1.0),
    "high_freq_factor": _scaling("high_freq_factor", 4.0),
    "original_max_position_embeddings": _scaling("original_max_position_embeddings", 8192),
}

# A class without the key computes these.
_CONSTANTS = {
    "attention_bias": False,
    "attn_logit_softcapping": 0.0,
    "final_logit_softcapping": 0.0,
    "num_experts_per_tok": 2,
    "num_local_experts": 8,
    "query_pre_attn_scalar": 0,
    "rope_local_base_freq": 10000.0,
    "sliding_window": 0,
    "sliding_window_pattern": 0,
}

def _config(model_type, parameters = {}, only = {}, unread = []):
    set = dict(_CONFIG, **parameters)
    return transformers_config(
        model_type,
        set,
        dict({"rope_parameters.partial_rotary_factor": [1.0]}, **only),
        {name: value for name, value in dict(_CONSTANTS, model_type = model_type.replace("_text", "")).items() if name not in set},
        # A class leaves out what another one of the family reads.
        ["attention_bias", "attention_dropout", "cache_implementation", "num_experts_per_tok", "num_local_experts", "sliding_window"] + unread,
    )

_SILU = {"hidden_act": ["silu"]}
_ROUTER = ["output_router_logits", "router_aux_loss_coef", "router_jitter_noise"]

def _gemma(capped_attention, capped_words, period, older = []):
    """The keys that Gemma's two classes share: caps and period of a file without them, and older keys of the period."""
    return {
        "attention_bias": False,
        "attn_logit_softcapping": config_key(absent = capped_attention, null = 0.0),
        "final_logit_softcapping": config_key(absent = capped_words, null = 0.0),
        "query_pre_attn_scalar": 256,
        "sliding_window": config_key(absent = 4096, null = 0),
        "sliding_window_pattern": config_key(["%layer_types"] + older, absent = period),
        "tie_word_embeddings": True,
    }

_GEMMA_ONLY = {"hidden_activation": ["gelu_pytorch_tanh"], "use_bidirectional_attention": [False]}

_CONFIGS = [
    _config("llama", {"attention_bias": False}, dict(_SILU, mlp_bias = [False]), unread = ["pretraining_tp"]),
    _config("mistral", {"sliding_window": config_key(absent = 4096, null = 0)}, _SILU),
    _config(
        "qwen3",
        {"attention_bias": False},
        dict(_SILU, layer_types = ["full_attention"], use_sliding_window = [False]),
        unread = ["max_window_layers"],
    ),
    _config("gemma2", _gemma(50.0, 30.0, 2), _GEMMA_ONLY, unread = ["hidden_act"]),
    _config(
        "gemma3_text",
        dict(
            _gemma(0.0, 0.0, 6, ["sliding_window_pattern", "_sliding_window_pattern"]),
            factor = config_key(["rope_parameters.full_attention.factor", "rope_scaling.factor"], absent = 1.0),
            rope_local_base_freq = config_key(["rope_parameters.sliding_attention.rope_theta", "rope_local_base_freq"], absent = 10000.0),
            rope_theta = config_key(["rope_parameters.full_attention.rope_theta", "rope_theta"], absent = 1000000.0),
            rope_type = config_key(
                ["rope_parameters.full_attention.rope_type", "rope_scaling.rope_type"],
                absent = "default",
                only = ["default", "linear"],
            ),
        ),
        dict({"rope_parameters.sliding_attention.rope_type": ["default"]}, **_GEMMA_ONLY),
        unread = ["hidden_act"],
    ),
    _config(
        "mixtral",
        {
            "num_experts_per_tok": 2,
            "num_local_experts": 8,
            "rms_norm_eps": 1e-5,
            "rope_theta": config_key(["rope_parameters.rope_theta", "rope_theta"], absent = 1000000.0),
            "sliding_window": config_key(absent = 0, null = 0),
        },
        _SILU,
        unread = _ROUTER,
    ),
    _config(
        "gpt_oss",
        {
            "attention_bias": True,
            "factor": _scaling("factor", 32.0),
            "num_experts_per_tok": 4,
            "num_local_experts": 128,
            "original_max_position_embeddings": _scaling("original_max_position_embeddings", 4096, quotient = "max_position_embeddings"),
            "rms_norm_eps": 1e-5,
            "rope_theta": config_key(["rope_parameters.rope_theta", "rope_theta"], absent = 150000.0),
            "rope_type": config_key(["rope_parameters.rope_type", "rope_scaling.rope_type"], absent = "yarn", only = ["yarn"]),
            "sliding_window": config_key(absent = 128, null = 0),
            "sliding_window_pattern": config_key(["%layer_types"], absent = 2),
        },
        dict(
            _SILU,
            swiglu_alpha = [1.702],
            swiglu_limit = [7.0],
            truncate = _scaling("truncate", True, only = [False]),
            **{
                "%s.%s" % (rope, name): [value]
                for rope in ["rope_parameters", "rope_scaling"]
                for name, value in [("beta_fast", 32.0), ("beta_slow", 1.0)]
            }
        ),
        unread = _ROUTER + ["experts_per_token", "initial_context_length"],
    ),
]

def _implementation(name, description, inputs):
    return transformers_model(
        name,
        description,
        family = "llama",
        parameters = _PARAMETERS,
        inputs = inputs,
        head = text.next_word_scores(),
        # Files of the bare models hold "model" alone; until 4.45 they held the frequencies. Mixtral's hold each expert apart.
        checkpoint_extras = checkpoint_extras(
            base = "model",
            renamings = {".block_sparse_moe.gate.": ".mlp.gate."},
            stacks = {
                "mlp.experts.gate_up_proj": ["block_sparse_moe.experts.*.w1.weight", "block_sparse_moe.experts.*.w3.weight"],
                "mlp.experts.down_proj": ["block_sparse_moe.experts.*.w2.weight"],
            },
            buffers = ["model.layers.*.self_attn.rotary_emb.inv_freq"],
            heads = ["score", "qa_outputs"],
        ),
        checkpoint_configs = _CONFIGS,
    )

IMPLEMENTATION = _implementation(
    "llama",
    "Causal transformer with RMS norm, rotary positions, shared keys and gated feed-forward or experts; a score for each next word.",
    [text.ids],
)

# It has no cases of the forward pass alone: what a padding token computes is undefined.
PADDED = _implementation(
    "llama_padded",
    "The same for rows of different lengths, which are padded at their beginning.",
    [text.ids, text.tokens("attention_mask", prefix_mask(at_end = True))],
)

_SMALL = {
    "head_dim": 16,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_attention_heads": 4,
    "num_experts_per_tok": 2,
    "num_hidden_layers": 2,
    "num_key_value_heads": 2,
    "num_local_experts": 4,
    "sequence_length": 8,
    "vocab_size": 96,
}

def _llama(name, model_type, parameters, description = "", implementation = IMPLEMENTATION):
    return model(name, implementation, parameters = dict(parameters, model_type = model_type), smoke_parameters = _SMALL, description = description)

# Widths that tests can afford, and a window that is shorter than their rows. Settings that choose code are the published ones'.
_TINY = {
    "head_dim": 32,
    "hidden_size": 128,
    "intermediate_size": 256,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "num_key_value_heads": 2,
    "vocab_size": 512,
}

# Frequencies are scaled from positions that the tiny models reach.
_LLAMA3 = {"rope_type": "llama3", "high_freq_factor": 4.0, "low_freq_factor": 1.0}
_GEMMA2 = {
    "attn_logit_softcapping": 50.0,
    "final_logit_softcapping": 30.0,
    "query_pre_attn_scalar": 256,
    "rms_norm_eps": 1e-6,
    "sliding_window_pattern": 2,
    "tie_word_embeddings": True,
}
_GEMMA3 = {
    "query_pre_attn_scalar": 256,
    "rms_norm_eps": 1e-6,
    "rope_theta": 1000000.0,
    "tie_word_embeddings": True,
}
_GPT_OSS = {"attention_bias": True, "factor": 32.0, "rope_theta": 150000.0, "rope_type": "yarn", "sliding_window_pattern": 2}

_LLAMA_TINY = dict(_TINY, factor = 8.0, original_max_position_embeddings = 16, tie_word_embeddings = True, **_LLAMA3)
_GEMMA_3_TINY = dict(_TINY, sliding_window = 6, sliding_window_pattern = 2, rope_type = "linear", factor = 8.0, **dict(_GEMMA3, query_pre_attn_scalar = 24))

TINY = [
    _llama("llama_tiny", "llama", _LLAMA_TINY),
    _llama("mistral_tiny", "mistral", dict(_TINY, sliding_window = 6)),
    _llama("qwen3_tiny", "qwen3", dict(_TINY, rope_theta = 1000000.0, tie_word_embeddings = True)),
    _llama("gemma_2_tiny", "gemma2", dict(_TINY, sliding_window = 6, **dict(_GEMMA2, query_pre_attn_scalar = 24))),
    _llama("gemma_3_tiny", "gemma3", _GEMMA_3_TINY),
]

# With a window in no layer, and in one of two.
TINY_PADDED = [
    _llama("llama_tiny_padded", "llama", _LLAMA_TINY, implementation = PADDED),
    _llama("gemma_3_tiny_padded", "gemma3", _GEMMA_3_TINY, implementation = PADDED),
]

TINY_EXPERTS = [
    _llama("mixtral_tiny", "mixtral", _TINY),
    _llama("gpt_oss_tiny", "gpt_oss", dict(_TINY, sliding_window = 6, original_max_position_embeddings = 16, num_local_experts = 8, num_experts_per_tok = 4, **_GPT_OSS)),
]

_TINYLLAMA = {
    "head_dim": 64,
    "hidden_size": 2048,
    "intermediate_size": 5632,
    "num_attention_heads": 32,
    "num_hidden_layers": 22,
    "num_key_value_heads": 4,
    "vocab_size": 32000,
}
_LLAMA_2_7B = {
    "head_dim": 128,
    "hidden_size": 4096,
    "intermediate_size": 11008,
    "max_position_embeddings": 4096,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 32,
    "vocab_size": 32000,
}
_LLAMA_512 = {
    "head_dim": 64,
    "hidden_size": 512,
    "intermediate_size": 1536,
    "max_position_embeddings": 1024,
    "num_attention_heads": 8,
    "num_hidden_layers": 8,
    "num_key_value_heads": 8,
    "vocab_size": 32,
}
_LLAMA_3_2_1B = dict(
    head_dim = 64,
    hidden_size = 2048,
    intermediate_size = 8192,
    num_attention_heads = 32,
    num_hidden_layers = 16,
    num_key_value_heads = 8,
    vocab_size = 128256,
    max_position_embeddings = 131072,
    rope_theta = 500000.0,
    factor = 32.0,
    tie_word_embeddings = True,
    **_LLAMA3
)
_MISTRAL_7B = {
    "head_dim": 128,
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "max_position_embeddings": 32768,
    "num_attention_heads": 32,
    "num_hidden_layers": 32,
    "num_key_value_heads": 8,
    "rope_theta": 1000000.0,
    "vocab_size": 32768,
}
_QWEN3_0_6B = {
    "head_dim": 128,
    "hidden_size": 1024,
    "intermediate_size": 3072,
    "max_position_embeddings": 40960,
    "num_attention_heads": 16,
    "num_hidden_layers": 28,
    "num_key_value_heads": 8,
    "rms_norm_eps": 1e-6,
    "rope_theta": 1000000.0,
    "tie_word_embeddings": True,
    "vocab_size": 151936,
}
_GEMMA_2_2B = dict(
    head_dim = 256,
    hidden_size = 2304,
    intermediate_size = 9216,
    num_attention_heads = 8,
    num_hidden_layers = 26,
    num_key_value_heads = 4,
    vocab_size = 256000,
    max_position_embeddings = 8192,
    sliding_window = 4096,
    **_GEMMA2
)

# The text halves: 4b has an eye beside.
_GEMMA_3_1B = dict(
    head_dim = 256,
    hidden_size = 1152,
    intermediate_size = 6912,
    num_attention_heads = 4,
    num_hidden_layers = 26,
    num_key_value_heads = 1,
    vocab_size = 262144,
    max_position_embeddings = 32768,
    sliding_window = 512,
    sliding_window_pattern = 6,
    **_GEMMA3
)
_GEMMA_3_4B = dict(
    head_dim = 256,
    hidden_size = 2560,
    intermediate_size = 10240,
    num_attention_heads = 8,
    num_hidden_layers = 34,
    num_key_value_heads = 4,
    vocab_size = 262208,
    max_position_embeddings = 131072,
    rope_type = "linear",
    factor = 8.0,
    sliding_window = 1024,
    sliding_window_pattern = 6,
    **_GEMMA3
)
_MIXTRAL_8X7B = dict(_MISTRAL_7B, vocab_size = 32000)
_GPT_OSS_20B = dict(
    head_dim = 64,
    hidden_size = 2880,
    intermediate_size = 2880,
    num_attention_heads = 64,
    num_hidden_layers = 24,
    num_key_value_heads = 8,
    vocab_size = 201088,
    max_position_embeddings = 131072,
    original_max_position_embeddings = 4096,
    sliding_window = 128,
    num_local_experts = 32,
    num_experts_per_tok = 4,
    **_GPT_OSS
)

PUBLISHED = [
    _llama("tinyllama", "llama", _TINYLLAMA, "TinyLlama 1.1B."),
    _llama("llama_2_7b", "llama", _LLAMA_2_7B, "Llama 2 7B."),
    _llama("llama_7b_16l", "llama", dict(_LLAMA_2_7B, max_position_embeddings = 2048, num_hidden_layers = 16, rms_norm_eps = 1e-6), "transformers' default of Llama in 16 layers."),
    _llama("llama_3_2_1b", "llama", _LLAMA_3_2_1B),
    _llama("mistral_7b", "mistral", _MISTRAL_7B, "Mistral 7B v0.3."),
    _llama("qwen3_0_6b", "qwen3", _QWEN3_0_6B),
    _llama("gemma_2_2b", "gemma2", _GEMMA_2_2B),
    _llama("gemma_3_1b", "gemma3", _GEMMA_3_1B),
    _llama("gemma_3_4b", "gemma3", _GEMMA_3_4B),
    _llama("mixtral_8x7b", "mixtral", _MIXTRAL_8X7B),
    _llama("gpt_oss_20b", "gpt_oss", _GPT_OSS_20B),
]

# The published widths in two layers.
SHORT = [
    _llama("tinyllama_2l", "llama", dict(_TINYLLAMA, num_hidden_layers = 2)),
    _llama("qwen3_0_6b_2l", "qwen3", dict(_QWEN3_0_6B, num_hidden_layers = 2)),
]

# The default sizes of the first Llama's own code, and TorchBench's 32 words.
SMALL = [_llama("llama_512", "llama", _LLAMA_512)]

MODELS = TINY + TINY_PADDED + TINY_EXPERTS + SHORT + SMALL + PUBLISHED
