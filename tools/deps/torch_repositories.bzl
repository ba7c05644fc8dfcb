"""LibTorch for other workspaces: @libtorch//:torch for the CPU, @libtorch_cuda//:torch with CUDA, @local_cuda//:headers.

README.md of this folder has the lines of a WORKSPACE and of a MODULE.bazel. Not for this tree: dependencies.bzl.
"""

load(":cuda.bzl", "cuda_wheels", "local_cuda")
load(":libtorch.bzl", "libtorch")

def torch_repositories(rules_cc = False):
    """Defines the repositories; each is fetched when something needs it.

    Args:
      rules_cc: whether the workspace has a repository @rules_cc, which Bazel 9 needs.
    """
    libtorch(name = "libtorch", light_headers = False, rules_cc = rules_cc)
    libtorch(name = "libtorch_cuda", cuda = True, rules_cc = rules_cc)
    local_cuda(name = "local_cuda", rules_cc = rules_cc)
    cuda_wheels(name = "cuda_wheels", rules_cc = rules_cc)
