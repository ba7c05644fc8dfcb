"""The cases of the stable_diffusion family: the published sizes of images, small networks for tests, and loops."""

load("//defs:cases.bzl", "cases", "matching", "sgd", "training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")
load("//models/stable_diffusion:variants.bzl", "TINY", "TINY_LOOPS")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_TINY = [m.name for m in TINY]

CASES = [
    cases(
        models = _TINY,
        dtypes = _DTYPES,
        batches = [1, 8],
        large = [matching(dtype = ["fp16"]), matching(batch = [8]), matching(model = ["sdxl_unet_tiny"], dtype = ["bf16"])],
    ),
    # Sides that are odd where they are halved.
    cases(models = ["stable_diffusion_unet_tiny"], dtypes = ["fp64"], batches = [2], parameters = [{"height": 9, "width": 7}]),
    cases(
        models = ["stable_diffusion_unet_tiny"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        large = [matching(dtype = ["fp32"])],
        verify = AUTOCAST_TRAINING,
        run = training([sgd(learning_rate = 0.05, momentum = 0.9)], loss = "own"),
    ),
    cases(
        models = [m.name for m in TINY_LOOPS],
        dtypes = ["fp32", "fp64", "bf16"],
        batches = [2],
        large = [matching(dtype = ["fp32", "bf16"])],
    ),
    # Small images, whose reference and golden line are quick to make.
    cases(
        models = ["stable_diffusion_unet", "sdxl_unet"],
        dtypes = ["fp32"],
        batches = [2],
        parameters = [{"height": 16, "width": 16}],
        large = [matching()],
    ),
    cases(
        models = ["stable_diffusion_unet", "sdxl_unet"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 2, 8],
        large = [matching()],
    ),
    # The whole UNet in three steps of a small image, which a reference can be computed for; then as people run it.
    cases(
        models = ["stable_diffusion_ddim", "stable_diffusion_euler"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [2],
        parameters = [{"height": 16, "steps": 3, "width": 16}],
        large = [matching()],
    ),
    cases(
        models = ["stable_diffusion_ddim", "stable_diffusion_euler"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1],
        large = [matching()],
    ),
]
