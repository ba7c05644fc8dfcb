"""The parts of a folder that travels to a machine without Bazel: for //tools:package and for ci/gpu_bundle.sh.

    MANIFEST       sha256 and path of every file
    cases.tsv      a line for each case: label, and its reference's sha256 or -
    verify.txt     the labels that are verified by default
    cases/         every case of a family: <package>/cases.pb
    blobs/         references, by sha256

All paths are relative to the tree, in which this runs, and what Bazel has built is in bazel-bin.
"""

import contextlib
import errno
import gzip
import hashlib
import json
import lzma
import os
import re
import shutil
import struct
import subprocess
import tarfile

BIN = "bazel-bin"
ARCHIVES = (".tar.xz", ".tar.gz")  # ends of names
_DYNAMIC, _END, _STRINGS, _RUNPATH = 6, 0, 5, 29  # SHT_DYNAMIC, DT_NULL, DT_STRTAB, DT_RUNPATH


def output_of(words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


def copy(source, target):
    os.makedirs(os.path.dirname(target), exist_ok=True)
    shutil.copy(source, target)
    os.chmod(target, os.stat(target).st_mode | 0o644)


def write(stage, name, text):
    path = os.path.join(stage, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def program(source, target, runpath=""):
    """A program without symbols; with `runpath`, it looks for libraries there and nowhere of the machine that built it."""
    os.makedirs(os.path.dirname(target), exist_ok=True)
    subprocess.run(["strip", "--strip-all", "-o", target, source], check=True)
    os.chmod(target, 0o755)
    if runpath:
        set_runpath(target, runpath)


def set_runpath(path, runpath):
    """Writes `runpath` over the longer one of a program of x86-64; nothing in one that has none. ValueError where it does not fit."""
    with open(path, "r+b") as f:
        image = bytearray(f.read())
        sections, = struct.unpack_from("<Q", image, 40)
        size, count = struct.unpack_from("<HH", image, 58)
        headers = [struct.unpack_from("<IIQQQQIIQQ", image, sections + size * i) for i in range(count)]
        dynamic = next((h for h in headers if h[1] == _DYNAMIC), None)
        entries = dict(struct.iter_unpack("<QQ", image[dynamic[4]:dynamic[4] + dynamic[5]])) if dynamic else {}
        if _RUNPATH not in entries:
            return
        begin = headers[dynamic[6]][4] + entries[_RUNPATH]
        end = image.index(0, begin)
        if len(runpath) > end - begin:
            raise ValueError("%s: its RUNPATH has %d bytes, and %s does not fit" % (path, end - begin, runpath))
        f.seek(begin)
        f.write(runpath.encode().ljust(end - begin, b"\0"))


def libraries(programs):
    """{file name: path} of all that the loader finds for these programs here, and under "" the loader."""
    found = {}
    for path in programs:
        said = output_of(["ldd", path])
        found.update(re.findall(r"(\S+) => (/.*) \(0x", said))
        found[""] = re.search(r"^\s*(/\S+/ld-linux\S*) \(0x", said, re.MULTILINE)[1]
    return found


def _computation(c):
    """A key that tells two cases apart when they are verified: not the sizes at which they are measured."""
    of_case, verified = c["benchmark_case"], c.get("verified", {})
    fields = [of_case.get(name) for name in ("dtype", "execution", "mode", "training", "generation")]
    shapes = [i.get("shape") for i in verified.get("inputs", [])]
    return json.dumps([of_case.get("model") or of_case["name"], *fields, shapes, verified.get("parameters")], sort_keys=True)


def verify_order(resolved):
    """Labels to verify, each computation once, out of cases that are not large: one of each family in fp32, operators, the rest.

    Returns (all of them, how many of them are one of each family).
    """
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

    return sorted(labels.values(), key=rank), len(first)  # stable: else as the tables have them


def resolved_cases(families):
    """The cases of these packages (benchmarks/mlp), as Bazel wrote them."""
    resolved = []
    for family in families:
        with open(os.path.join(BIN, family, "cases.json"), encoding="utf-8") as f:
            resolved += json.load(f)["cases"]
    return resolved


def cases(stage, resolved, order, blobs):
    """Writes cases, the order in which they are verified, and their references. `blobs`: sha256 -> path, of those that are here.

    Returns how many cases there are.
    """
    rows = [(c["benchmark_case"]["label"], c.get("reference", {}).get("sha256", "")) for c in resolved]
    rows = [(label, sha256 if sha256 in blobs else "-") for label, sha256 in rows]
    for package in sorted({label[2:].partition(":")[0] for label, _ in rows}):
        copy(os.path.join(BIN, package, "cases.pb"), os.path.join(stage, "cases", package, "cases.pb"))
    write(stage, "cases.tsv", "".join("%s\t%s\n" % row for row in rows))
    write(stage, "verify.txt", "".join(label + "\n" for label in order))
    for sha256 in sorted({sha256 for _, sha256 in rows} - {"-"}):
        copy(blobs[sha256], os.path.join(stage, "blobs", sha256 + ".safetensors"))
    return len(rows)


def blobs_of_the_tree():
    """{sha256: path} of references."""
    names = [n for n in os.listdir("artifacts/blobs") if n.endswith(".safetensors")]
    return {n[:-len(".safetensors")]: os.path.join("artifacts/blobs", n) for n in names}


def commit():
    return output_of(["git", "describe", "--always", "--dirty", "--abbrev=12"]).strip()


def torch_version(site):
    with open(os.path.join(site, "torch/version.py"), encoding="utf-8") as f:
        return re.search(r"^__version__ = '(.*)'", f.read(), re.MULTILINE).group(1)


def _files(folder):
    return sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names)


def manifest(stage):
    rows = []
    for path in [p for p in _files(stage) if p != "MANIFEST" and not os.path.islink(os.path.join(stage, p))]:
        with open(os.path.join(stage, path), "rb") as f:
            rows.append("%s  %s\n" % (hashlib.sha256(f.read()).hexdigest(), path))
    write(stage, "MANIFEST", "".join(rows))


@contextlib.contextmanager
def _compressed(path, is_xz, preset):
    """A file whose content is compressed; by all cores, where the program xz is installed."""
    if not is_xz:
        with open(path, "wb") as f, gzip.GzipFile(filename="", mode="wb", compresslevel=preset, fileobj=f, mtime=0) as packed:
            yield packed
    elif not shutil.which("xz"):
        with lzma.open(path, "wb", preset=preset) as packed:
            yield packed
    else:
        with open(path, "wb") as f, subprocess.Popen(["xz", "-T0", "-%d" % preset, "-c"], stdin=subprocess.PIPE, stdout=f) as packer:
            yield packer.stdin
            packer.stdin.close()
        if packer.returncode:
            raise OSError(errno.EIO, "xz failed", path)


def _of_nobody(entry):
    """The same bytes whoever packs, and whenever."""
    entry.uid = entry.gid = entry.mtime = 0
    entry.uname = entry.gname = ""
    return entry


def archive(stage, path, name, preset, most_bytes=0):
    """Writes the archive; whoever looks at `path` sees all of it or the one before. Returns its bytes.

    With `most_bytes`, a larger one is not kept.
    """
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    try:
        with _compressed(path + ".part", path.endswith(".xz"), preset) as packed, tarfile.open(fileobj=packed, mode="w|") as tar:
            tar.add(stage, name, filter=_of_nobody)
        size = os.path.getsize(path + ".part")
        if not most_bytes or size <= most_bytes:
            os.replace(path + ".part", path)
        return size
    finally:
        if os.path.exists(path + ".part"):
            os.remove(path + ".part")


def largest(stage, count=8):
    sizes = sorted(((os.path.getsize(os.path.join(stage, path)), path) for path in _files(stage)), reverse=True)
    return "".join("\n  %6.1f MB  %s" % (size / 1e6, path) for size, path in sizes[:count])
