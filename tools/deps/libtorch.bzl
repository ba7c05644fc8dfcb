"""Repository rule for LibTorch: torch and the NVIDIA libraries that it needs, in one site-packages layout.

LIBTORCH_PATH (a site-packages folder, or the torch folder in it) wins; else the wheels of versions.bzl come through
pip. The layout is kept because the DT_RPATH of torch's libraries is relative to their own folder. For the same reason
programs link by -L and -rpath to the real folder: cc_import's _solib symlinks change $ORIGIN, and system libraries
would be taken in silence.
"""

load(":versions.bzl", "LIBTORCH_PYTHON", "LIBTORCH_WHEELS")
load(":wheels.bzl", "download_wheels")

_BUILD = """
package(default_visibility = ["//visibility:public"])

filegroup(name = "runtime", srcs = glob({runtime}, allow_empty = True))

cc_library(
    name = "headers",
    hdrs = glob(["torch_include/**/*.h", "torch_include/**/*.hpp", "torch_include/**/*.cuh"]),
    includes = ["torch_include", "torch_include/torch/csrc/api/include"],
)

cc_library(
    name = "torch",
    data = [":runtime"],
    linkopts = {search} + ["-Wl,--no-as-needed", "-ltorch_cpu", "-lc10", "-Wl,--as-needed"],
    deps = [":headers"],
)

# For the CUDA plugin only: the runner itself starts without these libraries.
cc_library(
    name = "torch_cuda",
    linkopts = {search} + [
        "-Wl,--allow-shlib-undefined",
        "-Wl,--no-as-needed", "-ltorch_cuda", "-lc10_cuda", "-ltorch_cpu", "-lc10", "-l:libcudart.so.13", "-Wl,--as-needed",
    ],
    deps = [":headers"],
)
"""

_MEND = "Set LIBTORCH_PATH to the site-packages folder of an installed torch %s to use that." % LIBTORCH_WHEELS["torch"][0]

def _site_of(ctx, path):
    """The site-packages folder that LIBTORCH_PATH means, or an error that says what it lacks."""
    wanted = "torch/lib/libtorch_cpu.so"
    if not path.startswith("/"):
        fail("LIBTORCH_PATH=%s is not an absolute path" % path)
    for root in [ctx.path(path), ctx.path(path).dirname]:
        if root.get_child("torch").get_child("lib").get_child("libtorch_cpu.so").exists:
            break
        root = None
    if not root:
        fail(("LIBTORCH_PATH=%s holds no %s: point it at the folder that contains `torch` (a site-packages folder), " +
              "or unset it to fetch the pinned one") % (path, wanted))
    version = ctx.read(root.get_child("torch").get_child("version.py"))
    if ("'%s" % LIBTORCH_WHEELS["torch"][0]) not in version:
        fail("LIBTORCH_PATH=%s holds another version than the pinned %s:\n%s" % (path, LIBTORCH_WHEELS["torch"][0], version))
    return root

def _libtorch_impl(ctx):
    given = ctx.os.environ.get("LIBTORCH_PATH", "")
    if given:
        ctx.symlink(_site_of(ctx, given), "site")
    else:
        download_wheels(ctx, LIBTORCH_WHEELS, LIBTORCH_PYTHON, "wheels", _MEND)
        ctx.report_progress("unpacking")
        result = ctx.execute(
            [ctx.which("python3"), ctx.path(ctx.attr._unpack), "cuda" if ctx.attr.cuda else "cpu", "site", "wheels"],
            timeout = 3600,
        )
        if result.return_code:
            fail("@%s: unpacking the wheels: %s" % (ctx.name, result.stderr))
        ctx.delete("wheels")

    # The wheel carries protobuf 3.13's headers in include/google, which would shadow the real ones.
    for child in ctx.path("site/torch/include").readdir():
        if child.basename != "google":
            ctx.symlink(child, "torch_include/" + child.basename)
    site = str(ctx.path("site").realpath)
    folders = [site + "/torch/lib", site + "/nvidia/cu13/lib"]
    ctx.file("BUILD.bazel", _BUILD.format(
        search = repr(["-L" + d for d in folders] + ["-Wl,-rpath," + d for d in folders]),
        runtime = repr(["site/torch/lib/libc10.so", "site/torch/lib/libtorch_cpu.so", "site/torch/lib/libgomp*"]),
    ))

libtorch = repository_rule(
    implementation = _libtorch_impl,
    attrs = {
        "cuda": attr.bool(doc = "also unpack the CUDA libraries"),
        "_unpack": attr.label(default = "//tools/deps:unpack_libtorch.py"),
    },
    environ = ["LIBTORCH_PATH"],
)
