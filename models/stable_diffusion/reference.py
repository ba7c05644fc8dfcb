"""The UNets of Stable Diffusion and SDXL by diffusers."""

import diffusers
from torch.nn import functional


def provenance():
    return "diffusers %s" % diffusers.__version__


def build(parameters):
    layers = parameters["transformer_layers"]
    kinds = ["CrossAttn" if number else "" for number in layers]
    config = {
        "attention_head_dim": parameters["attention_heads"],  # diffusers' name for the number of heads
        "block_out_channels": parameters["block_out_channels"],
        "cross_attention_dim": parameters["cross_attention_dim"],
        "down_block_types": [kind + "DownBlock2D" for kind in kinds],
        "layers_per_block": parameters["layers_per_block"],
        "norm_num_groups": parameters["norm_num_groups"],
        # Stages without transformers ignore their number; the middle reads the last one.
        "transformer_layers_per_block": [max(1, number) for number in layers],
        "up_block_types": [kind + "UpBlock2D" for kind in reversed(kinds)],
    }
    if "text_features" in parameters:
        features = parameters["addition_time_embed_dim"]
        config.update(
            addition_embed_type="text_time",
            addition_time_embed_dim=features,
            projection_class_embeddings_input_dim=6 * features + parameters["text_features"],
            use_linear_projection=True,
        )
    return diffusers.UNet2DConditionModel(**config)


def forward(module, inputs):
    added = {name: inputs[name] for name in ("text_embeds", "time_ids") if name in inputs}
    text = inputs["encoder_hidden_states"]
    return {"sample": module(inputs["sample"], inputs["timestep"], text, added_cond_kwargs=added or None).sample}


def loss(_module, outputs, targets):
    return functional.mse_loss(outputs["sample"], targets["noise"])
