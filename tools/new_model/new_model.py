"""Writes the files of a model's package from an nn.Module in Python; what is left to write is forward in C++.

  tools/bazel run //tools:new_model -- my_module.py:MyNet --example='torch.randn(1, 3, 32, 32)' --out=models/mine

usage: new_model FILE[:CLASS[(ARGUMENTS)]] [--example=EXPRESSION] --out=FOLDER
  FILE:CLASS     the module; it is built by CLASS() or by CLASS(ARGUMENTS). Default: the only nn.Module of the file
  --example=E    what it is called with: a tensor, a tuple of tensors, or a dict by the names of forward's arguments. The first
                 dimension of each is the batch. Default: random numbers for the module's first nn.Linear
  --out=FOLDER   a new folder in this tree

It writes the C++ with all layers and their names, reference.py with the source of FILE, the table of variants and cases, a lock without
references, and BUILD.bazel. Each forward is a TODO that throws, so that no case passes before it is written. Then:

  tools/bazel run //tools:generate_artifacts -- --filter='^my_net_' --allow-dirty    computes the references by the Python
  tools/bazel run //models/mine:my_net_fp32_b1 -- --locate                           names the layer that is wrong

Exit codes: 0 written, 2 the file cannot be loaded, 3 the command line, or a module that is called otherwise.
"""

import os
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

from artifacts.fetch.ending import SurroundingsError, UsageError, ended
from tools.new_model import package_files


class Asked(NamedTuple):
    file: str
    module: str  # "MyNet" or "MyNet(10)"; "": the only one
    example: str  # ""
    out: str  # of the workspace: "models/mine"


def parse(words, workspace, folder):
    """`folder`: where relative paths of FILE and --out begin."""
    flags = dict(re.fullmatch(r"--([a-z]+)=(.*)", word, re.S).groups() for word in words if re.match(r"--[a-z]+=", word))
    files = [word for word in words if not word.startswith("--")]
    if len(files) != 1 or set(flags) - {"example", "out"} or len(flags) + 1 != len(words) or not flags.get("out"):
        raise UsageError("%s: want FILE[:CLASS] [--example=EXPRESSION] --out=FOLDER" % " ".join(words))
    file, _, module = files[0].partition(":")
    out = os.path.relpath(os.path.join(folder, flags["out"]), workspace)
    if out.startswith(".."):
        raise UsageError("--out=%s: not a folder of this tree, %s" % (flags["out"], workspace))
    if not re.fullmatch(r"[a-z0-9_]+(/[a-z0-9_]+)*", out):
        raise UsageError("--out=%s: names of folders may hold a-z, 0-9 and _" % flags["out"])
    if os.path.exists(os.path.join(workspace, out)):
        raise UsageError("--out=%s: it is there already; nothing is overwritten" % flags["out"])
    return Asked(os.path.join(folder, file), module, flags.get("example", ""), out)


def write(folder, files):
    """Makes the folder with all files, or none."""
    begun = folder + ".begun"
    try:
        os.makedirs(begun)
        try:
            for file, text in files.items():
                with open(os.path.join(begun, file), "w", encoding="utf-8") as f:
                    f.write(text)
            os.rename(begun, folder)
        except BaseException:
            shutil.rmtree(begun, ignore_errors=True)
            raise
    except OSError as error:
        raise SurroundingsError(str(error)) from None


def run(words):
    if "--help" in words:
        print(__doc__)
        return 0
    workspace = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        raise UsageError("start it in the tree: tools/bazel run //tools:new_model -- FILE --out=FOLDER")
    asked = parse(words, workspace, os.environ["BUILD_WORKING_DIRECTORY"])
    if not os.path.isfile(asked.file):
        raise SurroundingsError("%s: there is no such file" % asked.file)
    from tools.new_model import read_module  # imports torch, which takes seconds

    read = read_module.read(asked.file, asked.module, asked.example)
    name = package_files.model_name(read.root.name)
    if os.path.isdir(os.path.join(workspace, "models", name)) and asked.out != "models/" + name:
        raise UsageError("class %s: this tree has a family %s; give the class another name" % (read.root.name, name))
    files = package_files.files(read, name, asked.out)
    write(os.path.join(workspace, asked.out), files)
    if shutil.which("clang-format"):  # its lines are as long as they come
        subprocess.run(["clang-format", "-i", *(f for f in files if f.endswith(".cc"))], cwd=os.path.join(workspace, asked.out), check=False)
    print(package_files.next_steps(read, name, asked.out, sorted(files)))
    return 0


if __name__ == "__main__":
    sys.exit(ended("new_model", lambda: run(sys.argv[1:])))
