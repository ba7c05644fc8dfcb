"""Parts of optimizers: operators on lists of tensors. Size: n elements of each of three tensors.

The functional forms, which return new tensors. Optimizers call those that write to their arguments (_foreach_add_,
_fused_adamw_); their kernels are the same, with a copy less.
"""

load("//defs:cases.bzl", "matching", "skip")
load("//defs:operator_limits.bzl", "copies", "relative")
load("//defs:operators.bzl", "at", "operator", "result")
load("//defs:variants.bzl", "input", "uniform")

_COUNT = 3
_SIZES = [at(n = 2048), at(n = 1 << 20)]
_POSITIVE = uniform(low = 0.1, high = 1)

def _list(name, distribution = uniform(), shape = ["n"], dtype = None):
    return [input("%s.%d" % (name, i), shape, distribution, dtype) for i in range(_COUNT)]

def _results(name, error):
    return [result("%s%d" % (name, i), ["n"], error) for i in range(_COUNT)]

def _foreach(name, call, lists, arguments = {}, distribution = uniform()):
    return operator(
        name,
        call = call,
        inputs = [i for list_name in lists for i in _list(list_name, distribution)],
        arguments = arguments,
        outputs = _results("result", relative(roundings = 2)),
        sizes = _SIZES,
    )

# An update is at most a hundredth of a weight, so little of its own error remains in the result.
_UPDATED = relative(functions = 32)

_ADAM = {
    "amsgrad": False,
    "beta1": 0.9,
    "beta2": 0.999,
    "eps": 1e-8,
    "lr": 0.01,
    "max_exp_avg_sqs": [],
    "maximize": False,
    "weight_decay": 0.01,
}

def _adam(name):
    return operator(
        name,
        call = "aten::_" + name,
        inputs = _list("self") + _list("grads") + _list("exp_avgs") + _list("exp_avg_sqs", _POSITIVE) +
                 _list("state_steps", uniform(low = 10, high = 100), shape = [], dtype = "FP32"),
        arguments = _ADAM,
        outputs = _results("weight", _UPDATED) + _results("gradient", copies()) + _results("mean", _UPDATED) + _results("square", _UPDATED),
        sizes = _SIZES,
    )

OPTIMIZERS = [
    _foreach("foreach_add", "aten::_foreach_add.List", ["self", "other"], {"alpha": 0.5}),
    _foreach("foreach_mul", "aten::_foreach_mul.List", ["self", "other"]),
    _foreach("foreach_sqrt", "aten::_foreach_sqrt", ["self"], distribution = _POSITIVE),
    _foreach("foreach_addcmul", "aten::_foreach_addcmul.Scalar", ["self", "tensor1", "tensor2"], {"value": 0.5}),
    operator(
        "fused_sgd",
        call = "aten::_fused_sgd",
        inputs = _list("self") + _list("grads") + _list("momentum_buffer_list"),
        arguments = {
            "dampening": 0.0,
            "is_first_step": False,
            "lr": 0.01,
            "maximize": False,
            "momentum": 0.9,
            "nesterov": False,
            "weight_decay": 0.01,
        },
        outputs = _results("weight", _UPDATED) + _results("gradient", copies()) + _results("momentum", _UPDATED),
        skips = [skip(
            "aten::_fused_sgd of LibTorch 2.11.0 returns wrong momentum in bf16, another in each call",
            device = "CPU",
            where = matching(dtype = ["bf16"]),
        )],
        sizes = _SIZES,
    ),
    _adam("fused_adam"),
    _adam("fused_adamw"),
]
