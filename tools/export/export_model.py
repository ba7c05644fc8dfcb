"""Converts the forward pass of a case, traced by its C++ runner, into a file for another runtime.

  tools/bazel run //tools:export_model -- --case=//benchmarks/resnet:resnet18_fp32_b1 --format=aoti --out=resnet18.pt2

  --case=LABEL    the case; its runner is built and traces it
  --module=FILE   in its place: a .pt that a runner's --export-module=FILE has written
  --format=NAME   torchscript  the traced module itself (.pt)
                  pt2          torch.export's archive (.pt2), for --backend=exported
                  aoti         the same compiled by AOTInductor, for this machine's CPU (.pt2); needs g++
                  onnx         opset 20 (.onnx); fetches five more packages (11 MB)
                  stablehlo    a function main in MLIR's bytecode, by torch-mlir (.mlirbc); IREE compiles and runs it to
                               see whether it is right; fetches four more packages (180 MB)
  --out=FILE      is written whole or not at all

The result is called with the inputs that were traced, and refused if it differs from the traced module. A file holds
its weights, and is for the shapes of those inputs alone. docs/backends.md has what it takes.

Exit codes: 0 done, 1 the conversion computes something else, 2 the machine or the setup (files, Bazel, g++), 3 the command line, 4 an
operator that cannot be converted, by its name.
"""

import argparse
import importlib.util
import logging
import os
import re
import subprocess
import sys
import tempfile
import warnings

from artifacts.fetch.ending import SurroundingsError, UsageError, ended
from artifacts.format import atomic_file

FORMATS = ("torchscript", "pt2", "aoti", "onnx", "stablehlo")
# A package that the format needs and no other does, for which //tools/export:export_FORMAT is there.
_PACKAGES = {"onnx": "onnxscript", "stablehlo": "torch_mlir"}
_TRACING = "--//benchmarks/backends=//benchmarks/backends:torchscript"


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def parse(words):
    parser = _Parser(prog="export_model", usage=__doc__, add_help=False, allow_abbrev=False)
    parser.add_argument("--case", default="")
    parser.add_argument("--module", default="")
    parser.add_argument("--format", choices=FORMATS, required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args(words)
    if bool(options.case) == bool(options.module):
        raise UsageError("give --case=LABEL or --module=FILE, one of the two")
    if options.case and not options.case.startswith(("//", "@")):
        raise UsageError("--case=%s: a label, such as //benchmarks/resnet:resnet18_fp32_b1" % options.case)
    return options


def user_path(path, environment):
    """Bazel starts programs elsewhere than where the user stands."""
    return os.path.abspath(os.path.join(environment.get("BUILD_WORKING_DIRECTORY") or os.getcwd(), path))


def workspace(environment):
    try:
        return environment["BUILD_WORKSPACE_DIRECTORY"]
    except KeyError:
        raise UsageError("Bazel has to build more: start this with `tools/bazel run //tools:export_model`") from None


def export_case(label, path, environment):
    """Has the case's runner write its traced module."""
    tree = workspace(environment)
    command = [os.path.join(tree, "tools", "bazel"), "run", "--noshow_progress", _TRACING, label, "--", "--export-module=" + path]
    done = subprocess.run(command, cwd=tree, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        words = "\n".join("    " + line for line in done.stderr.strip().splitlines()[-6:])
        raise SurroundingsError("the case could not be traced:\n%s\n    command: %s" % (words, " ".join(command)))


def hand_over(words, form, environment):
    """Replaces this process by the same program with the packages of a format."""
    bazel = os.path.join(workspace(environment), "tools", "bazel")
    os.chdir(environment.get("BUILD_WORKING_DIRECTORY") or workspace(environment))
    os.execv(bazel, [bazel, "run", "--noshow_progress", "//tools/export:export_" + form, "--", *words])


def with_cause(error):
    """The message, and that of the first exception behind it: converters wrap the operator's name in advice."""
    first = error
    while first.__cause__ or first.__context__:
        first = first.__cause__ or first.__context__
    text = str(error)
    if first is not error:
        words = (str(first).strip().splitlines() or ["no message"])[0]
        text = "%s: %s; %s" % (type(first).__name__, words, text)
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def write_whole(path, write):
    """`write` is called with a file beside `path`, which takes that name once it is done."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        raise SurroundingsError("--out: there is no folder %s" % folder)
    with tempfile.TemporaryDirectory(prefix=".export-", dir=folder) as work:
        made = os.path.join(work, os.path.basename(path))
        write(made)
        atomic_file.place(made, path)


def run(words, environment, formats, graphs):
    options = parse(words)
    out = user_path(options.out, environment)
    with tempfile.TemporaryDirectory(prefix="assay_export.") as work:
        path = user_path(options.module, environment) if options.module else os.path.join(work, "module.pt")
        if options.case:
            export_case(options.case, path, environment)
        traced = graphs.read(path)
        if options.format == "torchscript":
            write_whole(out, lambda made: formats.copy(path, made))
        else:
            write_whole(out, lambda made: formats.WRITERS[options.format](graphs.converted(traced), traced, made))
    print("exported  %s, %.1f MB, for %s" % (out, os.path.getsize(out) / 1e6, formats.forms(traced.inputs)), file=sys.stderr)


class _Failed(Exception):
    """The conversion failed. It has an exit code of its own."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def _convert(words, environment):
    # Before torch is imported, which takes seconds.
    form = parse(words).format
    if form in _PACKAGES and importlib.util.find_spec(_PACKAGES[form]) is None:
        hand_over(words, form, environment)
    # torch says that Triton and CUDA are not there, and what of its own interfaces is old.
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    from tools.export import formats, traced_graph

    try:
        run(words, environment, formats, traced_graph)
    except traced_graph.Unconvertible as error:
        raise _Failed(4, with_cause(error)) from None
    except formats.Different as error:
        raise _Failed(1, error) from None
    except (traced_graph.Unreadable, formats.ToolError) as error:
        raise SurroundingsError(error) from None
    return 0


def main():
    if set(sys.argv[1:]) & {"--help", "-h"}:
        print(__doc__)
        return 0
    return ended("export_model", lambda: _convert(sys.argv[1:], os.environ))


if __name__ == "__main__":
    sys.exit(main())
