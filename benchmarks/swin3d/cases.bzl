"""The cases of the swin3d family: videos of 16 frames, small ones for tests, and training."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_family.bzl", "small_training_cases")
load("//defs:text_cases.bzl", "DTYPES", "published_cases")

CASES = [
    # Ten rows and columns of tokens: windows of seven shift over them.
    cases(models = ["swin3d_tiny"], dtypes = DTYPES, batches = [1, 2], parameters = [{"frames": 4, "resolution": 40}], large = [matching(dtype = ["fp16"])]),
    # Nine frames of tokens: windows shift over time alone.
    cases(models = ["swin3d_tiny"], dtypes = ["fp64"], batches = [2], parameters = [{"frames": 17, "resolution": 9}]),
    small_training_cases(["swin3d_tiny"], resolution = 16, frames = 2),
    # The first row of a model is the one that its golden is about.
    cases(models = ["swin3d_t"], dtypes = ["fp32"], batches = [2], parameters = [{"frames": 4, "resolution": 32}], large = [matching()]),
    published_cases(["swin3d_t"], batches = [1, 2, 8], parameters = [{"frames": 16, "resolution": 224}], dtypes = ["fp32", "bf16"]),
]
