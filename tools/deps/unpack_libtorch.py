"""Unpacks from wheels what a C++ program needs, and deletes each wheel that is unpacked.

    unpack_libtorch.py cpu|cuda|toolkit OUT WHEEL_FOLDER
    unpack_libtorch.py room FOLDER MEGABYTES TEXT         says TEXT if the disk of FOLDER has so much room

Left out: Python code, BUILD files (they would make Bazel packages inside the repository), profilers' extras, in the cpu
flavour the CUDA libraries, and all but nvcc, its headers and its static libraries in the toolkit's.
Exit codes: 0 all of it lies there, 1 it does not, and why: no room, a wheel that is cut off or not a wheel.
"""

import errno
import os
import shutil
import sys
import zipfile

_NEVER = ("libtorch_python", "libshm", "libnvperf", "libcheckpoint", "libpcsampling", "BUILD", "WORKSPACE")
_CUDA_ONLY = ("libtorch_cuda", "libc10_cuda", "libcaffe2_nvrtc", "libtorch_nvshmem", "libtorch.so", "libtorch_cuda_linalg")
_TOOLKIT = tuple("nvidia/cu13/" + part for part in ("bin/", "include/", "nvvm/", "lib/libcudart_static", "lib/libcudadevrt"))
_MEGABYTE = 10**6
_MEND = "Free some there, or give Bazel another disk: tools/bazel --output_user_root=FOLDER ..."


def wanted(name, flavour):
    base = os.path.basename(name)
    if base in ("LICENSE", "METADATA", "NOTICE"):
        return True
    if flavour == "toolkit":
        return name.startswith(_TOOLKIT)
    if base.startswith(_NEVER) or (flavour == "cpu" and base.startswith(_CUDA_ONLY)):
        return False
    if name.startswith(("torch/lib/", "nvidia/")) and ".so" in base:
        return True
    return name.startswith("torch/include/") or name == "torch/version.py"


def _no_room(what, folder, size, free):
    return OSError("no room on the disk: %s takes %d MB in %s, and %d MB are free. %s" %
                   (what, -(-size // _MEGABYTE), folder, free // _MEGABYTE, _MEND))


def _free(folder):
    """Bytes on the disk of a folder that need not be there yet."""
    while not os.path.exists(folder):
        folder = os.path.dirname(folder)
    return shutil.disk_usage(folder).free


def require_room(what, folder, size):
    """Raises OSError where the disk of `folder` has less than `size` bytes free."""
    folder = os.path.abspath(folder)
    free = _free(folder)
    if free < size:
        raise _no_room(what, folder, size, free)


def _unpack(path, flavour, out):
    wheel = os.path.basename(path)
    try:
        with zipfile.ZipFile(path) as archive:
            members = [m for m in archive.infolist() if not m.is_dir() and wanted(m.filename, flavour)]
            size = sum(m.file_size for m in members)
            require_room("unpacking " + wheel, out, size)
            for member in members:
                unpacked = archive.extract(member, out)
                if "/bin/" in member.filename:  # zipfile forgets who may be executed
                    os.chmod(unpacked, 0o755)
    except zipfile.BadZipFile as error:
        raise OSError("%s cannot be unpacked: %s. The same command again fetches it again" % (wheel, error)) from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):  # somebody else took the room meanwhile
            raise _no_room("unpacking " + wheel, os.path.abspath(out), size, _free(os.path.abspath(out))) from None
        raise
    os.remove(path)


def main(what, folder, given, text=""):
    if what == "room":
        require_room("what is to be fetched", folder, int(given) * _MEGABYTE)
        print(text, file=sys.stderr)
        return
    for wheel in sorted(f for f in os.listdir(given) if f.endswith(".whl")):
        _unpack(os.path.join(given, wheel), what, folder)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit("unpack_libtorch.py: %s" % error)
