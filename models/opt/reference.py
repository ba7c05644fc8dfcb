"""OPT, with its default ("sdpa") attention, and XGLM by Hugging Face transformers."""

import transformers

from models import sinusoids_reference
from models.text_reference import forward_without_cache as forward, loss_of_next_words as loss, provenance  # noqa: F401


def build(parameters):
    settings = {name: parameters[name] for name in ("vocab_size", "ffn_dim", "max_position_embeddings")}
    hidden, layers, heads = (parameters[name] for name in ("hidden_size", "num_layers", "attention_heads"))
    if parameters["architecture"] == "opt":
        sizes = {"hidden_size": hidden, "num_hidden_layers": layers, "num_attention_heads": heads, "word_embed_proj_dim": hidden}
        return transformers.OPTForCausalLM(transformers.OPTConfig(**settings, **sizes))
    module = transformers.XGLMForCausalLM(
        transformers.XGLMConfig(**settings, d_model=hidden, num_layers=layers, attention_heads=heads)
    )
    positions = module.model.embed_positions
    sinusoids_reference.fill(positions.weights, positions.padding_idx)
    return module
