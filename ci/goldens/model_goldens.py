"""Rewrites models/*/testdata from the families' reference.py: tools/bazel run //ci/goldens:model_goldens_update

An INDEPENDENT reference states these lines for each of a family's models. testdata/goldens.txt beside reference.py holds their
numbers and two digests (golden_table.py):

    parameters N                        elements of trainable tensors, each counted once
    flops F                             torch.utils.flop_counter, forward alone, for the inputs that follow; "unknown"
                                        where there is a Fourier transform, which it does not count
    input <name> <dtype> <shape>        of two rows or more, as the model's fp32 cases are verified
    norm <operator> eps E [momentum M] xN <first> .. <last>    what a call in training shows: N neighbours that are
    drops elements|rows P xN, ...                              alike (benchmarks/harness/goldens/training_watch.h)
    state <name> <dtype> <shape>        the state_dict, in its order

//benchmarks/<family>:model_golden_test compares our C++ with it (benchmarks/harness/goldens/model_golden_test.cc), and where
they differ writes our lines to a file. The registry says which models there are and with which parameters. Nothing is computed:
models and inputs are on the meta device. Run it after a new model or an upgrade of torchvision, torchaudio, timm or
transformers. After an upgrade each digest that changed has a test that fails: its --diff shows what the upgrade changed.

    ... -- --filter=resnet              # only families with a model that the regular expression finds
    ... -- --show=resnet18              # prints the reference's lines; writes nothing
    ... -- --diff=FILE                  # prints where they differ from those that the test wrote to FILE; writes nothing
"""

import argparse
import os
import re
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from tools.artifacts.generate import compute, registry
from ci.goldens import golden_table, training_watch

_ROWS = 2
_REGISTRY = "benchmarks/registry.json"
_FLOATS = ("FP32", "FP64")
_DTYPES = {"FP32": torch.float32, "FP64": torch.float64, "INT64": torch.int64, "INT32": torch.int32, "BOOL": torch.bool}


class _AnswerNo(TorchDispatchMode):
    """Tensors of the meta device hold no values; a model that asks for one (is this mask all ones?) gets zero, "no"."""

    transforms = False  # whether a Fourier transform was called

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        self.transforms |= func.name().startswith("aten::_fft_")
        if func is torch.ops.aten._local_scalar_dense.default and args[0].is_meta:
            return torch.zeros((), dtype=args[0].dtype).item()
        if func is torch.ops.aten.equal.default and args[0].is_meta:  # istft: is its window nearly zero?
            return False
        return func(*args, **(kwargs or {}))


def verified_cases(cases):
    """The case of each model that its golden is about: the first that evaluates all rows of its reference, two at least, in fp32,
    or in fp64 where the model has none in fp32."""
    chosen = {}
    for case in sorted(cases, key=lambda case: case.dtype):
        all_rows = case.dtype in _FLOATS and case.rows >= case.batch >= _ROWS and not case.training
        if case.reference == registry.INDEPENDENT and all_rows:
            chosen.setdefault((case.script, case.model), case)
    return list(chosen.values())


def tensor_line(what, name, tensor):
    dtype, shape = str(tensor.dtype).replace("torch.", ""), "x".join(map(str, tensor.shape)) or "scalar"
    return "%s %s %s %s" % (what, name, dtype, shape)


def golden_lines(script, case):
    with torch.device("meta"):
        # torch.FloatTensor() heeds no device; the counter trips over views of parameters.
        module = script.build(case.parameters).to("meta").eval().requires_grad_(False)
        inputs = {i.name: torch.empty(i.shape, dtype=_DTYPES[i.dtype]) for i in case.inputs}
    with torch.no_grad(), FlopCounterMode(display=False) as counter, _AnswerNo() as answering:
        script.forward(module, inputs)
    yield "parameters %d" % sum(parameter.numel() for parameter in module.parameters())
    yield "flops unknown" if answering.transforms else "flops %d" % counter.get_total_flops()
    for name, tensor in inputs.items():
        yield tensor_line("input", name, tensor)
    with _AnswerNo():
        yield from training_watch.lines(module, lambda: script.forward(module, inputs))
    for name, tensor in module.state_dict().items():
        yield tensor_line("state", name, tensor)


def shown(cases, model, path):
    """The reference's lines of the model, or how they differ from those in the file."""
    case = next((case for case in cases if case.model == model), None)
    if case is None:
        sys.exit("no model named %r has a reference.py; docs/data/models.md lists the models" % model)
    lines = list(golden_lines(compute.Family(case.script).script, case))
    if not path:
        return "\n".join(lines)
    try:
        return golden_table.diff(lines, golden_table.written_lines(path), case.script).rstrip() or "the two are equal"
    except OSError as error:
        sys.exit("%s; the family's model_golden_test writes it where it fails, and says its name" % error)


def table(path, cases):
    """The text of goldens.txt beside this reference.py, of these cases."""
    script = compute.Family(path).script
    made_by = (script.provenance(), torch.__version__.split("+")[0], path)
    rows = [golden_table.row(case.model, golden_lines(script, case)) for case in cases]
    return golden_table.table("%s on torch %s, by %s; made by ci/goldens/model_goldens.py" % made_by, rows)


def main():
    root = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not root:
        sys.exit("start it with: tools/bazel run //ci/goldens:model_goldens_update")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    flags = parser.add_mutually_exclusive_group()
    flags.add_argument("--filter", default="", help="only families with a model that this regular expression finds")
    flags.add_argument("--show", default="", metavar="MODEL", help="print the reference's lines of this model")
    flags.add_argument("--diff", default="", metavar="FILE", help="print where the lines in this <model>.txt differ from them")
    given = parser.parse_args()
    cases = verified_cases(registry.read(_REGISTRY)[0])
    if given.show or given.diff:
        model = given.show or os.path.basename(given.diff).removesuffix(".txt")
        print(shown(cases, model, given.diff and os.path.join(root, given.diff)))
        return
    try:
        wanted = {case.script for case in cases if re.search(given.filter, case.model)}
    except re.error as error:
        sys.exit("--filter=%s is not a regular expression: %s" % (given.filter, error))
    if not wanted:
        sys.exit("no model's name has %r in it; docs/data/models.md lists the models" % given.filter)
    for path in sorted(wanted):
        # All of the family's models, so that the head of its table is true of each row.
        text = table(path, [case for case in cases if case.script == path])
        target = os.path.join(os.path.dirname(path), "testdata", "goldens.txt")
        os.makedirs(os.path.dirname(os.path.join(root, target)), exist_ok=True)
        with open(os.path.join(root, target), "w", encoding="utf-8") as file:
            file.write(text)
        print(target)


if __name__ == "__main__":
    main()
