"""Traces the reference of a FlashInfer-Trace definition once for each workload, for //tools:kernel (tools/kernel/request/flashinfer.h).

    python3 tools/kernel/request/flashinfer_reference.py definition.json workload.jsonl FOLDER SEED

For workload N, FOLDER gets N.exact.pt and N.own.pt: run() as TorchScript, every floating-point number in float64, and in the
definition's dtypes. Inputs that other numbers may not replace, those of files and integers, are buffers of N.own.pt.

Exit code 3: the definition or a workload is wrong; 4: Python lacks torch.
"""

import json
import os
import sys

try:
    import torch
except ImportError:
    sys.exit(4)

# This tree, before what PYTHONPATH names: a program in place of Python may set that itself.
sys.path.insert(0, os.path.abspath(os.path.join(os.path.dirname(__file__), "../../..")))

from tools.artifacts.generate.true_float64 import true_float64

_RANGES = {"int8": (-128, 128), "int16": (-1024, 1024), "int32": (-1024, 1024), "int64": (-1024, 1024), "bool": (0, 2)}


class _Reference(torch.nn.Module):
    """run() with the scalars of a workload."""

    def __init__(self, run, arguments, outputs, fixed):
        super().__init__()
        self._run, self._arguments, self._outputs = run, arguments, outputs
        for name, tensor in fixed.items():
            self.register_buffer("fixed_" + name, tensor)

    def forward(self, *tensors):
        tensors = iter(tensors)
        result = self._run(*[next(tensors) if a is None else a for a in self._arguments])
        if isinstance(result, dict):
            result = tuple(result[name] for name in self._outputs)
        return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def _of_file(path, key):
    with open(path, "rb") as file:
        size = int.from_bytes(file.read(8), "little")
        entry, data = json.loads(file.read(size))[key], file.read()
    dtypes = {"F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64", "I32": "int32", "I16": "int16",
              "I8": "int8", "BOOL": "bool"}
    begin, end = entry["data_offsets"]
    tensor = torch.frombuffer(bytearray(data[begin:end]), dtype=getattr(torch, dtypes[entry["dtype"]]))
    return tensor.reshape(entry["shape"])


def _inputs_of(definition, workload, root):
    """The values in the order of run(): a tensor, or a number; and the names of tensors that stay as they are."""
    values, fixed = [], set()
    axes = {name: axis.get("value", workload["axes"].get(name)) for name, axis in definition["axes"].items()}
    for constraint in definition.get("constraints") or []:
        if not eval(constraint, {}, axes):
            raise ValueError("the constraint %s does not hold" % constraint)
    for name, spec in definition["inputs"].items():
        source = workload["inputs"].get(name, {"type": "random"})
        if source["type"] == "scalar":
            values.append(source["value"])
            continue
        shape, dtype = [axes[axis] for axis in spec["shape"] or []], getattr(torch, spec["dtype"])
        if source["type"] == "safetensors":
            value = _of_file(os.path.join(root, source["path"]), source["tensor_key"])
            if list(value.shape) != shape or value.dtype != dtype:
                raise ValueError("%s is %s %s, not %s %s" % (name, value.dtype, list(value.shape), dtype, shape))
            fixed.add(name)
        elif spec["dtype"] in _RANGES:
            value = torch.randint(*_RANGES[spec["dtype"]], shape).to(dtype)
            fixed.add(name)
        else:
            value = torch.randn(shape).to(dtype)
        values.append(value)
    return values, fixed


def _trace(definition, workload, root, run, path):
    values, fixed = _inputs_of(definition, workload, root)
    names = list(definition["inputs"])
    kept = {name: value for name, value in zip(names, values) if name in fixed}
    arguments = [None if isinstance(value, torch.Tensor) else value for value in values]
    module = _Reference(run, arguments, list(definition["outputs"]), kept)
    tensors = [value for value in values if isinstance(value, torch.Tensor)]
    with torch.no_grad():
        torch.jit.trace(module, tuple(tensors), check_trace=False).save(path + ".own.pt")
        wide = tuple(t.double() if t.is_floating_point() else t for t in tensors)
        with true_float64():
            exact = torch.jit.trace(_Reference(run, arguments, list(definition["outputs"]), {}), wide, check_trace=False)
        exact.save(path + ".exact.pt")


def main(definition_path, workload_path, folder, seed):
    with open(definition_path, encoding="utf-8") as file:
        definition = json.load(file)
    names = {}
    exec(compile(definition["reference"], definition_path + ": reference", "exec"), names)
    with open(workload_path, encoding="utf-8") as file:
        workloads = [json.loads(line) for line in file if line.strip()]
    torch.manual_seed(int(seed) % 2**63)
    for index, line in enumerate(workloads):
        workload = line.get("workload", line)
        try:
            _trace(definition, workload, os.path.dirname(workload_path), names["run"], os.path.join(folder, str(index)))
        except Exception as error:  # whatever the reference raises
            print("workload %s: %s: %s" % (workload.get("uuid", index), type(error).__name__, error), file=sys.stderr)
            return 3
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
