"""Float64 that is float64 throughout, for models that ask for less inside.

`module.double()` is not enough: Hugging Face models cast to float32 in norms, rotary embeddings and softmax, diffusers
in the time embedding. Such a "float64" output differs from the true one by 2e-7 of its standard deviation, a third of
the float32 error that a test is to measure. Within true_float64(), every request for a smaller floating type, made by
a cast or a dtype argument, means float64; and an operator that yields one all the same (a cast in a nested function,
which requests cannot show) is an error instead of a quiet loss.

Constants that a model keeps rounded to float32 (the inv_freq of rotary embeddings) stay so: build the module before.

    module.double()
    with torch.inference_mode(), true_float64():
        y = module(x)
"""

import contextlib

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

_SMALLER = (torch.float32, torch.float16, torch.bfloat16)
_CASTS = (torch.Tensor.float, torch.Tensor.half, torch.Tensor.bfloat16)


def _widen(value):
    # `in` would compare tensors with dtypes elementwise.
    return torch.float64 if any(value is dtype for dtype in _SMALLER) else value


class _WidenRequests(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        if func in _CASTS:
            return args[0].double()
        return func(*map(_widen, args), **{name: _widen(value) for name, value in (kwargs or {}).items()})


class LossOfPrecision(RuntimeError):
    """An operator inside true_float64() made a tensor of a smaller floating type."""


class _RefuseSmaller(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for leaf in pytree.tree_leaves(result):
            if isinstance(leaf, torch.Tensor) and leaf.dtype in _SMALLER:
                raise LossOfPrecision("%s made %s inside a float64 reference" % (func, leaf.dtype))
        return result


@contextlib.contextmanager
def true_float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with _RefuseSmaller(), _WidenRequests():
            yield
    finally:
        torch.set_default_dtype(before)
