"""A family's goldens in testdata/goldens.txt: one line for each model, in place of the hundreds that describe it.

    # torchvision 0.26.0 on torch 2.11.0, by models/mlp/reference.py; made by ci/goldens/model_goldens.py
    # model parameters flops state training
    mlp 295968 1179648 69a24391d3364204 e3b0c44298fc1c14

parameters and flops are the numbers of the lines of that name. state and training are SHA-256 digests of the other lines,
each with its line end: `state` of inputs and state, `training` of norms and drops. Two digests, since the two have different
causes: another layer, or another setting of the same layers. Sixteen of their 64 digits stand there: nobody makes up lines to
fit a digest, and by chance wrong lines fit one in 16^16 = 2e19 times. benchmarks/harness/goldens/golden_table.h reads it.
"""

import difflib
import hashlib
import os
import zipfile

_DIGITS = 16
_OF_TRAINING = ("norm", "drops")


def row(model, lines):
    """The line of a model in the table."""
    numbers, state, training = {}, "", ""
    for line in lines:
        kind, rest = line.split(" ", 1)
        if kind in ("parameters", "flops"):
            numbers[kind] = rest
        elif kind in _OF_TRAINING:
            training += line + "\n"
        else:
            state += line + "\n"
    digests = [hashlib.sha256(text.encode()).hexdigest()[:_DIGITS] for text in (state, training)]
    return " ".join([model, numbers["parameters"], numbers["flops"], *digests])


def table(provenance, rows):
    """The text of the file, its rows by name."""
    return "".join(line + "\n" for line in ["# " + provenance, "# model parameters flops state training", *sorted(rows)])


def written_lines(path):
    """The lines that a golden test wrote to `path`, which Bazel may pack into outputs.zip beside it."""
    folder, name = os.path.split(path)
    archive = os.path.join(folder, "outputs.zip")
    if not os.path.exists(path) and os.path.exists(archive):
        with zipfile.ZipFile(archive) as packed:
            if name in packed.namelist():
                return packed.read(name).decode().splitlines()
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def diff(reference, ours, script):
    """A diff: lines of the reference that `ours` lacks (-), and lines that it has instead (+), with three lines around it; "" where they are equal."""
    return "".join(line + "\n" for line in difflib.unified_diff(reference, ours, script, "our C++", lineterm=""))
