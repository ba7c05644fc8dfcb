"""Rewrites models/*/testdata from the families' reference.py: tools/bazel run //tools/goldens:model_goldens_update

One file for each model whose reference is INDEPENDENT, testdata/<model>.txt beside its reference.py, with a line of
provenance and then

    parameters N                        elements of trainable tensors, each counted once
    flops F                             torch.utils.flop_counter, forward alone, for the inputs that follow
    input <name> <dtype> <shape>        of two rows or more, as the model's fp32 cases are verified
    norm <operator> eps E [momentum M] xN <first> .. <last>    what a call in training shows: N neighbours that are
    drops elements|rows P xN, ...                              alike (benchmarks/harness/goldens/training_watch.h)
    state <name> <dtype> <shape>        the state_dict, in its order

//benchmarks/<family>:model_golden_test compares our C++ with it (benchmarks/harness/goldens/model_golden_test.cc). The
registry says which models there are and with which parameters. Nothing is computed: models and inputs are on the meta device.
Run it after a new model or an upgrade of torchvision or transformers, and read the diff.

    ... -- --filter=resnet              # only models that the regular expression finds
"""

import argparse
import os
import re
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from tools.artifacts.generate import compute, registry
from tools.goldens import training_watch

_ROWS = 2
_REGISTRY = "benchmarks/registry.json"
_DTYPES = {"FP32": torch.float32, "INT64": torch.int64, "INT32": torch.int32, "BOOL": torch.bool}


class _AnswerNo(TorchDispatchMode):
    """Tensors of the meta device hold no values; a model that asks for one (is this mask all ones?) gets zero, "no"."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten._local_scalar_dense.default:
            return torch.zeros((), dtype=args[0].dtype).item()
        return func(*args, **(kwargs or {}))


def verified_cases(cases):
    """The case of each model that its golden is about: the first in fp32 that evaluates all rows of its reference, two at least."""
    chosen = {}
    for case in cases:
        all_rows = case.dtype == "FP32" and case.batch >= _ROWS and not case.training
        if case.reference == registry.INDEPENDENT and all_rows:
            chosen.setdefault((case.script, case.model), case)
    return list(chosen.values())


def tensor_line(what, name, tensor):
    dtype, shape = str(tensor.dtype).replace("torch.", ""), "x".join(map(str, tensor.shape)) or "scalar"
    return "%s %s %s %s" % (what, name, dtype, shape)


def golden_lines(script, case):
    with torch.device("meta"):
        module = script.build(case.parameters).eval().requires_grad_(False)  # the counter trips over views of parameters
        inputs = {i.name: torch.empty(i.shape, dtype=_DTYPES[i.dtype]) for i in case.inputs}
    with torch.no_grad(), FlopCounterMode(display=False) as counter, _AnswerNo():
        script.forward(module, inputs)
    yield "# %s on torch %s, by %s; made by tools/goldens/model_goldens.py" % (
        script.provenance(), torch.__version__.split("+")[0], case.script)
    yield "parameters %d" % sum(parameter.numel() for parameter in module.parameters())
    yield "flops %d" % counter.get_total_flops()
    for name, tensor in inputs.items():
        yield tensor_line("input", name, tensor)
    with _AnswerNo():
        yield from training_watch.lines(module, lambda: script.forward(module, inputs))
    for name, tensor in module.state_dict().items():
        yield tensor_line("state", name, tensor)


def main():
    root = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not root:
        sys.exit("start it with: tools/bazel run //tools/goldens:model_goldens_update")
    flags = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags.add_argument("--filter", default="", help="regular expression for the models' names")
    wanted = re.compile(flags.parse_args().filter)
    cases, _ = registry.read(_REGISTRY)
    for case in verified_cases(cases):
        if not wanted.search(case.model):
            continue
        path = os.path.join(os.path.dirname(case.script), "testdata", case.model + ".txt")
        lines = list(golden_lines(compute.Family(case.script).script, case))
        os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
        with open(os.path.join(root, path), "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        print(path)


if __name__ == "__main__":
    main()
