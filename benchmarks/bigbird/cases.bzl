"""The cases of the bigbird family."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "sgd_training", "tiny_training")

CASES = [
    # 37 tokens are padded to 10 blocks, 64 are 16 blocks.
    cases(
        models = ["bigbird_tiny_masked_lm"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(37, 64),
        large = [matching(dtype = ["fp16"]), matching(dtype = ["fp32", "bf16"], sequence_length = [64])],
    ),
    published_cases(["bigbird_base_masked_lm"], batches = [1, 2, 8], parameters = lengths(1024)),
    published_cases(["bigbird_base_masked_lm"], batches = [1, 2], parameters = lengths(4096), dtypes = ["fp32"]),
    published_cases(["bigbird_large_masked_lm"], batches = [1, 2], parameters = lengths(1024), dtypes = ["fp32"]),
    # The gradient of a key's bias is rounding.
    tiny_training(["bigbird_tiny_masked_lm"], sgd_training(), lengths(37)),
]
