"""Scaled dot product attention with each of its back ends. Sizes: b rows, n heads, s queries and keys, d width of a head."""

load("//defs:cases.bzl", "nondeterministic", "skip")
load("//defs:nondeterminism.bzl", "FUSED_ATTENTION")
load("//defs:operator_limits.bzl", "sums")
load("//defs:operators.bzl", "at", "operator", "result")
load("//defs:variants.bzl", "input")

_TENSORS = [input(name, ["b", "n", "s", "d"]) for name in ["query", "key", "value"]]

# Scores are sums of d terms and outputs sums of s. Between them, kernels round the weights and their gradients to the
# dtype for the second product.
_RESULT = result("result", ["b", "n", "s", "d"], sums("s*d", roundings = 2))
_CAUSAL_RESULT = result("result", ["b", "n", "s", "d"], sums("s*d", roundings = 2, largest = 64))
_GRADIENTS = {i.name: sums("s*d", roundings = 5) for i in _TENSORS}

# All queries attend to the first keys, so their gradients are many times as large as those of the last ones.
_CAUSAL_GRADIENTS = {i.name: sums("s*d", roundings = 5, largest = 64) for i in _TENSORS}

# A head of BERT, of GPT-2 with its context, of Llama 3.
_LARGE = [at(b = 32, n = 12, s = 128, d = 64), at(b = 4, n = 12, s = 1024, d = 64), at(b = 1, n = 32, s = 2048, d = 128)]
_SIZES = [at(b = 2, n = 3, s = 64, d = 32)] + _LARGE

_FUSED = [nondeterministic(FUSED_ATTENTION, outputs = ["query.grad"])]

def _attention(name, call, arguments = {}, skips = [], dtypes = ["fp32", "bf16"], nondeterministic = _FUSED, truth = "aten::_scaled_dot_product_attention_math"):
    return operator(
        name,
        call = call,
        inputs = _TENSORS,
        arguments = arguments,
        outputs = [_CAUSAL_RESULT if "is_causal" in arguments else _RESULT],
        gradients = _CAUSAL_GRADIENTS if "is_causal" in arguments else _GRADIENTS,
        rows = "b",
        independent_rows = 1,
        dtypes = dtypes,
        skips = skips,
        nondeterministic = nondeterministic,
        sizes = _SIZES,
        truth = truth,
    )

def _cuda(name, call, arguments, dtypes):
    reason = "%s has kernels for CUDA alone; on the CPU there are sdpa_flash_cpu and sdpa_math" % call
    return _attention(name, call, arguments, [skip(reason, device = "CPU")], dtypes)

# The schemas have no defaults for these, and the operator that computes the reference does not have them.
_WITH_BIAS = {"attn_bias": None, "compute_log_sumexp": True}

_NOT_ON_CUDA = [skip("aten::_scaled_dot_product_flash_attention_for_cpu has a kernel for the CPU alone", device = "CUDA")]

ATTENTION = [
    # This operator chooses a back end itself, by device, dtype and sizes.
    _attention("sdpa", "aten::scaled_dot_product_attention"),
    _attention("sdpa_causal", "aten::scaled_dot_product_attention", {"is_causal": True}),
    _attention("sdpa_math", "aten::_scaled_dot_product_attention_math", nondeterministic = [], truth = ""),
    _attention("sdpa_flash_cpu", "aten::_scaled_dot_product_flash_attention_for_cpu", skips = _NOT_ON_CUDA, nondeterministic = []),
    _cuda("sdpa_flash", "aten::_scaled_dot_product_flash_attention", {}, ["bf16", "fp16"]),
    _cuda("sdpa_efficient", "aten::_scaled_dot_product_efficient_attention", _WITH_BIAS, ["fp32", "bf16", "fp16"]),
    _cuda("sdpa_cudnn", "aten::_scaled_dot_product_cudnn_attention", _WITH_BIAS, ["bf16", "fp16"]),
]
