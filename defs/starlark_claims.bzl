"""What starlark_test() of this folder's BUILD file holds to: a claim, a value and what it should be."""

load(":cases.bzl", "cases", "execution", "lowering_skips", "matching", "nondeterminism_of", "nondeterministic", "skip", "skips_of")
load(":textproto.bzl", "enum")

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
