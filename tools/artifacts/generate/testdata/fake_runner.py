#!/usr/bin/env python3
"""Stands in for a family's runner in generate_test.py: writes own float64 references from what its registry says.

The "binary" registry is JSON here: label -> {"values": […], "do": "write" | "crash" | "kill" | …}, and
"state", "inputs" for what --export-state and --export-inputs write.
"""

import json
import os
import signal
import sys

from artifacts.format import reference_blob
from artifacts.format.safetensors_file import Tensor, encode

words = (argument[2:].partition("=") for argument in sys.argv[1:])
flags = {name.replace("-", "_"): value for name, _, value in words}
with open(flags["case"], encoding="utf-8") as f:
    case = json.load(f)[flags["case_name"]]
for role in ("state", "inputs"):
    if "export_" + role in flags:
        with open(flags["export_" + role], "wb") as f:
            f.write(encode({role: Tensor.of_doubles([float(v) for v in case.get(role, [1, 2])])}, {}))
        sys.exit()
values = [float(v) for v in case["values"]]
if case.get("do") == "crash":
    sys.exit("fake runner: no such model\nlast words")
if case.get("do") == "kill":
    os.kill(os.getpid(), signal.SIGKILL)
if case.get("do") == "kill worker":
    os.kill(os.getppid(), signal.SIGKILL)
if case.get("do") == "nan":
    values[0] = float("nan")
mean = sum(values) / len(values)
std = (sum((v - mean) ** 2 for v in values) / len(values)) ** 0.5
tensors = {
    "y": Tensor.of_doubles(values),
    "#stats": Tensor.of_doubles([mean, std, sum(v * v for v in values) ** 0.5, max(map(abs, values))], (1, 4)),
}
data = encode(tensors, {"format": reference_blob.FORMAT, "provenance": "fake runner, float64"})
with open(flags["export_reference"], "wb") as f:
    f.write(data[:20] if case.get("do") == "garbage" else data)
