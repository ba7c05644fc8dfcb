"""Writes a converted module (traced_graph.py) in the formats of export_model. Needs torch; ONNX's packages for onnx alone.

    WRITERS["aoti"](module, traced, "model.pt2")

Each first takes the module through torch.export and compares what that computes of the traced inputs with what the traced module
does: Different, where they are apart.
"""

import glob
import os
import shutil
import subprocess
import tempfile

import torch

from tools.export.traced_graph import Unconvertible, outputs

_OPSET = 20
# A share of the output's standard deviation; by dtype, since the two may add in another order.
_AGREEMENT = {torch.float64: 1e-9, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 5e-2}


class Different(Exception):
    """The converted module computes something else."""


class ToolError(Exception):
    """A program that the format needs is not there, or failed."""


def forms(tensors):
    """Dtypes and shapes, as benchmarks/backends/module_backend.h reads them: float32[1,3,224,224] int64[1,128]."""
    return " ".join("%s[%s]" % (str(t.dtype).split(".")[1], ",".join(map(str, t.shape))) for t in tensors)


def copy(source, path):
    shutil.copyfile(source, path)


def write_pt2(module, traced, path):
    torch.export.save(_exported(module, traced), _ending(path, ".pt2"))
    _rename(_ending(path, ".pt2"), path)


def write_aoti(module, traced, path):
    program = _exported(module, traced)
    with tempfile.TemporaryDirectory(prefix="assay_inductor.") as cache, _environment(
        TORCHINDUCTOR_CACHE_DIR=cache, CPATH=_include_folders()
    ):
        _check_compiler()
        try:
            with torch.no_grad():  # else nothing is frozen
                torch._inductor.aoti_compile_and_package(
                    program,
                    package_path=_ending(path, ".pt2"),
                    inductor_configs=_inductor_configs(traced),
                )
        except Exception as error:  # the compiler's, Inductor's, Triton's: as many types as there are models
            raise _failed("AOTInductor", error) from None
    _rename(_ending(path, ".pt2"), path)


def write_onnx(module, traced, path):
    program = _exported(module, traced)
    try:
        onnx = torch.onnx.export(program, traced.inputs, opset_version=_OPSET, dynamo=True, verbose=False,
                                 custom_translation_table={torch.ops.aten.sort.stable: _stable_sort})
        onnx.save(path, external_data=False)
    except Exception as error:
        raise _failed("torch.onnx", error) from None


def _stable_sort(self, *, stable=None, dim=-1, descending=False):
    """torch.onnx knows sort.default alone: ONNX's TopK, which keeps the order of equals, as its specification says."""
    from onnxscript.function_libs.torch_lib.ops.core import aten_sort  # ONNX's packages are there for this format alone

    return aten_sort(self, dim, descending)


def _inductor_configs(traced):
    return {
        # Weights are the file's own: batch norms are folded into convolutions, and weights laid out as oneDNN wants them.
        "freezing": True,
        # As many threads as the process has when it calls, not as there are here.
        "cpp.dynamic_threads": True,
        # The library's symbols are those of whoever loads it: libtorch.so would bring libtorch_cuda.so.
        "aot_inductor.link_libtorch": False,
        "aot_inductor.metadata": {"assay_inputs": forms(traced.inputs)},
    }


def write_stablehlo(module, traced, path):
    """A function main of the inputs alone: weights are its constants. What is written is run by IREE and compared, too."""
    from torch_mlir import fx

    program = _exported(module, traced)
    try:
        lowered = fx.export_and_import(program, output_type="stablehlo", func_name="main")
    except Exception as error:
        raise _failed("torch-mlir, whose own words stand above", error) from None
    with open(path, "wb") as file:
        lowered.operation.write_bytecode(file)
    check(outputs(traced.module(*traced.inputs)), _by_iree(path, traced.inputs))


def _by_iree(path, inputs):
    from iree import compiler, runtime

    # Layer norms need more of the stack than it gives by default.
    flags = ["--iree-llvmcpu-target-cpu=host", "--iree-llvmcpu-stack-allocation-limit=262144"]
    try:
        compiled = compiler.compile_file(path, input_type="stablehlo", target_backends=["llvm-cpu"], extra_args=flags)
        results = runtime.load_vm_flatbuffer(compiled, driver="local-sync").main(*[tensor.numpy() for tensor in inputs])
    except Exception as error:
        raise _failed("IREE", error) from None
    return [torch.from_numpy(result.to_host().copy()) for result in outputs(results)]


WRITERS = {"pt2": write_pt2, "aoti": write_aoti, "onnx": write_onnx, "stablehlo": write_stablehlo}


def _exported(module, traced):
    with torch.no_grad():
        try:
            program = torch.export.export(module, traced.inputs, strict=False)
        except Exception as error:
            raise _failed("torch.export", error) from None
        check(outputs(traced.module(*traced.inputs)), outputs(program.module()(*traced.inputs)))
    return program


def check(want, got):
    if len(want) != len(got):
        raise Different("the traced module has %d outputs, the exported one %d" % (len(want), len(got)))
    for i, (ours, theirs) in enumerate(zip(want, got, strict=True)):
        if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
            raise Different("output %d is %s once it is exported, traced %s" % (i, forms([theirs]), forms([ours])))
        limit = _AGREEMENT.get(ours.dtype)
        if limit is None or not ours.numel():
            apart = 0.0 if torch.equal(ours, theirs) else float("inf")
        else:
            a, b = ours.double().nan_to_num(), theirs.double().nan_to_num()
            apart = ((a - b).abs().max() / (a.std(correction=0) or 1.0)).item()
        if not apart <= (limit or 0):
            raise Different("output %d differs by %.1e of its standard deviation from the traced module's" % (i, apart))


def _failed(who, error):
    words = [line for line in str(error).strip().splitlines() if line.strip()] or ["no message"]
    return Unconvertible("%s: %s: %s" % (who, type(error).__name__, " ".join(words[:3])[:600]))


def _ending(path, extension):
    """Some writers insist on how a name ends."""
    return path if path.endswith(extension) else path + extension


def _rename(made, path):
    if made != path:
        os.replace(made, path)


def _include_folders():
    """LibTorch's headers, which the packages of the oracles lack: beside the library that the C++ side links."""
    found = glob.glob("../*libtorch/site/torch/lib/libc10.so") or ["libc10.so"]  # its repository's name begins otherwise in modules
    include = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(found[0]))), "include")
    if not os.path.isdir(os.path.join(include, "ATen")):
        raise ToolError("LibTorch's headers are not in %s; start this with tools/bazel run //tools:export_model" % include)
    return ":".join([include, os.path.join(include, "torch", "csrc", "api", "include")])


def _check_compiler():
    try:
        subprocess.run(["g++", "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ToolError("AOTInductor compiles with g++, which does not start (%s): apt-get install g++" % error) from None


class _environment:
    """Variables for as long as it lasts."""

    def __init__(self, **variables):
        self._variables, self._before = variables, {}

    def __enter__(self):
        self._before = {name: os.environ.get(name) for name in self._variables}
        os.environ.update(self._variables)

    def __exit__(self, *error):
        for name, value in self._before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
