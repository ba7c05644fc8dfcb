"""Rewrites benchmarks/harness/tensor_files/numpy/testdata/npy by NumPy: tools/bazel run //ci/goldens:npy_goldens_update

Run it after an upgrade of NumPy, and read the diff. Arrays hold 0, 1, 2, … in C's order, so that a reader which
confuses order, shape or dtype shows.
"""

import os
import sys

import numpy as np
from numpy.lib import format as npy_format

NUMBERS = ["|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8"]


def counted(dtype, *shape):
    return np.arange(int(np.prod(shape)), dtype=np.dtype(dtype)).reshape(shape)


def write_version(path, array, version):
    with open(path, "wb") as f:
        npy_format.write_array(f, array, version=version)


def main(folder):
    for dtype in NUMBERS:
        np.save(os.path.join(folder, "%s.npy" % dtype[1:]), counted(dtype, 2, 3))
    files = {
        "bool": np.array([True, False, True]),
        "scalar": np.array(2.5),
        "vector": counted("<f4", 3),
        "empty": counted("<f4", 0, 3),
        "c8": np.array([1 + 2j], dtype="<c8"),
        "fortran": np.asfortranarray(counted("<i4", 2, 3)),
        "fortran_3d": np.asfortranarray(counted("<i2", 2, 3, 4)),
        "refused_big_endian": counted(">f4", 2),
        "refused_complex128": np.array([1 + 2j]),
        "refused_dates": np.array(["2026-01-01"], dtype="M8[D]"),
        "refused_structure": np.zeros(1, dtype=[("a", "<f4"), ("b", "<i4")]),
        "refused_text": np.array(["abc"]),
        "refused_bytes": np.array([b"abc"]),
        "refused_void": np.zeros(2, dtype="V2"),
    }
    for name, array in files.items():
        np.save(os.path.join(folder, name + ".npy"), array)
    np.save(os.path.join(folder, "refused_object.npy"), np.array([{}], dtype=object), allow_pickle=True)
    write_version(os.path.join(folder, "version_2.npy"), counted("<f4", 2, 3), (2, 0))
    write_version(os.path.join(folder, "version_3.npy"), counted("<f4", 2, 3), (3, 0))
    archive = {"logits": counted("<f4", 2, 3), "layer.0_mask": np.zeros((16, 16), dtype=bool)}
    np.savez(os.path.join(folder, "stored.npz"), **archive)
    np.savez_compressed(os.path.join(folder, "deflated.npz"), **archive)
    print("numpy %s wrote %d files in %s" % (np.__version__, len(os.listdir(folder)), folder))


if __name__ == "__main__":
    root = os.environ.get("BUILD_WORKSPACE_DIRECTORY", os.getcwd())
    target = os.path.join(root, "benchmarks/harness/tensor_files/numpy/testdata/npy")
    os.makedirs(target, exist_ok=True)
    sys.exit(main(target))
