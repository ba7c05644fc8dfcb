"""Compiler flags of this tree's own C++ (other people's code is compiled with warnings off, tools/common.bazelrc)."""

COPTS = ["-Wall", "-Wextra"]

# Flags of a kernel that is measured, a user's or an example, behind the tree's -O1: its author would give them. With -fopenmp, since
# at::parallel_for of LibTorch's headers runs on one thread without it and says nothing; the program is not linked with
# another OpenMP, so the threads are LibTorch's. Not -ffast-math, which takes infinities and NaN for what cannot happen.
# -march=native: a library is for the machine that has built it; machines that share a cache must have the same CPU.
KERNEL_COPTS = COPTS + ["-O3", "-march=native", "-fopenmp"]
