"""The autoencoder of Stable Diffusion 1.5, its halves apart, as diffusers builds it: pure data."""

load("//defs:variants.bzl", "checkpoint_extras", "input", "model", "model_implementation", "normal", "output", "parameter")

_IMAGE = ["batch", 3, "8*height", "8*width"]
_LATENT = ["batch", "latent_channels", "height", "width"]

def _half(name, description, layers, inputs, outputs, others):
    return model_implementation(
        name = "autoencoder_kl_" + name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/diffusers/blob/v0.42.1/src/diffusers/models/autoencoders/autoencoder_kl.py",
        reference = "INDEPENDENT",
        reference_script = "models/autoencoder_kl/reference.py",
        parameters = [
            parameter("block_out_channels", "integers", default = [128, 256, 512, 512], description = "channels of each of the four stages, the last one at the fewest pixels"),
            parameter(name + "_layers", "integer", default = layers, maximum = 100, description = "residual blocks of a stage"),
            parameter("latent_channels", "integer", default = 4, maximum = 1024, description = "channels of the latent image"),
            parameter("norm_num_groups", "integer", default = 32, description = "groups of a norm; they divide the channels"),
            parameter("height", "integer", default = 64, maximum = 1024, suffix = "h", description = "of the latent image, an eighth of the image's"),
            parameter("width", "integer", default = 64, maximum = 1024, suffix = "w", description = "of the latent image, an eighth of the image's"),
        ],
        inputs = inputs,
        outputs = outputs,
        # Files hold both halves, and older ones name the attention's projections otherwise.
        checkpoint_extras = checkpoint_extras(
            heads = others,
            renamings = {".key.": ".to_k.", ".proj_attn.": ".to_out.0.", ".query.": ".to_q.", ".value.": ".to_v."},
        ),
        unit = "image",
    )

ENCODER = _half(
    "encoder",
    "The encoder of Stable Diffusion's autoencoder: mean and logarithm of the variance of a latent image.",
    layers = 2,
    inputs = [input("image", shape = _IMAGE)],
    outputs = [output("mean", shape = _LATENT), output("logvar", shape = _LATENT)],
    others = ["decoder", "post_quant_conv"],
)

DECODER = _half(
    "decoder",
    "The decoder of Stable Diffusion's autoencoder: an image of a latent one.",
    layers = 3,
    inputs = [input("latent", shape = _LATENT, distribution = normal())],
    outputs = [output("image", shape = _IMAGE)],
    others = ["encoder", "quant_conv"],
)

_TINY = {"block_out_channels": [16, 24, 32, 32], "height": 3, "norm_num_groups": 8, "width": 4}
_TINY_ENCODER = dict(_TINY, encoder_layers = 1)
_TINY_DECODER = dict(_TINY, decoder_layers = 2)
_NARROW = "Narrow stages, which tests can afford."

TINY = [
    model("autoencoder_kl_encoder_tiny", ENCODER, parameters = _TINY_ENCODER, description = _NARROW),
    model("autoencoder_kl_decoder_tiny", DECODER, parameters = _TINY_DECODER, description = _NARROW),
]

MODELS = TINY + [
    model("autoencoder_kl_encoder", ENCODER, smoke_parameters = _TINY_ENCODER),
    model("autoencoder_kl_decoder", DECODER, smoke_parameters = _TINY_DECODER),
]
