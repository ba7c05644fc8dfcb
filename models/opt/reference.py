"""OPT, with its default ("sdpa") attention, and XGLM by Hugging Face transformers."""

import transformers
from torch.nn import functional

from models import sinusoids_reference


def provenance():
    return "transformers %s" % transformers.__version__


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


def forward(module, inputs):
    return {"logits": module(**inputs, use_cache=False).logits}


def loss(_module, outputs, targets):
    logits, labels = outputs["logits"][:, :-1], targets["labels"][:, 1:]
    return functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
