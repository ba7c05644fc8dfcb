"""GPT-Neo and GPT-J by Hugging Face transformers."""

import transformers

from models import sinusoids_reference, text_reference
from models.text_reference import provenance  # noqa: F401


def build(parameters):
    settings = {name: parameters[name] for name in ("vocab_size", "hidden_size", "layer_norm_epsilon")}
    positions, layers, heads = (parameters[name] for name in ("max_position_embeddings", "num_layers", "num_heads"))
    if "window_size" in parameters:
        types = [[["global", "local"], layers // 2]]
        sizes = {"max_position_embeddings": positions, "num_layers": layers, "num_heads": heads}
        of_classes = {name: parameters[name] for name in ("num_labels", "pad_token_id") if name in parameters}
        config = transformers.GPTNeoConfig(**settings, **sizes, window_size=parameters["window_size"], attention_types=types, **of_classes)
        return (transformers.GPTNeoForSequenceClassification if of_classes else transformers.GPTNeoForCausalLM)(config)
    settings["n_embd"] = settings.pop("hidden_size")
    sizes = {"n_positions": positions, "n_layer": layers, "n_head": heads}
    of_head = transformers.GPTJForQuestionAnswering if "head" in parameters else transformers.GPTJForCausalLM
    module = of_head(transformers.GPTJConfig(**settings, **sizes, rotary_dim=parameters["rotary_dim"]))
    for block in module.transformer.h:
        sinusoids_reference.fill_rotary(block.attn.embed_positions)
    return module


def forward(module, inputs):
    of_answers = isinstance(module, transformers.GPTJForQuestionAnswering)
    return (text_reference.forward if of_answers else text_reference.forward_without_cache)(module, inputs)


def loss(module, outputs, targets):
    of_words = "logits" in outputs and targets["labels"].dim() == 2
    return (text_reference.loss_of_next_words if of_words else text_reference.loss)(module, outputs, targets)
