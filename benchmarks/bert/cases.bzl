"""The cases of the bert family: OpenXLA's sequence lengths and batch sizes, in every dtype."""

load("//defs:cases.bzl", "cases", "matching")

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        parameters = [{"sequence_length": s} for s in [8, 32, 64, 128, 256, 384, 512]],
        large = [
            matching(dtype = ["fp64", "fp16"]),
            # 335 million parameters: seconds and up to 3 GB for each test.
            matching(model = ["bert_large"]),
            # A short row, the usual one and the longest that the position table holds find what the others find.
            matching(sequence_length = [32, 64, 256, 384]),
        ],
    ),
]
