"""The UNets of Stable Diffusion and SDXL, and loops that make images with the first, by diffusers."""

import diffusers
import torch
from torch.nn import functional

_SETTINGS = {"beta_end": 0.012, "beta_schedule": "scaled_linear", "beta_start": 0.00085, "steps_offset": 1}
_SCHEDULERS = {
    "ddim": (diffusers.DDIMScheduler, {"clip_sample": False, "set_alpha_to_one": False}),
    "euler": (diffusers.EulerDiscreteScheduler, {"timestep_spacing": "leading"}),
}


class Denoising(diffusers.UNet2DConditionModel):
    """A UNet with a scheduler, whose float32 alphas_cumprod is a part of what it computes; the rest is float64."""

    def schedule(self, parameters):
        kind, settings = _SCHEDULERS[parameters["scheduler"]]
        self._scheduler = scheduler = kind(**_SETTINGS, **settings)
        self._guidance = parameters["guidance_scale"]
        scheduler.set_timesteps(parameters["steps"])
        scheduler.alphas_cumprod = kept = scheduler.alphas_cumprod.double()
        if parameters["scheduler"] == "ddim":
            scheduler.final_alpha_cumprod = scheduler.final_alpha_cumprod.double()
        else:
            # Diffusers' own float32 sigmas depend on the processor in their last bit.
            kept = kept[scheduler.timesteps.long()]
            scheduler.sigmas = torch.cat([((1 - kept) / kept).sqrt(), kept.new_zeros(1)])
            scheduler.timesteps = scheduler.timesteps.double()
        return self

    def denoised(self, noise, text, negative):
        scheduler = self._scheduler
        if hasattr(scheduler, "sigmas"):
            scheduler._step_index = None  # begins again
        image, images = noise * scheduler.init_noise_sigma, []
        for time in scheduler.timesteps:
            read = scheduler.scale_model_input(torch.cat([image] * 2), time)
            without, told = self(read, time, torch.cat([negative, text])).sample.chunk(2)
            image = scheduler.step(without + self._guidance * (told - without), time, image).prev_sample
            images.append(image)
        return torch.stack(images, 1)


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
    if "scheduler" in parameters:
        module = Denoising(**config)
        with torch.device("cpu"):  # the scheduler reads its tables, also where the module has no values
            return module.schedule(parameters)
    return diffusers.UNet2DConditionModel(**config)


def forward(module, inputs):
    if isinstance(module, Denoising):
        texts = inputs["encoder_hidden_states"], inputs["negative_hidden_states"]
        return {"latents": module.denoised(inputs["sample"], *texts)}
    added = {name: inputs[name] for name in ("text_embeds", "time_ids") if name in inputs}
    text = inputs["encoder_hidden_states"]
    return {"sample": module(inputs["sample"], inputs["timestep"], text, added_cond_kwargs=added or None).sample}


def loss(_module, outputs, targets):
    return functional.mse_loss(outputs["sample"], targets["noise"])
