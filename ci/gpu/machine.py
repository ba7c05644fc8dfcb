"""The machine of a GPU bundle: its GPU, its driver, its torch, and what its disk and driver take the first time."""

import concurrent.futures
import contextlib
import ctypes
import glob
import importlib.util
import os
import platform
import re
import subprocess
import sys

_CUDA_NEEDED = 13000  # as cuDriverGetVersion counts: torch 2.11.0 is built for CUDA 13.0
_READERS = 8
_CHUNK_BYTES = 16 << 20

# Holds the GPU's context, so that the driver is not started again by each process.
_HOLDER = """
import ctypes, sys
cuda = ctypes.CDLL("libcuda.so.1")
device, context = ctypes.c_int(), ctypes.c_void_p()
failed = cuda.cuInit(0) or cuda.cuDeviceGet(ctypes.byref(device), 0)
failed = failed or cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
print(failed, flush=True)
sys.stdin.read()
"""


def find_gpu():
    """(what the GPU is, "") or ("", why there is none)."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return "", "no NVIDIA driver here (%s): install it, version 580 or newer" % error
    count, version = ctypes.c_int(), ctypes.c_int()
    failed = cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count)) or cuda.cuDriverGetVersion(ctypes.byref(version))
    if failed or count.value == 0:
        return "", "the NVIDIA driver sees no GPU (error %d): look at nvidia-smi and CUDA_VISIBLE_DEVICES" % failed
    if version.value < _CUDA_NEEDED:
        return "", "the NVIDIA driver is too old, for CUDA %d.%d: install version 580 or newer" % (
            version.value // 1000, version.value % 1000 // 10)
    said = said_by(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]).strip()
    return said.replace("\n", "; ") or "%d GPU(s)" % count.value, ""


def gpu_is_lost():
    """Whether a new process finds no GPU. This process's own driver library may remember one."""
    try:
        words = [sys.executable, os.path.abspath(__file__)]
        return subprocess.run(words, stdin=subprocess.DEVNULL, timeout=60).returncode != 0
    except (OSError, subprocess.TimeoutExpired):
        return True


def own_libraries(folder):
    """The bundle's folder of libraries where this machine lacks one of them, else "": its own programs get their own."""
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        try:
            ctypes.CDLL(name)
        except OSError:
            return folder
    return ""


def said_by(words):
    """Standard output of a short command, "" where it can't be had."""
    try:
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60,
                              encoding="utf-8", errors="replace").stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""


def find_torch(given, built):
    """(site-packages folder, its torch's version, "") or ("", "", why there is none)."""
    if given:
        sites = [os.path.abspath(given), os.path.dirname(os.path.abspath(given))]
    else:
        spec = importlib.util.find_spec("torch")
        own = [os.path.dirname(os.path.dirname(spec.origin))] if spec and spec.origin else []
        sites = own + [built["linked_with"]]  # which is there on the machine where the bundle was made
    for site in sites:
        try:
            with open(os.path.join(site, "torch", "version.py"), encoding="utf-8") as f:
                found = re.search(r"^__version__ = '(.*)'", f.read(), re.MULTILINE)
        except OSError:
            continue
        version = found.group(1) if found else "of an unknown version"
        if version != built["torch"]:
            return "", "", "torch %s in %s is another than this bundle was built with: python3 -m pip install torch==%s" % (
                version, site, built["torch"].partition("+")[0])
        return site, version, ""
    return "", "", "no torch in %s: name the site-packages folder that holds torch %s" % (
        given or "this python3's site-packages", built["torch"])


def _read_through(path):
    size = 0
    with contextlib.suppress(OSError), open(path, "rb", buffering=0) as f:
        while read := len(f.read(_CHUNK_BYTES)):
            size += read
    return size


def prewarm(site):
    """Reads every library of torch and NVIDIA once, so that no program waits for the disk. Returns the bytes."""
    paths = glob.glob(os.path.join(site, "torch/lib/*.so*")) + glob.glob(os.path.join(site, "nvidia/*/lib/*.so*"))
    with concurrent.futures.ThreadPoolExecutor(_READERS) as readers:
        return sum(readers.map(_read_through, sorted(paths, key=os.path.getsize, reverse=True)))


@contextlib.contextmanager
def held_context():
    """Keeps the GPU's context in a process of its own, and yields whether it has it. Not while measuring: gpu_processes tells of it."""
    holder = subprocess.Popen([sys.executable, "-c", _HOLDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
                              start_new_session=True)
    try:
        yield holder.stdout.readline().strip() == "0"
    finally:
        holder.kill()
        holder.wait()
        holder.stdin.close()
        holder.stdout.close()


def system():
    """This machine in one line."""
    memory = {}
    with contextlib.suppress(OSError, ValueError), open("/proc/meminfo", encoding="utf-8") as f:
        memory = {line.split(":")[0]: int(line.split()[1]) for line in f}
    return "%s, %s %s, Python %s, %d cores, %.0f GiB" % (
        platform.platform(), *platform.libc_ver(), platform.python_version(), len(os.sched_getaffinity(0)),
        memory.get("MemTotal", 0) / (1 << 20))


if __name__ == "__main__":
    sys.exit(bool(find_gpu()[1]))  # for gpu_is_lost()
