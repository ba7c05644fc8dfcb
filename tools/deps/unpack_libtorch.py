"""Unpacks from wheels what a C++ program needs.  usage: unpack_libtorch.py cpu|cuda OUT WHEEL_FOLDER

Left out: Python code, BUILD files (they would make Bazel packages inside the repository), profilers' extras, and in
the cpu flavour the CUDA libraries.
"""

import os
import sys
import zipfile

_NEVER = ("libtorch_python", "libshm", "libnvperf", "libcheckpoint", "libpcsampling", "BUILD", "WORKSPACE")
_CUDA_ONLY = ("libtorch_cuda", "libc10_cuda", "libcaffe2_nvrtc", "libtorch_nvshmem", "libtorch.so", "libtorch_cuda_linalg")


def wanted(name, flavour):
    base = os.path.basename(name)
    if base.startswith(_NEVER) or (flavour == "cpu" and base.startswith(_CUDA_ONLY)):
        return False
    if name.startswith(("torch/lib/", "nvidia/")) and ".so" in base:
        return True
    return name.startswith("torch/include/") or name == "torch/version.py" or base in ("LICENSE", "METADATA", "NOTICE")


def main(flavour, out, wheel_folder):
    for wheel in sorted(f for f in os.listdir(wheel_folder) if f.endswith(".whl")):
        with zipfile.ZipFile(os.path.join(wheel_folder, wheel)) as archive:
            for member in archive.infolist():
                if not member.is_dir() and wanted(member.filename, flavour):
                    archive.extract(member, out)


if __name__ == "__main__":
    main(*sys.argv[1:])
