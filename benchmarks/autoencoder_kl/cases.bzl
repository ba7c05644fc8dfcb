"""The cases of the autoencoder_kl family: images of 512 x 512 pixels, and small ones for tests."""

load("//defs:cases.bzl", "cases", "matching")
load("//models/autoencoder_kl:variants.bzl", "TINY")

CASES = [
    cases(
        models = [m.name for m in TINY],
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8],
        large = [matching(dtype = ["bf16", "fp16"]), matching(batch = [8])],
    ),
    # Small images, whose reference and golden line are quick to make.
    cases(
        models = ["autoencoder_kl_encoder", "autoencoder_kl_decoder"],
        dtypes = ["fp32"],
        batches = [2],
        parameters = [{"height": 8, "width": 8}],
        large = [matching()],
    ),
    cases(
        models = ["autoencoder_kl_encoder", "autoencoder_kl_decoder"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 4],
        large = [matching()],
    ),
]
