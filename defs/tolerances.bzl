"""Default limits for comparing outputs with their float64 reference, by dtype and with their source.

They are in units of the reference's standard deviation. The reference is given the weights and inputs rounded to the case's
dtype, so only the rounding of the computation itself is left. They leave a factor of 7 and more above the families of
this tree in fp32 and fp64, of 2 in bf16 (bert: max 0.18). A family that needs others sets its own in its case table.
"""

load(":textproto.bzl", "enum")

# dtype -> (rms limit, max limit, provenance)
_RELATIVE_TO_STD = {
    "bf16": (5e-2, 3e-1, "seeded recipe, 12 model families measured against float64: rms 0.2 to 1.5 % of std, max 0.14"),
    "fp16": (1e-2, 5e-2, "seeded recipe, 12 model families measured against float64: rms 4e-4 to 2.5e-3 of std, max 2.2e-2"),
    "fp32": (1e-5, 1e-4, "seeded recipe, 12 model families measured against float64: rms 1e-7 to 1.4e-6 of std, max 9e-6"),
    "fp64": (1e-11, 1e-10, "fp32's limits scaled by the ratio of the unit roundoffs, 2^-29, with 500 times to spare"),
}

# lowering -> dtype of the case -> the same; one that is not here keeps the limits of the dtype
_LOWERED = {
    "int8_dynamic": {
        "fp32": (2.5e-1, 1.2, "seeded recipe, measured against float64: bert_base b1 and b8, s8 and s128 rms 0.09 to 0.11 of std, max 0.56; gpt2_tiny 0.10, 0.30; vit_b_16 0.03, 0.09"),
    },
    "int4_weights": {
        dtype: (9e-1, 4, "seeded recipe, measured against float64: gpt2_tiny s128 in bf16, fp16 and fp32 rms 0.24 to 0.25 of std, max 1.0; b1 s128 in bf16: bert_base 0.24, 1.1; tinyllama_2l 0.28, 0.84; gpt2 0.64, 1.8")
        for dtype in ["bf16", "fp16", "fp32"]
    },
    "int8_static": {
        "fp32": (6e-2, 2e-1, "seeded recipe, measured against float64 on a CPU with AVX-512 VNNI; up to the integer 127 activations need no VNNI: resnet18 b1 rms 0.026 of std, max 0.07; resnet50 b1 to b128 0.028, 0.08; resnet152 b1 0.029, 0.09; resnext101_32x8d b1 0.034, 0.09; mobilenet_v2 b1 0.033, 0.08, b8 to b128 0.031, 0.10; with 64 pixels resnet18 0.037, 0.10, mobilenet_v2 0.040, 0.13"),
    },
    "fp8_dynamic": {
        "bf16": (7e-1, 3.5, "seeded recipe, measured against float64: bert_tiny s8 rms 0.06 of std, max 0.19; gpt2_tiny s128 0.15, 0.57; b1 s128: bert_base 0.12, 0.52; tinyllama_2l 0.16, 0.50; gpt2 0.49, 1.7"),
    },
    "mxfp8_dynamic": {
        "bf16": (7e-1, 3.5, "those of fp8_dynamic; seeded recipe, emulated on a CPU, against float64: bert_tiny s8 rms 0.06 of std, max 0.23; gpt2_tiny s128 0.15, 0.59; bert_base b1 s128 0.17, 1.1; not measured: gpt2, tinyllama_2l, a GPU"),
    },
    "nvfp4_dynamic": {
        "bf16": (9e-1, 5, "seeded recipe, emulated on a CPU, against float64: bert_tiny s8 rms 0.26 of std, max 1.2; gpt2_tiny s128 0.46, 2.0; bert_base b1 s128 0.51, 2.6; not measured: gpt2, tinyllama_2l, a GPU"),
    },
}

# The dtype to which float32 products are rounded under --matmul-precision -> the same. On CUDA "high" and "medium" are TF32, on the CPU "medium"
# is bf16 (RoundingOf() in execution_names.h).
_ROUNDED_PRODUCTS = {
    "high": _RELATIVE_TO_STD["fp16"][:2] + ("fp16's limits: TF32 has the 11 bits of fp16's significand, and products are added in float32, too. " +
                                            "Of fp16: " + _RELATIVE_TO_STD["fp16"][2],),
    "medium": _RELATIVE_TO_STD["bf16"][:2] + ("bf16's limits, since products have operands of bf16 and are added in float32, too. " +
                                              "Of bf16: " + _RELATIVE_TO_STD["bf16"][2],),
}

# precision -> the dtype with as many bits: limits that a table has for it hold under that precision too
DTYPE_OF_PRECISION = {"high": "fp16", "medium": "bf16"}

# The rules for a case.
_RULES = ["RELATIVE_TO_STD", "ALLCLOSE", "DYNAMO_SAME", "COSINE", "MEAN_RELATIVE", "DETECTIONS"]

DTYPES_WITH_LIMITS = sorted(_RELATIVE_TO_STD)

def default_verify(dtype, batch = None):
    """suite.proto's VerifyParameters for a dtype without limits of its own, over this many rows; None for an unknown dtype."""
    row = _RELATIVE_TO_STD.get(dtype)
    return verify(rms_limit = row[0], max_limit = row[1], batch = batch, provenance = row[2]) if row else None

LOWERED_DTYPES = [(lowering, dtype) for lowering in sorted(_LOWERED) for dtype in sorted(_LOWERED[lowering])]

def lowering_limits(lowering, dtype, own = None):
    """suite.proto's ExecutionLimits of cases in this dtype that are lowered so; `own`: a family's verify() in place of the default."""
    if not own:
        rms_limit, max_limit, provenance = _LOWERED[lowering][dtype]
        own = verify(rms_limit = rms_limit, max_limit = max_limit, provenance = provenance)
    return struct(dtype = enum(dtype.upper()), lowering = lowering, verify = own)

def precision_verify(precision):
    """VerifyParameters of float32 cases whose products are rounded as this --matmul-precision rounds them."""
    rms_limit, max_limit, provenance = _ROUNDED_PRODUCTS[precision]
    return verify(rms_limit = rms_limit, max_limit = max_limit, provenance = provenance)

def detections(corner_limit, score_limit, provenance, **more):
    """verify() of boxes that are compared as sets, all of which must be found: corners in pixels."""
    return verify(rule = "DETECTIONS", corner_limit = corner_limit, score_limit = score_limit, matched_min = 1.0, provenance = provenance, **more)

def verify(provenance, rule = "RELATIVE_TO_STD", rms_limit = None, max_limit = None, atol = None, rtol = None, multiplier = None, larger_multiplier = None, cosine_min = None, mean_relative_limit = None, iou_min = None, batch = None, gradient_factor = None, corner_limit = None, score_limit = None, matched_min = None):
    """Limits of a case table (suite.proto: VerifyParameters); `provenance` says where they come from.

    Which rule reads which: docs/accuracy.md.
    """
    if not provenance:
        fail("verify: limits without provenance are refused")
    if rule not in _RULES:
        fail("verify: rule %r cannot be chosen; one of %s (EXACT is the rule of every integer output; IOU one of boolean outputs: output(rule = \"IOU\"), with iou_min here)" % (rule, ", ".join(_RULES)))
    return struct(
        rule = enum(rule),
        rms_limit = rms_limit,
        max_limit = max_limit,
        atol = atol,
        rtol = rtol,
        multiplier = multiplier,
        larger_multiplier = larger_multiplier,
        cosine_min = cosine_min,
        mean_relative_limit = mean_relative_limit,
        iou_min = iou_min,
        batch = batch,
        gradient_factor = gradient_factor,
        corner_limit = corner_limit,
        score_limit = score_limit,
        matched_min = matched_min,
        provenance = provenance,
    )

# Limits for training cases under autocast: the defaults, except for elements of gradients. ReLUs that rounding opens or
# closes change single ones by their own size.
AUTOCAST_TRAINING = {
    "bf16": verify(rms_limit = 5e-2, max_limit = 3e-1, gradient_factor = 10, provenance = "mlp b8, resnet18 b8 r64: gradients rms 0.07 and 0.36, max 1.1 and 1.9 of std"),
    "fp16": verify(rms_limit = 5e-2, max_limit = 3e-1, gradient_factor = 10, provenance = "resnet18 b8 r64: gradients rms 0.28, max 2.1 of std"),
}
