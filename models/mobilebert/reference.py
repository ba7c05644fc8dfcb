"""MobileBERT by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers
from torch.nn import functional

# What MobileBertConfig and our parameters call alike; every other setting is MobileBertConfig's default (words by three,
# bottlenecks, of which query and key share one, and no norms).
_SETTINGS = (
    "vocab_size",
    "embedding_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "intra_bottleneck_size",
    "num_feedforward_networks",
    "max_position_embeddings",
    "type_vocab_size",
    "layer_norm_eps",
)


def provenance():
    return "transformers %s" % transformers.__version__


def build(parameters):
    config = transformers.MobileBertConfig(**{name: parameters[name] for name in _SETTINGS})
    if parameters.get("head") == "qa_outputs":
        return transformers.MobileBertForQuestionAnswering(config)
    return transformers.MobileBertForMaskedLM(config)


def forward(module, inputs):
    outputs = module(**inputs)
    return {name: outputs[name] for name in ("start_logits", "end_logits", "logits") if name in outputs}


def loss(_module, outputs, targets):
    if "start_logits" in outputs:
        of_ends = [functional.cross_entropy(outputs[end + "_logits"], targets[end + "_positions"]) for end in ("start", "end")]
        return sum(of_ends) / 2
    return functional.cross_entropy(outputs["logits"].flatten(0, 1), targets["labels"].flatten())
