"""The cases of the swin family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:cases.bzl", "cases")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases")
load("//models/swin:variants.bzl", "MODELS")

# The weights' recipe in torchvision itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 9 to 14 weights spread over the depth, root mean square, all in the output's standard deviations:
#     swin_t                           std  1.0   fp32 rms 2.4e-7, max 9.1e-7   bf16 rms 0.31 %   effect 2.1e-3
#     swin_v2_t                        std  1.0   fp32 rms 3.3e-7, max 1.2e-6   bf16 rms 0.57 %   effect 7.2e-5

CASES = [
    image_classifier_cases(MODELS, also = {"swin_v2_t": "version 2: cosine attention, a network for position biases, norms behind the branches"}),
    # 17 x 17 patches, then 9 x 9, 5 x 5 and 3 x 3: none is filled by windows, and each is padded.
    cases(models = ["swin_t", "swin_v2_t"], dtypes = ["fp64"], batches = [2], parameters = [{"resolution": 68}]),
    image_training_cases(["swin_b"], dtypes = ["fp32"]),
]
