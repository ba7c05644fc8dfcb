"""The UNets of Stable Diffusion 1.5 and of SDXL, as diffusers builds them, and loops that make images: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "normal", "output", "parameter", "time_steps")

_LATENT = ["batch", 4, "height", "width"]

def _text(name):
    return input(name, shape = ["batch", "sequence_length", "cross_attention_dim"], distribution = normal())

# The loss: the mean of the squared differences from the noise.
_TRAINED = {
    "targets": [input("noise", shape = _LATENT, distribution = normal())],
    "trainable": True,
}

def _of_unet(name, inputs, outputs, parameters = [], **others):
    return model_implementation(
        name = name,
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
        inputs = [input("sample", shape = _LATENT, distribution = normal())] + inputs,
        outputs = outputs,
        unit = "image",
        **others
    )

def _unet(name, description, parameters = [], inputs = []):
    return _of_unet(
        name,
        description = description,
        parameters = parameters,
        inputs = [
            input("timestep", shape = ["batch"], dtype = "INT64", distribution = time_steps(limit = 1000)),
            _text("encoder_hidden_states"),
        ] + inputs,
        outputs = [output("sample", shape = _LATENT)],
        **_TRAINED
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

DENOISING = _of_unet(
    "stable_diffusion_denoising",
    description = "The loop that makes a latent image out of noise with the UNet of Stable Diffusion 1, guided by a text and a negative text.",
    parameters = [
        parameter("steps", "integer", maximum = 999, suffix = "n", description = "denoising steps, each of which runs the UNet on twice the batch"),
        parameter("scheduler", "text", allowed = ["ddim", "euler"], description = "how a step goes from one noise level to the next"),
        parameter("guidance_scale", "real", default = 7.5, minimum = 0, maximum = 100, description = "1 follows the text alone; more leads away from the negative text"),
    ],
    inputs = [_text("encoder_hidden_states"), _text("negative_hidden_states")],
    outputs = [output("latents", shape = ["batch", "steps", 4, "height", "width"])],
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

_TINY_LOOP = dict(_TINY, height = 8, scheduler = "ddim", steps = 3, width = 8)

TINY_LOOPS = [
    model("stable_diffusion_ddim_tiny", DENOISING, parameters = _TINY_LOOP, description = "Three steps with three narrow stages, which tests can afford."),
    model("stable_diffusion_euler_tiny", DENOISING, parameters = dict(_TINY_LOOP, scheduler = "euler"), description = "The same by Euler's method."),
]

_V1 = {
    "attention_heads": [8, 8, 8, 8],
    "block_out_channels": [320, 640, 1280, 1280],
    "cross_attention_dim": 768,
    "height": 64,
    "transformer_layers": [1, 1, 1, 0],
    "width": 64,
}

MODELS = TINY + TINY_LOOPS + [
    model(
        "stable_diffusion_unet",
        UNET,
        parameters = _V1,
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
    model(
        "stable_diffusion_ddim",
        DENOISING,
        parameters = dict(_V1, scheduler = "ddim", steps = 20),
        smoke_parameters = _TINY_LOOP,
        description = "An image of 512 x 512 pixels by Stable Diffusion 1.5's UNet in 20 steps of DDIM.",
    ),
    model(
        "stable_diffusion_euler",
        DENOISING,
        parameters = dict(_V1, scheduler = "euler", steps = 20),
        smoke_parameters = dict(_TINY_LOOP, scheduler = "euler"),
        description = "The same by Euler's method.",
    ),
]
