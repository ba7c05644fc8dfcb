"""Repository rule for LibTorch: torch and the NVIDIA libraries that it needs, in one site-packages layout.

LIBTORCH_PATH (a site-packages folder, or the torch folder in it) wins; else the wheels of versions.bzl come through
pip: with --config=cuda and NVIDIA's driver here also those of NVIDIA that torch needs on a GPU. The layout is kept
because the DT_RPATH of torch's libraries is relative to their own folder. For the same reason programs link by -L, and by
-rpath to the real folder: cc_import's _solib symlinks change $ORIGIN, and system libraries would be taken in silence. -L also
names the folder as the linker's own working folder has it, which on another machine is the one that is there; tests find the
libraries there by LD_LIBRARY_PATH (tools/remote/remote.bazelrc).

ASSAY_LIBTORCH names another of the pinned releases, for the CPU; tools/bazel gives each an output folder of its own.
ASSAY_MACHINE=aarch64 (--config=aarch64) takes the wheels of 64-bit Arm on another machine, for a cross build (cross_compiler.bzl).
"""

load(":cc_rules.bzl", "CC_LIBRARY", "RULES_CC")
load(":header_folder.bzl", "header_folder")
load(":nvidia_wheels.bzl", "UNPACK", "fetch_nvidia_wheels", "require_room", "unpack_wheels")
load(":run_step.bzl", "run_step")
load(":versions.bzl", "AARCH64_MEGABYTES", "AARCH64_WHEELS", "LIBTORCH_CUDA_MEGABYTES", "LIBTORCH_CUDA_WHEELS", "LIBTORCH_MEGABYTES", "LIBTORCH_PYTHON", "LIBTORCH_WHEELS", "OTHER_LIBTORCHES")
load(":wheels.bzl", "download_wheels")

_BUILD = """
{rules}
package(default_visibility = ["//visibility:public"])

filegroup(name = "runtime", srcs = glob({runtime}, allow_empty = True))

cc_library(
    name = "libraries",
    data = [":runtime"],
    linkopts = {search} + ["-Wl,--no-as-needed", "-ltorch_cpu", "-lc10", "-Wl,--as-needed"],
)

# For other workspaces (torch_repositories.bzl).
cc_library(
    name = "torch",
    deps = [":libraries", "{more}"],
)
"""

_HEADERS = """
cc_library(
    name = "headers",
    # With it, ATen's headers include those of the operators that they call, in place of those of all 3,000.
    defines = ["AT_PER_OPERATOR_HEADERS"],
    hdrs = {headers},
    includes = ["torch_include", "torch_include/torch/csrc/api/include"],
)

"""

# The headers are those of @libtorch (//tools/deps:torch).
_CUDA = """
# For the CUDA plugin only: the runner itself starts without these libraries.
cc_library(
    name = "torch_cuda",
    linkopts = {search} + [
        "-Wl,--allow-shlib-undefined",
        "-Wl,--no-as-needed", "-ltorch_cuda", "-lc10_cuda", "-ltorch_cpu", "-lc10", "-l:libcudart.so.13", "-Wl,--as-needed",
    ],
    deps = ["@libtorch//:headers"],
)
"""

# Files that another machine needs beside a program. LIBTORCH_PATH has more than that.
_RUNTIME = ["site/torch/lib/lib%s" % name for name in ["c10.so", "torch_cpu.so", "gomp*", "arm_compute*", "gfortran*", "nvpl_*"]] + [
    # torch_cpu needs these two even where there is no GPU.
    "site/nvidia/*/lib/lib%s.so*" % name
    for name in ["cudart", "cupti"]
]
_CUDA_RUNTIME = ["site/torch/lib/lib%s*.so" % name for name in ["c10_cuda", "caffe2_nvrtc", "torch"]] + ["site/nvidia/*/lib/*.so*"]

_PINNED = LIBTORCH_WHEELS["torch"][0]

def _wheels(ctx, machine, given):
    """The wheels of the release that is asked for; `given`: LIBTORCH_PATH, in whose place none are fetched."""
    version = ctx.os.environ.get("ASSAY_LIBTORCH", "") or _PINNED
    if machine == "aarch64" and (version != _PINNED or ctx.attr.cuda and not given):
        fail("tools/deps/versions.bzl pins LibTorch for 64-bit Arm in version %s, for the CPU: unset ASSAY_LIBTORCH, leave out --config=cuda, or set LIBTORCH_PATH" % _PINNED)
    if version == _PINNED:
        return AARCH64_WHEELS if machine == "aarch64" else LIBTORCH_WHEELS
    if version not in OTHER_LIBTORCHES:
        fail("ASSAY_LIBTORCH=%s: tools/deps/versions.bzl pins %s" % (version, ", ".join(sorted([_PINNED] + OTHER_LIBTORCHES.keys()))))
    if ctx.attr.cuda:
        fail("ASSAY_LIBTORCH=%s is for the CPU: with --config=cuda LibTorch is %s, or that of LIBTORCH_PATH" % (version, _PINNED))
    return OTHER_LIBTORCHES[version]

def _site_of(ctx, path, version, cuda):
    """The site-packages folder that LIBTORCH_PATH means, or an error that says what it lacks."""
    if not path.startswith("/"):
        fail("LIBTORCH_PATH=%s is not an absolute path" % path)
    for root in [ctx.path(path), ctx.path(path).dirname]:
        if ctx.path(str(root) + "/torch/lib/libtorch_cpu.so").exists and ctx.path(str(root) + "/torch/version.py").exists:
            break
        root = None
    if not root:
        fail(("LIBTORCH_PATH=%s holds no torch/lib/libtorch_cpu.so with a torch/version.py: point it at the folder that " +
              "contains `torch` (a site-packages folder), or unset it to fetch the pinned one") % path)
    found = ctx.read(root.get_child("torch").get_child("version.py")).partition("__version__ = '")[2].partition("'")[0]
    if found.partition("+")[0] != version:
        fail(("LIBTORCH_PATH=%s holds torch %s, not the pinned %s: install that one (python3 -m pip install torch==%s), " +
              "or unset it to fetch it") % (path, found or "of an unknown version", version, version))
    for library in ["torch/lib/libtorch_cuda.so", "nvidia/cu13/lib/libcudart.so.13"] if cuda else []:
        if not ctx.path("%s/%s" % (root, library)).exists:
            fail(("LIBTORCH_PATH=%s holds torch %s without %s, which --config=cuda needs: install the build for CUDA 13.0 " +
                  "with its nvidia-* packages, or unset it to fetch them") % (path, found, library))
    return root

def _nvidia_libraries_wanted(ctx):
    """Whether to fetch what only a GPU needs: where there is a driver, or as ASSAY_NVIDIA_WHEELS says."""
    choice = ctx.os.environ.get("ASSAY_NVIDIA_WHEELS", "")
    if choice not in ["", "fetch", "leave"]:
        fail("ASSAY_NVIDIA_WHEELS=%s: it is fetch, leave, or unset (fetch where NVIDIA's driver is)" % choice)

    # Read, so that a driver that is installed later makes this rule run again.
    return choice == "fetch" if choice else ctx.read(Label("@local_cuda//:driver.txt")) == "yes"

# ATen/ops/conv2d.h includes at::Context and what IValue needs, of which its functions use nothing: a layer of one convolution
# compiles in 2.0 s without them, in 4.8 s with them (processor time, g++ 12). cat.h stays, since
# at::cat takes an IListRef, which DeviceGuard.h brings; models call at::concat, the same operator, which takes a TensorList.
# view.h and view_copy.h stay too: by way of ATen/ExpandUtils.h they bring at::Context to autograd's own headers.
_LIGHTEN_OPERATORS = """
cp -rL site/torch/include/ATen/ops torch_include/ATen/ops && chmod -R u+w torch_include/ATen/ops && cd torch_include/ATen/ops &&
grep -LF ITensorListRef -- *.h | grep -vxE 'view(_copy)?[.]h' | xargs sed -i -E '/^#include <ATen\\/(Context|DeviceGuard|TensorUtils|TracerMode)\\.h>$/d'
"""

def _link_headers(ctx):
    # The wheel carries protobuf 3.13's headers in include/google, which would shadow the real ones.
    folders = {"": ["ATen", "google"], "ATen/": ["ops"]} if ctx.attr.light_headers else {"": ["google"]}
    for folder, left_out in folders.items():
        for child in ctx.path("site/torch/include/" + folder).readdir():
            if child.basename not in left_out:
                ctx.symlink(child, "torch_include/%s%s" % (folder, child.basename))
    if ctx.attr.light_headers:
        run_step(ctx, "taking what they do not use out of the headers of LibTorch's operators", ["sh", "-c", _LIGHTEN_OPERATORS])

def _libtorch_impl(ctx):
    given = ctx.os.environ.get("LIBTORCH_PATH", "")
    here = run_step(ctx, "asking for the machine", ["uname", "-m"]).strip()
    machine = ctx.os.environ.get("ASSAY_MACHINE", "") or here
    if given and machine != here:
        fail("LIBTORCH_PATH=%s is for this machine (%s), and the build is for another (%s): unset it to fetch the pinned one" % (given, here, machine))
    wheels = _wheels(ctx, machine, given)
    version = wheels["torch"][0]
    mend = "Set LIBTORCH_PATH to the site-packages folder of an installed torch %s to use that." % version
    if given:
        ctx.symlink(_site_of(ctx, given, version, ctx.attr.cuda), "site")
    else:
        nvidia = ctx.attr.cuda and _nvidia_libraries_wanted(ctx)
        if version == _PINNED:
            size = AARCH64_MEGABYTES if machine == "aarch64" else LIBTORCH_MEGABYTES
            line = "LibTorch %s: fetching %d MB" % (version, size.fetched)
            if not ctx.attr.cuda:  # the CUDA flavour keeps more of the same wheels
                line += ", of which %d MB stay in %s" % (size.unpacked, ctx.path("site"))
            require_room(ctx, line, size.fetched + size.unpacked, "site", mend)
        download_wheels(ctx, wheels, LIBTORCH_PYTHON, "wheels", mend, machine)
        unpack_wheels(ctx, "cuda" if ctx.attr.cuda else "cpu", "site")
        if nvidia:
            fetch_nvidia_wheels(
                ctx,
                LIBTORCH_CUDA_WHEELS,
                LIBTORCH_CUDA_MEGABYTES,
                why = "for torch %s on a GPU" % version,
                flavour = "cuda",
                out = "site",
                hint = mend,
            )
        elif ctx.attr.cuda:
            print(("no NVIDIA driver is here, so the %d MB of NVIDIA's libraries are not fetched: cases build, and end with " +
                   "NO_DEVICE. Install the driver, or fetch them now: --repo_env=ASSAY_NVIDIA_WHEELS=fetch") %
                  LIBTORCH_CUDA_MEGABYTES.fetched)  # buildifier: disable=print

    if not ctx.attr.cuda:
        _link_headers(ctx)
    site = str(ctx.path("site").realpath)

    # nvidia/cu13/lib, or with CUDA 12 one folder a library. A LibTorch that somebody built for the CPU has no such folder.
    nvidia_folder = ctx.path(site + "/nvidia")
    folders = [site + "/torch/lib"] + [str(child) + "/lib" for child in (nvidia_folder.readdir() if nvidia_folder.exists else [])]
    build = _BUILD + (_CUDA if ctx.attr.cuda else _HEADERS.format(headers = header_folder(ctx, "torch_include")))
    ctx.file("BUILD.bazel", build.format(
        rules = CC_LIBRARY if ctx.attr.rules_cc else "",
        more = ":torch_cuda" if ctx.attr.cuda else ":headers",
        search = repr(["-Lexternal/%s/site/torch/lib" % ctx.name] + ["-L" + d for d in folders] + ["-Wl,-rpath," + d for d in folders]),
        runtime = repr(_RUNTIME + (_CUDA_RUNTIME if ctx.attr.cuda else [])),
    ))

libtorch = repository_rule(
    implementation = _libtorch_impl,
    attrs = dict(
        UNPACK,
        cuda = attr.bool(doc = "also unpack the CUDA libraries"),
        light_headers = attr.bool(default = True, doc = "whether headers of operators include less than those of the wheel"),
        rules_cc = RULES_CC,
    ),
    environ = ["ASSAY_LIBTORCH", "ASSAY_MACHINE", "ASSAY_NVIDIA_WHEELS", "LIBTORCH_PATH"],
)
