"""Claims that starlark_test() of this folder's BUILD file tests: a claim, a value and what it should be."""

load(":cases.bzl", "cases", "execution", "lowering_skips", "matching", "nondeterminism_of", "nondeterministic", "skip", "skips_of")
load(":operator_limits.bzl", "copies", "rounded_verify_of", "sums", "verify_of")
load(":textproto.bzl", "enum")
load(":tolerances.bzl", "default_verify", "precision_verify")

_ROW = cases(dtypes = ["fp32"], batches = [1], skips = [skip("too small", device = "CPU")])
_TOO_SMALL = struct(device = enum("CPU"), reason = "too small")
_INT8_WEIGHTS = struct(
    device = enum("CUDA"),
    reason = "int8_weights: aten::_weight_int8pack_mm is called for bf16 on the CPU alone",
)

SKIPS = {
    "a row's skip holds for its cases": (skips_of(_ROW, {}), [_TOO_SMALL]),
    "a lowering adds its own to those of the row": (
        skips_of(_ROW, {}, execution(lowering = "int8_weights")),
        [_TOO_SMALL, _INT8_WEIGHTS],
    ),
    "int8_dynamic is skipped on CUDA, with its kernel's limit": (
        lowering_skips(execution(lowering = "int8_dynamic")),
        [struct(
            device = enum("CUDA"),
            reason = "int8_dynamic: quantized::linear_dynamic has kernels for float32 on the CPU alone",
        )],
    ),
    "nvfp4_dynamic is skipped on the CPU and on older GPUs": (
        ["%s %s" % (s.device, getattr(s, "below_capability", "all")) for s in lowering_skips(execution(lowering = "nvfp4_dynamic"))],
        ["%s all" % enum("CPU"), "%s 10.0" % enum("CUDA")],
    ),
    "fp8_dynamic runs on every device": (lowering_skips(execution(lowering = "fp8_dynamic")), []),
    "merged branches run on every device": (lowering_skips(execution(lowering = "merged_branches")), []),
    "an execution without a lowering skips nothing": (lowering_skips(execution(autocast = "bf16")), []),
    "the plain execution skips nothing": (lowering_skips(None), []),
}

_GATHERS = cases(
    dtypes = ["fp32"],
    batches = [1],
    nondeterministic = [
        nondeterministic("adds atomically", outputs = ["self.grad"]),
        nondeterministic("runs on two streams", where = matching(dtype = ["bf16"])),
    ],
)

def _on_cuda(reason, outputs):
    return struct(device = enum("CUDA"), outputs = outputs, reason = reason)

NONDETERMINISM = {
    "a gradient may differ in a case that has it": (
        nondeterminism_of(_GATHERS, {"dtype": "fp32"}, ["result", "self.grad"]),
        [_on_cuda("adds atomically", ["self.grad"])],
    ),
    "a case without the gradient has no such output": (nondeterminism_of(_GATHERS, {"dtype": "fp32"}, ["result"]), []),
    "without names all outputs may differ, where the condition holds": (
        nondeterminism_of(_GATHERS, {"dtype": "bf16"}, ["result"]),
        [_on_cuda("runs on two streams", [])],
    ),
    "a model's outputs are not known here": (
        nondeterminism_of(_GATHERS, {"dtype": "fp32"}),
        [_on_cuda("adds atomically", ["self.grad"])],
    ),
}

_PRODUCT = [(sums("k"), 4096), (copies(), 0)]

def _numbers(limits):
    return [limits.rms_limit, limits.max_limit]

LIMITS_OF_PRECISIONS = {
    "TF32 has the limits of fp16, which has as many bits": (_numbers(precision_verify("high")), _numbers(default_verify("fp16"))),
    "products of bf16 have those of bf16": (_numbers(precision_verify("medium")), _numbers(default_verify("bf16"))),
    "an operator's sums of bf16 products have those of bf16": (
        _numbers(rounded_verify_of(_PRODUCT)["medium"]),
        _numbers(verify_of(_PRODUCT, "bf16")),
    ),
    # 2^-10 + 8*sqrt(4096)*2^-24, and eight times that; 2^-24 / 2 of copies.
    "an operator's sums of TF32 products have twice TF32's unit roundoff, and copies stay copies": (
        rounded_verify_of(_PRODUCT)["high"],
        struct(
            rule = enum("RELATIVE_TO_STD"),
            rms_limit = 1.0 / (1 << 10) + 512.0 / (1 << 24),
            max_limit = 8.0 / (1 << 10) + 4096.0 / (1 << 24),
            rtol = 1.0 / (1 << 25),
            provenance = "error model of defs/operator_limits.bzl: sums(n = 4096), copies; operands of products in TF32",
        ),
    ),
    "what holds no sum has no products": (rounded_verify_of([(copies(), 0)]).items(), []),
}
