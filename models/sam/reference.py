"""SAM by Hugging Face transformers, with its default ("sdpa") attention; without the encoder it takes the image's features."""

import transformers

from models.text_reference import provenance  # noqa: F401


def build(parameters):
    channels, patch = parameters["channels"], parameters["patch_size"]
    image = {"image_size": patch * parameters["image_embedding_size"], "patch_size": patch}
    vision = {"num_hidden_layers": 0}
    if "hidden" in parameters:
        vision = {
            "global_attn_indexes": parameters["global_layers"],
            "hidden_size": parameters["hidden"],
            "num_attention_heads": parameters["heads"],
            "num_hidden_layers": parameters["layers"],
            "window_size": parameters["window_size"],
        }
    vision.update(image, num_pos_feats=channels // 2, output_channels=channels)
    prompt = {"hidden_size": channels, "mask_input_channels": parameters["mask_input_channels"]}
    decoder = {
        "hidden_size": channels,
        "iou_head_hidden_dim": channels,
        "mlp_dim": parameters["decoder_mlp"],
        "num_attention_heads": parameters["decoder_heads"],
    }
    config = transformers.SamConfig(vision_config=vision, prompt_encoder_config=dict(prompt, **image), mask_decoder_config=decoder)
    module = transformers.SamModel(config)
    if "hidden" not in parameters:
        del module.vision_encoder
    return module


def forward(module, inputs):
    outputs = module(**inputs)
    return {"pred_masks": outputs.pred_masks, "iou_scores": outputs.iou_scores}
