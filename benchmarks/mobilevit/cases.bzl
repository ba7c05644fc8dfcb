"""The cases of the mobilevit family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:cases.bzl", "cases")
load("//defs:image_classifier_cases.bzl", "image_classifier_cases")
load("//models/mobilevit:variants.bzl", "MODELS")

# MEASURED

CASES = [
    image_classifier_cases(MODELS),
    # At this size the patches of the last stage do not fill the image, which is stretched for them.
    cases(
        models = ["mobilevit_s"],
        dtypes = ["fp32"],
        batches = [1],
        parameters = [{"resolution": 224}],
    ),
]
