"""CLIP by Hugging Face transformers, with its default ("sdpa") attention."""

import transformers

from models.text_reference import provenance  # noqa: F401


def _tower(parameters, name):
    return {
        "hidden_size": parameters[name + "_hidden"],
        "intermediate_size": parameters[name + "_mlp"],
        "num_attention_heads": parameters[name + "_heads"],
        "num_hidden_layers": parameters[name + "_layers"],
    }


def build(parameters):
    text = {name: parameters[name] for name in ("vocab_size", "max_position_embeddings")}
    # As in OpenAI's files: a text ends with its highest token.
    text.update(_tower(parameters, "text"), eos_token_id=2)
    if "activation" in parameters:
        return transformers.CLIPTextModel(transformers.CLIPTextConfig(hidden_act=parameters["activation"], **text))
    image = {"image_size": parameters["resolution"], "patch_size": parameters["patch_size"]}
    image.update(_tower(parameters, "image"))
    for tower in (text, image):
        tower["projection_dim"] = parameters["projection_dim"]
    config = transformers.CLIPConfig(text_config=text, vision_config=image, projection_dim=parameters["projection_dim"])
    return transformers.CLIPModel(config)


def forward(module, inputs):
    outputs = module(**inputs)
    if isinstance(module, transformers.CLIPTextModel):
        return {"last_hidden_state": outputs.last_hidden_state, "pooler_output": outputs.pooler_output}
    return {"logits_per_image": outputs.logits_per_image, "image_embeds": outputs.image_embeds}
