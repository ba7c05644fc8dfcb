"""tier_tags(): the tag of tests that `tools/bazel test //...` leaves out and CI runs after it, by --config=extra.

tools/bazel leaves them out of //... alone: `tools/bazel test //ci/mutate/...` runs them.
"""

# Code that no measurement, verdict or comparison of a case goes through: tests of tests, programs that make and upload references,
# tools for changing this suite, other people's kernels, traces and files of operators, models that are
# files, back ends of exported ones.
_EXTRA = [
    "artifacts/fake_gcs",
    "benchmarks/backends",
    "benchmarks/harness/sampling/mutants",
    "benchmarks/operators/kernel",
    "benchmarks/operators/override",
    "benchmarks/operators/param",
    "benchmarks/operators/sweep",
    "benchmarks/traces",
    "ci",
    "tools/artifacts",
    "ci/certify",
    "tools/deps",
    "tools/kernel",
    "ci/lint",
    "ci/mutate",
    "tools/run_model",
    "tools/trace",
]

# Families whose kind of network another family has that //... tests: retinanet among detectors, wav2vec2 in speech, video_resnet,
# stable_diffusion, and resnet, densenet and vgg among the small networks of one suite.
_ZOO = [
    "agents",
    "autoencoder_kl",
    "background_matting",
    "bigbird",
    "conformer",
    "crnn",
    "demucs",
    "detr",
    "dit",
    "efficientdet",
    "fcos",
    "hdemucs",
    "image_generators",
    "llava",
    "maml",
    "moco",
    "mvit",
    "ocean",
    "phi",
    "phlippe",
    "rcnn",
    "recommenders",
    "resnest",
    "s3d",
    "sam",
    "speech_transformer",
    "ssd",
    "super_slomo",
    "swin3d",
    "tacotron2",
    "tts_angular",
    "vovnet",
    "wavernn",
]

def is_extra(package):
    """Whether the tests of a package, `benchmarks/resnet`, have the tag."""
    return bool([
        p
        for p in _EXTRA + ["benchmarks/" + f for f in _ZOO] + ["models/" + f for f in _ZOO]
        if (package + "/").startswith(p + "/")
    ])

def tier_tags():
    """Tags of each test of the package that calls it."""
    return ["extra"] if is_extra(native.package_name()) else []
