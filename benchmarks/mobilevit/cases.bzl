"""The cases of the mobilevit family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:cases.bzl", "cases")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases", "small_training_cases")
load("//models/mobilevit:variants.bzl", "MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of a 1 %
# change of one of 12 to 16 weights spread over the depth, root mean square, all in the output's standard deviations:
#     mobilevit_s at 128 pixels        std 0.59   fp32 rms 4.7e-7, max 2.0e-6   bf16 rms 0.66 %   effect 3.9e-4

CASES = [
    image_classifier_cases(MODELS),
    # At this size the patches of the last stage do not fill the image, which is stretched for them.
    cases(
        models = ["mobilevit_s"],
        dtypes = ["fp32"],
        batches = [1],
        parameters = [{"resolution": 224}],
    ),
    small_training_cases(["mobilevit_s"], resolution = 32),
    image_training_cases(["mobilevit_s"]),
]
