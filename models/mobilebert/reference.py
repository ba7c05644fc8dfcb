"""MobileBERT by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers

from models.text_reference import bert_settings, forward, loss, provenance  # noqa: F401


def build(parameters):
    # Every other setting is MobileBertConfig's default (words by three, bottlenecks, of which query and key share one, and no
    # norms).
    settings = bert_settings(parameters, "embedding_size", "intra_bottleneck_size", "num_feedforward_networks")
    config = transformers.MobileBertConfig(**settings)
    if parameters.get("head") == "qa_outputs":
        return transformers.MobileBertForQuestionAnswering(config)
    return transformers.MobileBertForMaskedLM(config)
