"""S3D for the 400 classes of Kinetics, as torchvision 0.26 builds it: pure data."""

load("//defs:variants.bzl", "model")
load("//models:video_classifier.bzl", "video_classifier")

IMPLEMENTATION = video_classifier(
    name = "s3d",
    description = "S3D (an Inception network whose convolutions go over space and then over time), video in, 400 logits out.",
    frames = 16,
    resolution = 224,
    # A smaller video has fewer than 2 frames of 7 x 7 behind the last pooling.
    minimum_frames = 13,
    minimum_resolution = 209,
)

MODELS = [model("s3d", IMPLEMENTATION, smoke_parameters = {"frames": 13, "resolution": 209})]
