"""The cases of the s3d family: the smallest video, and one of 16 frames."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "DTYPES", "published_cases")

CASES = [
    # It takes no smaller video. One in float64 stands for all by default: the code asks for no dtype.
    cases(
        dtypes = DTYPES,
        batches = [1],
        parameters = [{"frames": 13, "resolution": 209}],
        large = [matching(dtype = ["fp32", "bf16", "fp16"])],
    ),
    published_cases(["s3d"], batches = [1, 8], parameters = [{"frames": 16, "resolution": 224}]),
]
