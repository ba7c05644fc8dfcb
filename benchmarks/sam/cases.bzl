"""The cases of the sam family: images of 1024 pixels a side, and small ones; the decoder alone for one prompt and for many."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:tolerances.bzl", "default_verify")
load("//models/sam:variants.bzl", "MODELS", "TINY")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_TINY = [m.name for m in TINY]

# Float64 takes a minute an image and more.
_ONE_IMAGE = {dtype: default_verify(dtype, batch = 1) for dtype in _DTYPES}

CASES = [
    # The first row of a model is the one that its golden is about.
    cases(
        models = _TINY,
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = [{"points": 3, "prompts": 2}],
        large = [matching(dtype = ["fp16"]), matching(batch = [8]), matching(model = ["sam_mask_decoder_tiny"], dtype = ["fp32", "bf16"])],
    ),
    # Small images, whose reference and golden line are quick to make.
    cases(
        models = [m.name for m in MODELS if m.name not in _TINY],
        dtypes = ["fp32"],
        batches = [2],
        parameters = [{"image_embedding_size": 16, "points": 2, "prompts": 2}],
        large = [matching()],
    ),
    cases(models = ["sam_vit_b"], dtypes = _DTYPES, batches = [1, 8], large = [matching()], verify = _ONE_IMAGE),
    cases(models = ["sam_vit_l", "sam_vit_h"], dtypes = ["fp32", "bf16", "fp16"], batches = [1], large = [matching()], verify = _ONE_IMAGE),
    # Meta's generator of masks asks for 64 prompts at a time.
    cases(models = ["sam_mask_decoder"], dtypes = ["fp32", "fp64", "bf16"], batches = [1], parameters = [{"prompts": 1}, {"prompts": 64}], large = [matching()], verify = _ONE_IMAGE),
]
