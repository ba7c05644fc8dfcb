"""Libraries of the Linux distribution as repositories: @system//:<name> and @com_google_protobuf.

A missing library fails only its own users, with the line that installs it.
"""

# name -> (header that must exist, linkopts, Debian package)
_LIBRARIES = {
    "boost_math": ("boost/math/distributions/binomial.hpp", [], "libboost-math-dev"),
    "crypto": ("openssl/evp.h", ["-lcrypto"], "libssl-dev"),
    "json": ("nlohmann/json.hpp", [], "nlohmann-json3-dev"),
    "rapidjson": ("rapidjson/document.h", [], "rapidjson-dev"),
    # Static, so that a runner does not depend on the machine's copy.
    "zlib": ("zlib.h", ["-l:libz.a"], "zlib1g-dev"),
}

_LOAD = 'load("@rules_cc//cc:defs.bzl", "cc_library")'

_INCLUDE_FOLDERS = ["/usr/include", "/usr/include/aarch64-linux-gnu", "/usr/include/x86_64-linux-gnu"]

def _library(ctx, name, header, linkopts, package):
    if [d for d in _INCLUDE_FOLDERS if ctx.path(d + "/" + header).exists]:
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
    for name, (header, linkopts, package) in sorted(_LIBRARIES.items()):
        lines += _library(ctx, name, header, linkopts, package)
    ctx.file("BUILD.bazel", "\n".join(lines) + "\n")

system_libraries = repository_rule(
    implementation = _system_impl,
    local = True,
    configure = True,
    doc = "Libraries that the distribution's package manager installs.",
)

def _protobuf_impl(ctx):
    protoc = ctx.which("protoc")
    if not protoc or not ctx.path("/usr/include/google/protobuf/message.h").exists:
        fail("no protoc or no protobuf headers on this machine: apt-get install protobuf-compiler libprotobuf-dev")
    ctx.symlink(protoc, "bin/protoc")
    ctx.symlink("/usr/include/google/protobuf", "include/google/protobuf")
    lines = [
        _LOAD,
        'package(default_visibility = ["//visibility:public"])',
        'exports_files(["bin/protoc"])',
        # Static, so that a runner does not depend on the machine's copy.
        'cc_library(name = "protobuf", linkopts = ["-l:libprotobuf.a", "-lpthread"])',
    ]
    ctx.file("BUILD.bazel", "\n".join(lines) + "\n")

system_protobuf = repository_rule(
    implementation = _protobuf_impl,
    environ = ["PATH"],
    local = True,
    configure = True,
    doc = "com_google_protobuf out of the system's protoc, headers and static library.",
)
