"""Packs a GPU bundle out of what Bazel has built, for ci/gpu_bundle.sh, which builds it.

    python3 -m ci.gpu.pack ARCHIVE EXTERNAL FAMILY...      EXTERNAL: Bazel's folder of external repositories

Exit codes: 0 packed, 1 it is larger than may travel, 2 something is missing.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

_MOST_BYTES = 40 << 20  # what a loan of a GPU takes beside the tree
_BIN = "bazel-bin"
_CUDA = "benchmarks/harness/sampling/cuda/"
_SIMULATED = "benchmarks/harness/simulated_gpu/libsimulated_gpu.so"  # for rehearsals
_PROGRAMS = ["benchmarks/gpu_runner", _SIMULATED, _CUDA + "libassay_cuda.so", _CUDA + "cuda_device_gpu_test", _CUDA + "torch_framework_gpu_test"]
_RUN = """#!/bin/sh
command -v python3 >/dev/null || { echo "run.sh: no python3 on PATH; the one with torch 2.11.0 in it is needed" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd) || exit 2
PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1 exec python3 -m gpu.main "$@"
"""


def _output(words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def programs(stage):
    """The programs without symbols, and libcrypto.so.3, which not every machine has."""
    os.makedirs(os.path.join(stage, "bin"))
    os.makedirs(os.path.join(stage, "lib"))
    for program in _PROGRAMS:
        target = os.path.join(stage, "bin", os.path.basename(program))
        subprocess.run(["strip", "--strip-all", "-o", target, os.path.join(_BIN, program)], check=True)
        os.chmod(target, 0o755)
    found = re.search(r"libcrypto\.so\.3 => (\S+)", _output(["ldd", os.path.join(_BIN, "benchmarks/gpu_runner")]))
    if found:
        shutil.copyfile(found.group(1), os.path.join(stage, "lib/libcrypto.so.3"))


def _computation(c):
    """A key that tells two cases apart when they are verified: not the sizes at which they are measured."""
    of_case, verified = c["benchmark_case"], c.get("verified", {})
    fields = [of_case.get(name) for name in ("dtype", "execution", "mode", "training", "generation")]
    shapes = [i.get("shape") for i in verified.get("inputs", [])]
    return json.dumps([of_case.get("model") or of_case["name"], *fields, shapes, verified.get("parameters")], sort_keys=True)


def verify_order(resolved):
    """Labels to verify, each computation once, out of cases that are not large: one of each family in fp32, operators, the rest."""
    labels = {}
    for c in resolved:
        if "large" not in c["benchmark_case"].get("tags", []):
            labels.setdefault(_computation(c), c["benchmark_case"]["label"])
    first = {}
    for label in labels.values():
        if "_fp32_" in label:
            first.setdefault(label.partition(":")[0], label)

    def rank(label):
        return 0 if first.get(label.partition(":")[0]) == label else 1 if label.startswith("//benchmarks/operators:") else 2

    return sorted(labels.values(), key=rank)  # stable: else as the tables have them


def _write(stage, name, text):
    path = os.path.join(stage, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def cases(stage, families):
    """Cases, the order in which they are verified, and the references that are in the tree."""
    resolved = []
    for family in families:
        _copy(os.path.join(_BIN, family, "cases.pb"), os.path.join(stage, "cases", family, "cases.pb"))
        with open(os.path.join(_BIN, family, "cases.json"), encoding="utf-8") as f:
            resolved += json.load(f)["cases"]
    here = {name[:-len(".safetensors")] for name in os.listdir("artifacts/blobs") if name.endswith(".safetensors")}
    rows = [(c["benchmark_case"]["label"], c.get("reference", {}).get("sha256", "")) for c in resolved]
    rows = [(label, sha256 if sha256 in here else "-") for label, sha256 in rows]
    order = verify_order(resolved)
    _write(stage, "cases.tsv", "".join("%s\t%s\n" % row for row in rows))
    _write(stage, "verify.txt", "".join(label + "\n" for label in order))
    for sha256 in sorted({sha256 for _, sha256 in rows} & here):
        _copy("artifacts/blobs/%s.safetensors" % sha256, os.path.join(stage, "blobs", sha256 + ".safetensors"))
    return len(rows), len(order)


def own(stage, site):
    """This program, its plans, and what it was built of."""
    for name in sorted(os.listdir("ci/gpu")):
        if name.endswith(".py") and not name.endswith("_test.py") and name != "pack.py":
            _copy("ci/gpu/" + name, os.path.join(stage, "gpu", name))
    _copy(os.path.join(_BIN, "ci/gpu/outcomes.py"), os.path.join(stage, "gpu/outcomes.py"))
    for name in sorted(os.listdir("ci/gpu/plans")):
        _copy("ci/gpu/plans/" + name, os.path.join(stage, "gpu/plans", name))
    with open(os.path.join(site, "torch/version.py"), encoding="utf-8") as f:
        torch = re.search(r"^__version__ = '(.*)'", f.read(), re.MULTILINE).group(1)
    commit = _output(["git", "describe", "--always", "--dirty", "--abbrev=12"]).strip()
    _write(stage, "built.json", json.dumps({"commit": commit, "linked_with": site, "torch": torch}) + "\n")
    _write(stage, "run.sh", _RUN)
    os.chmod(os.path.join(stage, "run.sh"), 0o755)


def peer(stage, wheels):
    """The same workloads in Python, and NVIDIA's nvbench."""
    with tarfile.open(os.path.join(_BIN, "ci/figures/gpu_peer/gpu_peer.tar.xz")) as tar:
        tar.extraction_filter = getattr(tarfile, "data_filter", None)  # Debian 12's Python has none
        tar.extractall(os.path.join(stage, "peer"))
    for name in sorted(os.listdir(wheels)):
        _copy(os.path.join(wheels, name), os.path.join(stage, "peer", name))


def _copy(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)


def _files(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def manifest(stage):
    rows = []
    for path in [p for p in _files(stage) if p != "MANIFEST"]:
        with open(os.path.join(stage, path), "rb") as f:
            rows.append("%s  %s\n" % (hashlib.sha256(f.read()).hexdigest(), path))
    _write(stage, "MANIFEST", "".join(rows))


def archive(stage, path):
    """Writes the archive; whoever looks at `path` sees all of it or the one before. Returns its bytes."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with tarfile.open(path + ".part", "w:xz", preset=3) as tar:
        tar.add(stage, "bundle")
    size = os.path.getsize(path + ".part")
    if size <= _MOST_BYTES:
        os.replace(path + ".part", path)
    else:
        os.remove(path + ".part")
    return size


def largest(stage, count=8):
    sizes = sorted(((os.path.getsize(os.path.join(stage, path)), path) for path in _files(stage)), reverse=True)
    return "".join("\n  %6.1f MB  %s" % (size / 1e6, path) for size, path in sizes[:count])


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
        manifest(stage)
        size = archive(stage, path)
        if size > _MOST_BYTES:
            print("ci/gpu_bundle.sh: the archive has %.1f MB, and %.1f may travel; the largest of its files, unpacked:%s" % (
                size / 1e6, _MOST_BYTES / 1e6, largest(stage)), file=sys.stderr)
            return 1
        runner = os.path.getsize(os.path.join(stage, "bin/gpu_runner"))
    print("%s: %.1f MB; %d cases, %d of them to verify by default; gpu_runner %.1f MB" % (
        path, size / 1e6, known, verified, runner / 1e6))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
