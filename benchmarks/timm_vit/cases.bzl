"""The cases of the timm_vit family: the batch sizes of the other image classifiers, in every dtype."""

load("//defs:image_classifier_cases.bzl", "image_classifier_cases", "image_training_cases")
load("//models/timm_vit:variants.bzl", "CLASSIFIERS", "FEATURE_MODELS")

# The weights' recipe in timm itself, two rows, numbers drawn by torch; errors against float64, and the least effect of
# a 1 % change of one of 24 to 28 weights spread over the depth, root mean square, all in the output's standard deviations:
#     deit_tiny_patch16_224            std  1.1   fp32 rms 4.1e-7, max 1.4e-6   bf16 rms 0.78 %   effect 9.4e-4
#     deit_base_distilled_patch16_224  std 0.76   fp32 rms 4.8e-7, max 1.6e-6   bf16 rms 0.86 %   effect 6.6e-4
#     vit_base_patch16_siglip_256      std  1.1   fp32 rms 5.2e-7, max 1.9e-6   bf16 rms 0.40 %   effect 5.9e-4
# vit_base_patch14_dinov2 by its accuracy tests: fp32 rms 4.3e-7, max 2.1e-6, bf16 rms 0.85 %; the effect of its weights was not measured.

CASES = [
    image_classifier_cases(CLASSIFIERS),
    image_classifier_cases(FEATURE_MODELS, without = {"vit_base_patch14_dinov2": "1.2 TFLOP at its one size; its layer scale is timm_vit_test's"}),
    image_training_cases(["deit_tiny_patch16_224"]),
    image_training_cases(["deit_base_distilled_patch16_224"], dtypes = ["fp32"]),
    image_training_cases(["vit_base_patch16_siglip_256"], loss = "mean", dtypes = ["fp32"]),
]
