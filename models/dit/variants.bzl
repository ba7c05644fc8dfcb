"""DiT as diffusers builds it: the published size for images of 256 x 256 pixels, and a small one: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "normal", "output", "parameter", "time_steps")

IMPLEMENTATION = model_implementation(
    name = "dit",
    description = "DiT, a transformer of latent images: their noise and its variance, given a time and a class.",
    owner = "assay",
    source_url = "https://github.com/huggingface/diffusers/blob/v0.42.1/src/diffusers/models/transformers/dit_transformer_2d.py",
    reference = "INDEPENDENT",
    reference_script = "models/dit/reference.py",
    parameters = [
        parameter("num_attention_heads", "integer", default = 16, maximum = 1024, description = "heads of each attention"),
        parameter("attention_head_dim", "integer", default = 72, maximum = 1024, description = "features of a head"),
        parameter("num_layers", "integer", default = 28, maximum = 256, description = "transformer blocks"),
        parameter("in_channels", "integer", default = 4, maximum = 1024, description = "of the latent image"),
        parameter("out_channels", "integer", default = 8, maximum = 1024, description = "means and variances of the noise"),
        parameter("patch_size", "integer", default = 2, maximum = 64, description = "height and width of a square of pixels, which becomes a token"),
        parameter("num_embeds_ada_norm", "integer", default = 1000, description = "classes of images"),
        parameter("sample_size", "integer", default = 32, maximum = 1024, description = "height and width of the latent image, pixels; a multiple of patch_size"),
    ],
    inputs = [
        input("sample", shape = ["batch", "in_channels", "sample_size", "sample_size"], distribution = normal()),
        input("timestep", shape = ["batch"], dtype = "INT64", distribution = time_steps(limit = 1000)),
        input("class_labels", shape = ["batch"], dtype = "INT64", distribution = integers(limit = "num_embeds_ada_norm")),
    ],
    outputs = [output("sample", shape = ["batch", "out_channels", "sample_size", "sample_size"])],
    unit = "image",
)

_TINY = {
    "attention_head_dim": 8,
    "num_attention_heads": 4,
    "num_embeds_ada_norm": 10,
    "num_layers": 2,
    "sample_size": 8,
}

MODELS = [
    model("dit_tiny", IMPLEMENTATION, parameters = _TINY, description = "Two narrow blocks, which tests can afford."),
    model("dit_xl_2_256", IMPLEMENTATION, smoke_parameters = _TINY, description = "DiT-XL/2, for images of 256 x 256 pixels."),
]
