"""The UNets of Stable Diffusion 1.5 and of SDXL, as diffusers builds them: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "normal", "output", "parameter", "time_steps")

_LATENT = ["batch", 4, "height", "width"]

def _unet(name, description, parameters = [], inputs = []):
    return model_implementation(
        name = name,
        description = description,
        owner = "assay",
        source_url = "https://github.com/huggingface/diffusers/blob/v0.42.1/src/diffusers/models/unets/unet_2d_condition.py",
        reference = "INDEPENDENT",
        reference_script = "models/stable_diffusion/reference.py",
        parameters = [
            parameter("block_out_channels", "integers", description = "channels of each stage; the image is halved behind all but the last"),
            parameter("attention_heads", "integers", description = "heads of each stage; they divide its channels"),
            parameter("transformer_layers", "integers", minimum = 0, maximum = 100, description = "layers of the transformer behind each residual block of a stage; 0: there is none"),
            parameter("layers_per_block", "integer", default = 2, maximum = 100, description = "residual blocks of a stage; one more on the way up"),
            parameter("cross_attention_dim", "integer", description = "features of a token of the text"),
            parameter("norm_num_groups", "integer", default = 32, description = "groups of a norm; they divide the channels"),
            parameter("height", "integer", maximum = 4096, suffix = "h", description = "of the latent image, an eighth of the image's"),
            parameter("width", "integer", maximum = 4096, suffix = "w", description = "of the latent image, an eighth of the image's"),
            parameter("sequence_length", "integer", default = 77, maximum = 4096, suffix = "s", description = "tokens of a text"),
        ] + parameters,
        inputs = [
            input("sample", shape = _LATENT, distribution = normal()),
            input("timestep", shape = ["batch"], dtype = "INT64", distribution = time_steps(limit = 1000)),
            input("encoder_hidden_states", shape = ["batch", "sequence_length", "cross_attention_dim"], distribution = normal()),
        ] + inputs,
        outputs = [output("sample", shape = _LATENT)],
        # The loss: the mean of the squared differences from the noise.
        trainable = True,
        targets = [input("noise", shape = _LATENT, distribution = normal())],
        unit = "image",
    )

UNET = _unet("stable_diffusion_unet", "The UNet of Stable Diffusion 1: the noise in a latent image, given a time and the features of a text.")

XL_UNET = _unet(
    "sdxl_unet",
    "The UNet of SDXL: the noise in a latent image, given a time, the features of a text and the sizes of its image.",
    parameters = [
        parameter("text_features", "integer", description = "features of the whole text"),
        parameter("addition_time_embed_dim", "integer", description = "features of each of the six time ids, an even number"),
    ],
    inputs = [
        input("text_embeds", shape = ["batch", "text_features"], distribution = normal()),
        input("time_ids", shape = ["batch", 6], dtype = "INT64", distribution = integers(limit = 1025)),
    ],
)

_TINY = {
    "attention_heads": [2, 4, 8],
    "block_out_channels": [32, 48, 64],
    "cross_attention_dim": 32,
    "height": 16,
    "layers_per_block": 1,
    "norm_num_groups": 8,
    "sequence_length": 5,
    "transformer_layers": [1, 1, 0],
    "width": 16,
}

_XL_TINY = dict(_TINY, addition_time_embed_dim = 8, text_features = 24, transformer_layers = [0, 1, 2])

TINY = [
    model("stable_diffusion_unet_tiny", UNET, parameters = _TINY, description = "Three narrow stages, which tests can afford."),
    model("sdxl_unet_tiny", XL_UNET, parameters = _XL_TINY, description = "Three narrow stages, which tests can afford."),
]

MODELS = TINY + [
    model(
        "stable_diffusion_unet",
        UNET,
        parameters = {
            "attention_heads": [8, 8, 8, 8],
            "block_out_channels": [320, 640, 1280, 1280],
            "cross_attention_dim": 768,
            "height": 64,
            "transformer_layers": [1, 1, 1, 0],
            "width": 64,
        },
        smoke_parameters = _TINY,
        description = "Stable Diffusion 1.5's, for images of 512 x 512 pixels.",
    ),
    model(
        "sdxl_unet",
        XL_UNET,
        parameters = {
            "addition_time_embed_dim": 256,
            "attention_heads": [5, 10, 20],
            "block_out_channels": [320, 640, 1280],
            "cross_attention_dim": 2048,
            "height": 128,
            "text_features": 1280,
            "transformer_layers": [0, 2, 10],
            "width": 128,
        },
        smoke_parameters = _XL_TINY,
        description = "SDXL's, for images of 1024 x 1024 pixels.",
    ),
]
