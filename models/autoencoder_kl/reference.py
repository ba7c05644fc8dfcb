"""Either half of Stable Diffusion's autoencoder by diffusers."""

import diffusers


def provenance():
    return "diffusers %s" % diffusers.__version__


def build(parameters):
    stages = len(parameters["block_out_channels"])
    decodes = "decoder_layers" in parameters
    module = diffusers.AutoencoderKL(
        block_out_channels=parameters["block_out_channels"],
        down_block_types=["DownEncoderBlock2D"] * stages,
        latent_channels=parameters["latent_channels"],
        # diffusers gives the decoder's stages one residual block more than it is told.
        layers_per_block=parameters["decoder_layers"] - 1 if decodes else parameters["encoder_layers"],
        norm_num_groups=parameters["norm_num_groups"],
        up_block_types=["UpDecoderBlock2D"] * stages,
    )
    for part in ("encoder", "quant_conv") if decodes else ("decoder", "post_quant_conv"):
        delattr(module, part)
    return module


def forward(module, inputs):
    if "latent" in inputs:
        return {"image": module.decode(inputs["latent"]).sample}
    latent = module.encode(inputs["image"]).latent_dist
    return {"mean": latent.mode(), "logvar": latent.logvar}
