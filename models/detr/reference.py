"""DETR by Hugging Face transformers, with timm's ResNet, as published files have it."""

import transformers

from models.text_reference import provenance  # noqa: F401

_SETTINGS = ("d_model", "encoder_layers", "decoder_layers", "num_queries", "num_labels")


def build(parameters):
    settings = {name: parameters[name] for name in _SETTINGS}
    for side in ("encoder_", "decoder_"):
        settings[side + "attention_heads"] = parameters["attention_heads"]
        settings[side + "ffn_dim"] = parameters["ffn_dim"]
    config = transformers.DetrConfig(use_timm_backbone=True, backbone=parameters["backbone"], use_pretrained_backbone=False, **settings)
    return transformers.DetrForObjectDetection(config)


def forward(module, inputs):
    outputs = module(inputs["pixel_values"])
    return {"logits": outputs.logits, "pred_boxes": outputs.pred_boxes}
