"""The cases of the timm_vit family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_family.bzl", "image_classifier_cases", "image_training_cases")
load("//models/timm_vit:variants.bzl", "CLASSIFIERS", "FEATURE_MODELS")

CASES = [
    image_classifier_cases(CLASSIFIERS),
    image_classifier_cases(FEATURE_MODELS, without = {"vit_base_patch14_dinov2": "1.2 TFLOP at its one size; its layer scale is timm_vit_test's"}),
    image_training_cases(["deit_tiny_patch16_224"]),
    image_training_cases(["deit_base_distilled_patch16_224"], dtypes = ["fp32"]),
    image_training_cases(["vit_base_patch16_siglip_256"], loss = "mean", dtypes = ["fp32"]),
]
