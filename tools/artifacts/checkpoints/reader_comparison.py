"""How fast Python's safetensors package and this suite's reader read the same file of 1 GB.

    tools/bazel run -c opt //tools/artifacts/checkpoints:reader_comparison

Both map the file and let LibTorch sum every tensor on one thread, so what differs is the reader. Rounds alternate; the file
is in the system's cache. Not for disks.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

import torch
from safetensors.torch import load_file, save_file

_READER = "benchmarks/harness/tensor_files/reader_benchmark"
_TENSORS, _ELEMENTS, _ROUNDS = 64, 4 << 20, 9  # 1 GiB of float32


def _python_seconds(path):
    start = time.perf_counter()
    total = sum(tensor.sum().item() for tensor in load_file(path).values())
    assert total == total
    return time.perf_counter() - start


def _reader_seconds(path):
    # The second round of a process, as Python's are.
    command = [os.path.abspath(_READER), "--file=" + path, "--rounds=2"]
    return float(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.split()[-1])


def main():
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        save_file({"layer%d.weight" % i: torch.rand(_ELEMENTS) for i in range(_TENSORS)}, path)
        size = os.path.getsize(path)
        _python_seconds(path)
        rounds = [(_python_seconds(path), _reader_seconds(path)) for _ in range(_ROUNDS)]
    python, reader = (statistics.median(column) for column in zip(*rounds))
    ratios = sorted(p / r for p, r in rounds)
    print("reading %.2f GB and summing it with LibTorch, one thread, median of %d rounds" % (size / 1e9, _ROUNDS))
    print("  Python's safetensors  %6.2f GB/s" % (size / python / 1e9))
    print("  this suite's reader   %6.2f GB/s" % (size / reader / 1e9))
    print("  ratio %.2f (rounds %.2f to %.2f)" % (statistics.median(ratios), ratios[0], ratios[-1]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
