"""GPT-Neo and GPT-J by Hugging Face transformers."""

import transformers

from models import sinusoids_reference
from models.text_reference import forward_without_cache as forward, loss_of_next_words as loss, provenance  # noqa: F401


def build(parameters):
    settings = {name: parameters[name] for name in ("vocab_size", "hidden_size", "layer_norm_epsilon")}
    positions, layers, heads = (parameters[name] for name in ("max_position_embeddings", "num_layers", "num_heads"))
    if "window_size" in parameters:
        types = [[["global", "local"], layers // 2]]
        sizes = {"max_position_embeddings": positions, "num_layers": layers, "num_heads": heads}
        config = transformers.GPTNeoConfig(**settings, **sizes, window_size=parameters["window_size"], attention_types=types)
        return transformers.GPTNeoForCausalLM(config)
    settings["n_embd"] = settings.pop("hidden_size")
    sizes = {"n_positions": positions, "n_layer": layers, "n_head": heads}
    module = transformers.GPTJForCausalLM(transformers.GPTJConfig(**settings, **sizes, rotary_dim=parameters["rotary_dim"]))
    for block in module.transformer.h:
        sinusoids_reference.fill_rotary(block.attn.embed_positions)
    return module
