"""The cases of the segmentation family: images as torchvision's published weights get them, 520 pixels a side, and small ones."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:default_tier.bzl", "models_of_branches")
load("//models/segmentation:variants.bzl", "MODELS", "MODELS_AUX")

_NAMES = [m.name for m in MODELS + MODELS_AUX]
_DEEPLABS = [name for name in _NAMES if name.startswith("deeplabv3_")]
_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

# One network of each kind stands for the others in the default tier.
_LARGE = [
    matching(dtype = ["fp16"]),
    matching(dtype = ["fp32", "bf16"], model = [name for name in _NAMES if "resnet101" in name or name.endswith("_aux")]),
]

_IN_FLOAT64 = models_of_branches(
    MODELS + MODELS_AUX,
    without = {name: "a resnet50 with more blocks" for name in _NAMES if "resnet101" in name},
)

CASES = [
    # The first row is the one that the goldens are about.
    cases(
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = [{"resolution": 64}],
        large = _LARGE + [
            matching(dtype = ["fp32", "bf16"], model = _DEEPLABS),
            matching(dtype = ["fp64"], model = [name for name in _NAMES if name not in _IN_FLOAT64]),
        ],
    ),
    # 40 x 40 features on a resnet: fewer than 37 a side, and the taps of the widest dilation all lie outside but one.
    # In bf16 that of a resnet takes minutes on a CPU without AVX-512, so that of the mobilenet stands for both.
    cases(
        models = _DEEPLABS,
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = [{"resolution": 320}],
        large = _LARGE + [matching(dtype = ["fp64"]), matching(dtype = ["bf16"], model = ["deeplabv3_resnet50"])],
    ),
    cases(dtypes = _DTYPES, batches = [1, 8, 32], large = [matching()]),
]
