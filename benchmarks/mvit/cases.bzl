"""The cases of the mvit family: videos of the published weights, small ones for tests, and training."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:image_classifier_family.bzl", "small_training_cases")
load("//defs:text_cases.bzl", "DTYPES", "published_cases")

CASES = [
    # Ten rows and columns of tokens: odd numbers of them are pooled.
    cases(models = ["mvit_v1_tiny"], dtypes = DTYPES, batches = [1, 2], parameters = [{"frames": 4, "resolution": 40}], large = [matching(dtype = ["fp16"])]),
    small_training_cases(["mvit_v1_tiny"], resolution = 16, frames = 2),
    # The first row of a model is the one that its golden is about.
    cases(models = ["mvit_v1_b"], dtypes = ["fp32"], batches = [2], parameters = [{"frames": 4, "resolution": 32}], large = [matching()]),
    published_cases(["mvit_v1_b"], batches = [1, 2, 8], parameters = [{"frames": 16, "resolution": 224}], dtypes = ["fp32", "bf16"]),
]
