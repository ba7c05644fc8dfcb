"""Packs a GPU bundle out of what Bazel has built, for ci/gpu_bundle.sh, which builds it.

    python3 -m ci.gpu.pack ARCHIVE EXTERNAL FAMILY...      EXTERNAL: Bazel's folder of external repositories

Exit codes: 0 packed, 1 it is larger than may travel, 2 something is missing.
"""

import json
import os
import re
import shutil
import sys
import tarfile
import tempfile

from tools.package import staging

_MOST_BYTES = 40 << 20  # what a loan of a GPU takes beside the tree
_PRESET = 3
_CUDA = "benchmarks/harness/sampling/cuda/"
_SIMULATED = "benchmarks/harness/simulated_gpu/libsimulated_gpu.so"  # for rehearsals
_PROGRAMS = ["benchmarks/gpu_runner", _SIMULATED, _CUDA + "libassay_cuda.so", _CUDA + "cuda_device_gpu_test", _CUDA + "torch_framework_gpu_test"]
_RUN = """#!/bin/sh
command -v python3 >/dev/null || { echo "run.sh: no python3 on PATH; the one with torch 2.11.0 in it is needed" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) || exit 2
PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1 exec python3 -m gpu.main "$@"
"""


def programs(stage):
    """The programs without symbols, and libcrypto.so.3, which not every machine has."""
    for program in _PROGRAMS:
        staging.program(os.path.join(staging.BIN, program), os.path.join(stage, "bin", os.path.basename(program)))
    os.makedirs(os.path.join(stage, "lib"))
    found = re.search(r"libcrypto\.so\.3 => (\S+)", staging.output_of(["ldd", os.path.join(staging.BIN, "benchmarks/gpu_runner")]))
    if found:
        shutil.copyfile(found.group(1), os.path.join(stage, "lib/libcrypto.so.3"))


def cases(stage, families):
    """Every case, the order in which they are verified, and the references that are in the tree."""
    resolved = staging.resolved_cases(families)
    order, _ = staging.verify_order(resolved)
    return staging.cases(stage, resolved, order, staging.blobs_of_the_tree()), len(order)


def own(stage, site):
    """This program, its plans, and what it was built of."""
    for name in sorted(os.listdir("ci/gpu")):
        if name.endswith(".py") and not name.endswith("_test.py") and name != "pack.py":
            staging.copy("ci/gpu/" + name, os.path.join(stage, "gpu", name))
    staging.copy(os.path.join(staging.BIN, "ci/gpu/outcomes.py"), os.path.join(stage, "gpu/outcomes.py"))
    for name in sorted(os.listdir("ci/gpu/plans")):
        staging.copy("ci/gpu/plans/" + name, os.path.join(stage, "gpu/plans", name))
    built = {"commit": staging.commit(), "linked_with": site, "torch": staging.torch_version(site)}
    staging.write(stage, "built.json", json.dumps(built) + "\n")
    staging.write(stage, "run.sh", _RUN)
    os.chmod(os.path.join(stage, "run.sh"), 0o755)


def peer(stage, wheels):
    """The same workloads in Python, and NVIDIA's nvbench."""
    with tarfile.open(os.path.join(staging.BIN, "ci/figures/gpu_peer/gpu_peer.tar.xz")) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian 12's Python has none
        tar.extractall(os.path.join(stage, "peer"))
    for name in sorted(os.listdir(wheels)):
        staging.copy(os.path.join(wheels, name), os.path.join(stage, "peer", name))


def main(path, external, *families):
    with tempfile.TemporaryDirectory() as stage:
        try:
            programs(stage)
            known, verified = cases(stage, families)
            own(stage, os.path.join(external, "libtorch_cuda/site"))
            peer(stage, os.path.join(external, "cuda_bench/wheels"))
        except OSError as error:
            print("ci/gpu_bundle.sh: %s: %s" % (error.filename, error.strerror), file=sys.stderr)
            return 2
        staging.manifest(stage)
        size = staging.archive(stage, path, "bundle", _PRESET, _MOST_BYTES)
        if size > _MOST_BYTES:
            print("ci/gpu_bundle.sh: the archive has %.1f MB, and %.1f may travel; the largest of its files, unpacked:%s" % (
                size / 1e6, _MOST_BYTES / 1e6, staging.largest(stage)), file=sys.stderr)
            return 1
        runner = os.path.getsize(os.path.join(stage, "bin/gpu_runner"))
    print("%s: %.1f MB; %d cases, %d of them to verify by default; gpu_runner %.1f MB" % (
        path, size / 1e6, known, verified, runner / 1e6))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
