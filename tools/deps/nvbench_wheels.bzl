"""NVIDIA's nvbench as Python's package cuda-bench: @cuda_bench, 2.5 MB to fetch, for ci/figures/gpu_peer only.

It runs on a machine with a GPU and without this tree, whose Python is not this one's: NVBENCH_PYTHON says which.
"""

# A table of wheels (wheels.bzl).
NVBENCH_WHEELS = {
    "cuda-bench": ("0.3.0", {
        "3.10": "a7648f27e709c199552dbfb4893d608e2b6da35372e9da97dc5c86ec5c8a97c5",
        "3.11": "02e743174c976b6eb35cf017dd72cd1c199e6215dbb4ca53b38784f926e77dc6",
        "3.12": "023832e4ea1b2d00bcab79e0ab42310d382d3e2a006725a9e551ca4d6def56e2",
        "3.13": "e4633d29aeb7bcc50aa74cebc4dbda2735256565177a46d338ea4a0b1a1e9114",
        "3.14": "c493bae3fb993d166fe99397dca4939f22122c171dce14f715ba1828b1e725d2",
    }),
}

# The version of CPython on the machine with the GPU.
NVBENCH_PYTHON = "3.12"
