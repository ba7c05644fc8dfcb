"""How photographs are prepared for the published weights of classifiers, where it differs from most.

Of torchvision 0.26 the transforms of each model's DEFAULT weights, of timm 1.0.31 its pretrained configuration;
//tools/goldens:published_models_test holds the table against both.
"""

load("//defs:variants.bzl", "image_preset")

_MOST = image_preset(resize = 256)
_HALVES = dict(mean = [0.5, 0.5, 0.5], std = [0.5, 0.5, 0.5])

def _bicubic(resize, **others):
    return image_preset(resize = resize, interpolation = "bicubic", **others)

_OTHERS = [
    # torchvision
    (image_preset(resize = 230), ["convnext_small"]),
    (image_preset(resize = 232), [
        "convnext_base",
        "convnext_large",
        "mnasnet0_75",
        "mnasnet1_3",
        "mobilenet_v2",
        "mobilenet_v3_large",
        "regnet_x_16gf",
        "regnet_x_1_6gf",
        "regnet_x_32gf",
        "regnet_x_3_2gf",
        "regnet_x_400mf",
        "regnet_x_800mf",
        "regnet_x_8gf",
        "regnet_y_16gf",
        "regnet_y_1_6gf",
        "regnet_y_32gf",
        "regnet_y_3_2gf",
        "regnet_y_400mf",
        "regnet_y_800mf",
        "regnet_y_8gf",
        "resnet101",
        "resnet152",
        "resnet50",
        "resnext101_32x8d",
        "resnext101_64x4d",
        "resnext50_32x4d",
        "shufflenet_v2_x1_5",
        "shufflenet_v2_x2_0",
        "wide_resnet101_2",
        "wide_resnet50_2",
    ]),
    (image_preset(resize = 236), ["convnext_tiny"]),
    (image_preset(resize = 242), ["vit_l_16"]),
    (image_preset(resize = 255, crop = 240), ["efficientnet_b1"]),
    (image_preset(resize = 342, crop = 299), ["inception_v3"]),
    (image_preset(resize = 384, crop = 384), ["efficientnet_v2_s"]),
    (image_preset(resize = 480, crop = 480), ["efficientnet_v2_m"]),
    (_bicubic(224), ["maxvit_t"]),
    (_bicubic(232), ["swin_t"]),
    (_bicubic(238), ["swin_b"]),
    (_bicubic(246), ["swin_s"]),
    (_bicubic(256), ["efficientnet_b0"]),
    (_bicubic(260, crop = 256), ["swin_v2_s", "swin_v2_t"]),
    (_bicubic(272, crop = 256), ["swin_v2_b"]),
    (_bicubic(288, crop = 288), ["efficientnet_b2"]),
    (_bicubic(320, crop = 300), ["efficientnet_b3"]),
    (_bicubic(384, crop = 380), ["efficientnet_b4"]),
    (_bicubic(384, crop = 384), ["regnet_y_128gf"]),
    (_bicubic(456, crop = 456), ["efficientnet_b5"]),
    (_bicubic(480, crop = 480, **_HALVES), ["efficientnet_v2_l"]),
    (_bicubic(518, crop = 518), ["vit_h_14"]),
    (_bicubic(528, crop = 528), ["efficientnet_b6"]),
    (_bicubic(600, crop = 600), ["efficientnet_b7"]),
    # timm
    (_bicubic(213, crop = 192), ["nfnet_f0"]),
    (_bicubic(248), ["deit_base_distilled_patch16_224", "deit_tiny_patch16_224", "nfnet_l0", "visformer_small"]),
    (_bicubic(248, **_HALVES), ["beit_base_patch16_224"]),
    (_bicubic(256), [
        "convnextv2_atto",
        "convnextv2_femto",
        "convnextv2_nano",
        "convnextv2_pico",
        "ghostnet_050",
        "ghostnet_100",
        "ghostnet_130",
    ]),
    (_bicubic(256, **_HALVES), ["mixer_b16_224"]),
    (_bicubic(284, crop = 256, mean = [0, 0, 0], std = [1, 1, 1]), ["mobilevit_s", "mobilevit_xs", "mobilevit_xxs"]),
    # No classifiers, and those whose published weights want the photograph squashed to a square.
    (None, ["dm_nfnet_f0", "dm_nfnet_f1", "vit_base_patch14_dinov2", "vit_base_patch16_siglip_256"]),
]

_BY_NAME = {name: preset for preset, names in _OTHERS for name in names}

def image_preset_of(name):
    """The image_preset() of a classifier; None: it has none."""
    return _BY_NAME.get(name, _MOST)
