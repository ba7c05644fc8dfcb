"""Makes stub CUDA libraries, so that a CPU-only `import torch` works without 2 GB of NVIDIA's wheels.

usage: cuda_stubs.py SITE        (SITE is a site-packages folder with torch and nvidia-cuda-runtime in it)

torch's Python extension needs libtorch_cuda.so, which needs thirteen NVIDIA libraries; Python loads extensions with
all symbols bound at once, so every symbol that they would define must exist. Each stub function prints its name and
returns an error code; none is called as long as nobody asks for CUDA.

Never let this site mislead a program on a machine with a GPU: the stubs include libcuda.so.1, and torch's DT_RPATH
puts their folder before the driver's, so CUDA would look absent there. Only @oracle_python, which computes on the CPU
and says so, may use it; the suite's own runner links the real libraries (libtorch.bzl).
"""

import os
import re
import subprocess
import sys
import tempfile

# Libraries by NVIDIA that no wheel of ours brings, by their soname; everything else is the system's.
_NVIDIA_LIBRARY = re.compile(r"lib(cu|nccl|nv)\w*\.so")
_NVIDIA_SYMBOL = re.compile(r"(cu|nccl|pnccl|nvrtc|nvJitLink|nvptx|nvshmem)\w*|\w*nvshmem\w*")

_SOURCE_HEAD = """
#include <stdio.h>
static int stub(const char* name) {
  fprintf(stderr, "%s: a stub of a CUDA library was called; this Python computes on the CPU only\\n", name);
  return 999;
}
"""


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed(library):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", library)))


def symbols(library, which):
    lines = run("nm", "-D", which, library).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if line.strip()}


def shared_libraries(folder):
    return [os.path.join(folder, f) for f in sorted(os.listdir(folder)) if re.search(r"\.so(\.|$)", f)]


def compile_stub(soname, source, out):
    subprocess.run(
        ["g++", "-x", "c", "-shared", "-fPIC", "-O1", "-w", "-Wl,-soname," + soname, "-o", out, source], check=True
    )


def main(site):
    torch_folder = os.path.join(site, "torch", "lib")
    stub_folder = os.path.join(site, "nvidia", "cu13", "lib")
    ours = shared_libraries(torch_folder)
    present = ours + shared_libraries(stub_folder)
    wanted = set().union(*(needed(library) for library in ours))
    have = {os.path.basename(library) for library in present}
    missing = sorted(soname for soname in wanted - have if _NVIDIA_LIBRARY.match(soname))
    undefined = set().union(*(symbols(library, "--undefined-only") for library in ours))
    defined = set().union(*(symbols(library, "--defined-only") for library in present))
    names = sorted(s for s in undefined - defined if _NVIDIA_SYMBOL.fullmatch(s))
    if not missing:
        return
    with tempfile.TemporaryDirectory() as work:
        full, empty = os.path.join(work, "stub.c"), os.path.join(work, "empty.c")
        with open(full, "w") as f:
            f.write(_SOURCE_HEAD + "".join('int %s() { return stub("%s"); }\n' % (n, n) for n in names))
        open(empty, "w").close()
        # One library holds all symbols: the others only have to be found.
        for index, soname in enumerate(missing):
            compile_stub(soname, empty if index else full, os.path.join(stub_folder, soname))
    print("%d stub libraries, %d symbols: %s" % (len(missing), len(names), " ".join(missing)))


if __name__ == "__main__":
    main(sys.argv[1])
