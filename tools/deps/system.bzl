"""Libraries of the Linux distribution as repositories: @system//:<name> and @com_google_protobuf.

ASSAY_PREFIX names a folder with include/, lib/ and bin/ that comes first: the packages that tools/bazel unpacks for a user without
root, or a conda environment. The repository links to the headers and the library of each name. The prefix itself is in no search
path, since it holds other libraries as well; a conda environment has a C++ library.
A missing library fails only its own users, with the line that installs it.
"""

load(":header_folder.bzl", "header_folder")

# name -> (header that must exist, what a prefix's include/ has of the library, linkopts, Debian package)
_LIBRARIES = {
    "boost_math": ("boost/math/distributions/binomial.hpp", ["boost"], [], "libboost-math-dev"),
    "crypto": ("openssl/evp.h", ["openssl"], ["-lcrypto"], "libssl-dev"),
    "json": ("nlohmann/json.hpp", ["nlohmann"], [], "nlohmann-json3-dev"),
    "rapidjson": ("rapidjson/document.h", ["rapidjson"], [], "rapidjson-dev"),
    # Static, so that a runner does not depend on the machine's copy.
    "zlib": ("zlib.h", ["zconf.h", "zlib.h"], ["-l:libz.a"], "zlib1g-dev"),
}

# Static for the same reason.
_PROTOBUF = ("google/protobuf/message.h", ["google"], ["-l:libprotobuf.a", "-lpthread"])

_LOAD = 'load("@rules_cc//cc:defs.bzl", "cc_library")'

# Debian's folders for one kind of machine, below include/ and lib/.
_FOLDERS = ["", "/aarch64-linux-gnu", "/x86_64-linux-gnu"]

def _exists(ctx, root, header):
    return bool([d for d in _FOLDERS if ctx.path("%s/include%s/%s" % (root, d, header)).exists])

def _link_library(ctx, prefix, to, file):
    """Links to the library in the folder `to`, under the names that it has in the prefix; a static one if that is asked for and there."""
    for name in [file, file.replace(".a", ".so")]:
        for folder in [ctx.path(prefix + "/lib" + d) for d in _FOLDERS]:
            if folder.get_child(name).exists:
                for child in folder.readdir():
                    if child.basename == name or child.basename.startswith(name + "."):
                        ctx.symlink(child, "%s/%s" % (to, child.basename))
                return name
    return None

def _of_prefix(ctx, prefix, name, own, linkopts):
    """The cc_library of headers and a library that are in the prefix."""
    includes, srcs, flags = [], [], []
    for folder in ["/include" + d for d in _FOLDERS]:
        for child in own:
            path = ctx.path("%s%s/%s" % (prefix, folder, child))
            if path.exists:
                ctx.symlink(path, "%s%s/%s" % (name, folder, child))
                if name + folder not in includes:
                    includes.append(name + folder)
    for flag in linkopts:
        file = flag[3:] if flag.startswith("-l:") else "lib%s.so" % flag[2:]
        found = _link_library(ctx, prefix, name + "/lib", file)
        if not found:
            flags.append(flag)
        elif found.endswith(".a"):
            srcs.append("%s/lib/%s" % (name, found))
        else:
            folder = ctx.path(name + "/lib").realpath
            flags += ["-L%s" % folder, "-l:" + found, "-Wl,-rpath,%s" % folder]
    return "cc_library(name = %r, srcs = %r, hdrs = %s, includes = %r, linkopts = %r, linkstatic = True)" % (
        name,
        srcs,
        header_folder(ctx, name + "/include"),
        includes,
        flags,
    )

def _library(ctx, name, header, own, linkopts, package):
    prefix = ctx.os.environ.get("ASSAY_PREFIX", "")
    if prefix and _exists(ctx, prefix, header):
        return [_of_prefix(ctx, prefix, name, own, linkopts)]
    if _exists(ctx, "/usr", header):
        return ["cc_library(name = %r, linkopts = %r)" % (name, linkopts)]
    return [
        "genrule(name = %r, outs = [%r], cmd = %r)" % (
            name + "_missing",
            name + "_missing.h",
            "echo '@system//:%s: no %s on this machine; apt-get install %s' >&2; exit 1" % (name, header, package),
        ),
        "cc_library(name = %r, hdrs = [%r])" % (name, ":" + name + "_missing"),
    ]

def _system_impl(ctx):
    lines = [_LOAD, 'package(default_visibility = ["//visibility:public"])']
    for name, row in sorted(_LIBRARIES.items()):
        lines += _library(ctx, name, *row)
    ctx.file("BUILD.bazel", "\n".join(lines) + "\n")

system_libraries = repository_rule(
    implementation = _system_impl,
    environ = ["ASSAY_PREFIX"],
    local = True,
    configure = True,
    doc = "Libraries that the distribution's package manager installs.",
)

def _protobuf_impl(ctx):
    header, own, linkopts = _PROTOBUF
    prefix = ctx.os.environ.get("ASSAY_PREFIX", "")
    protoc = ctx.path(prefix + "/bin/protoc") if prefix else None
    if not protoc or not protoc.exists:
        protoc = ctx.which("protoc")
    from_prefix = prefix and _exists(ctx, prefix, header)
    if not protoc or not (from_prefix or _exists(ctx, "/usr", header)):
        fail("no protoc or no protobuf headers on this machine: apt-get install protobuf-compiler libprotobuf-dev")
    ctx.symlink(protoc, "bin/protoc")
    if from_prefix:
        library = _of_prefix(ctx, prefix, "protobuf", own, linkopts)
    else:
        ctx.symlink("/usr/include/google/protobuf", "include/google/protobuf")
        library = 'cc_library(name = "protobuf", linkopts = %r)' % linkopts
    lines = [
        _LOAD,
        'package(default_visibility = ["//visibility:public"])',
        'exports_files(["bin/protoc"])',
        library,
    ]
    ctx.file("BUILD.bazel", "\n".join(lines) + "\n")

system_protobuf = repository_rule(
    implementation = _protobuf_impl,
    environ = ["ASSAY_PREFIX", "PATH"],
    local = True,
    configure = True,
    doc = "com_google_protobuf out of protoc, headers and static library of the system or of ASSAY_PREFIX.",
)
