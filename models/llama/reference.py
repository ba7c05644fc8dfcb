"""Llama, Mistral, Qwen3, Gemma 2 and 3, Mixtral and gpt-oss by Hugging Face transformers, with their default attention."""

import transformers
from torch.nn import functional

from models import sinusoids_reference
from models.text_reference import loss_of_next_words as loss, provenance  # noqa: F401

_CLASSES = {
    "llama": (transformers.LlamaConfig, transformers.LlamaForCausalLM),
    "mistral": (transformers.MistralConfig, transformers.MistralForCausalLM),
    "qwen3": (transformers.Qwen3Config, transformers.Qwen3ForCausalLM),
    "gemma2": (transformers.Gemma2Config, transformers.Gemma2ForCausalLM),
    "gemma3": (transformers.Gemma3TextConfig, transformers.Gemma3ForCausalLM),
    "mixtral": (transformers.MixtralConfig, transformers.MixtralForCausalLM),
    "gpt_oss": (transformers.GptOssConfig, transformers.GptOssForCausalLM),
}
# Settings that the configurations and our parameters name alike. A class leaves out what it does not know.
_SETTINGS = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "max_position_embeddings",
    "rms_norm_eps",
    "attention_bias",
    "tie_word_embeddings",
    "num_local_experts",
    "num_experts_per_tok",
)
# Parameters whose 0 means that the model has none.
_OPTIONAL = ("attn_logit_softcapping", "final_logit_softcapping", "query_pre_attn_scalar")
_SCALED = {
    "default": (),
    "linear": ("factor",),
    "llama3": ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"),
    "yarn": ("factor", "original_max_position_embeddings"),
}


def _rope(parameters):
    kind = parameters["rope_type"]
    rope = {name: parameters[name] for name in _SCALED[kind]}
    # gpt-oss does not round the ends of yarn's ramp.
    return {"rope_type": kind, "rope_theta": parameters["rope_theta"], **rope, **({"truncate": False} if kind == "yarn" else {})}


def build(parameters):
    configuration, model = _CLASSES[parameters["model_type"]]
    settings = {name: parameters[name] for name in _SETTINGS}
    settings.update({name: parameters[name] or None for name in _OPTIONAL})
    settings["rope_parameters"] = _rope(parameters)
    window, pattern = parameters["sliding_window"], parameters["sliding_window_pattern"]
    settings["sliding_window"] = window or None
    if pattern:
        layers = range(1, parameters["num_hidden_layers"] + 1)
        settings["layer_types"] = ["full_attention" if i % pattern == 0 else "sliding_attention" for i in layers]
    if parameters["model_type"] == "gemma3":
        local = {"rope_type": "default", "rope_theta": parameters["rope_local_base_freq"]}
        settings["rope_parameters"] = {"full_attention": settings["rope_parameters"], "sliding_attention": local}
    # Grouped matrix products, the default, exist for float32 and smaller types alone; a loop over the experts that were
    # chosen has no tensors without values (goldens).
    with sinusoids_reference.rotary_frequencies():
        return model(configuration(**settings, experts_implementation="batched_mm"))


def forward(module, inputs):
    given = dict(inputs)
    if "attention_mask" in given:
        # The mask is of the prompt; every row has all new tokens. Positions are counted as generate() counts them.
        tokens, mask = given["input_ids"], given["attention_mask"]
        given["attention_mask"] = functional.pad(mask, (0, tokens.shape[1] - mask.shape[1]), value=1)
        given["position_ids"] = (given["attention_mask"].cumsum(1) - 1).clamp(min=0)
    return {"logits": module(**given, use_cache=False).logits}
