"""cross_compiler(): Debian's C++ compiler for another machine, as a toolchain and a platform of Bazel. --config=aarch64 uses it.

    tools/bazel build --config=aarch64 //benchmarks/mlp:mlp_fp32_b1

The compiler brings the C and the C++ library of that machine. What else the tree takes from the system comes from Debian's packages
for that machine: apt-get, with the servers of this machine, puts them into the repository and installs nothing. Only their libraries
are used. Headers are this machine's, so both must be of one release of Debian; the few that differ are the packages' own.
"""

load(":run_step.bzl", "run_step")

# They hold the static libraries that system.bzl names.
_PACKAGES = ["libprotobuf-dev", "libssl-dev", "zlib1g-dev"]

# $1: Debian's name of the machine; then packages. Lists of its own, so that this machine's apt-get does not learn of another kind.
# A list that a server lacks is no fault: the download is one.
_FETCH = """
debian=$1 lists=$PWD/lists; shift
mkdir -p lists/partial debs
apt() {
  apt-get -qq -o APT::Architecture="$debian" -o APT::Architectures="$debian" -o Dir::State::Lists="$lists" -o Dir::State::status=/dev/null \\
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root "$@"
}
apt update || true
(cd debs && apt download "$@") || exit
for deb in debs/*.deb; do dpkg-deb -x "$deb" sysroot || exit; done
rm -r debs lists sysroot/usr/share && find sysroot -name '*.so' -delete
"""

_BUILD = """
load("@bazel_tools//tools/cpp:unix_cc_toolchain_config.bzl", "cc_toolchain_config")
load("@rules_cc//cc:defs.bzl", "cc_toolchain")

package(default_visibility = ["//visibility:public"])
{suite}
platform(
    name = "platform",
    constraint_values = {constraints},
)

toolchain(
    name = "toolchain",
    target_compatible_with = {constraints},
    toolchain = ":compiler",
    toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
)

filegroup(
    name = "files",
    srcs = glob(["sysroot/**"]),
)

cc_toolchain(
    name = "compiler",
    all_files = ":files",
    ar_files = ":files",
    as_files = ":files",
    compiler_files = ":files",
    dwp_files = ":files",
    linker_files = ":files",
    objcopy_files = ":files",
    strip_files = ":files",
    supports_param_files = True,
    toolchain_config = ":config",
)

cc_toolchain_config(
    name = "config",
    abi_libc_version = "local",
    abi_version = "local",
    compile_flags = ["-U_FORTIFY_SOURCE", "-Wno-psabi", "-fno-omit-frame-pointer"] + {include},
    compiler = "gcc",
    cpu = "{machine}",
    cxx_builtin_include_directories = {builtin},
    host_system_name = "local",
    link_flags = ["-Wl,-z,relro,-z,now", "-Wl,--no-as-needed"] + {search},
    link_libs = ["-lstdc++", "-lm"],
    opt_compile_flags = ["-g0", "-O2", "-DNDEBUG", "-ffunction-sections", "-fdata-sections"],
    opt_link_flags = ["-Wl,--gc-sections"],
    supports_start_end_lib = False,
    target_libc = "local",
    target_system_name = "{machine}",
    tool_paths = {tools},
    toolchain_identifier = "{machine}",
    unfiltered_compile_flags = ["-fno-canonical-system-headers", "-Wno-builtin-macro-redefined", '-D__DATE__="redacted"', '-D__TIMESTAMP__="redacted"', '-D__TIME__="redacted"'],
)
"""

# Bazel 4 finds a toolchain by --cpu, later ones by --platforms.
_SUITE = """load("@rules_cc//cc:defs.bzl", "cc_toolchain_suite")

cc_toolchain_suite(name = "suite", toolchains = {"%s": ":compiler"})
"""

def _builtin_folders(ctx, compiler):
    """The folders that the compiler itself looks for headers in."""
    said = ctx.execute([compiler, "-E", "-xc++", "-", "-v"], environment = {"LC_ALL": "C"}).stderr
    listed = said.partition("#include <...> search starts here:")[2].partition("End of search list.")[0]
    return [str(ctx.path(line.strip()).realpath) for line in listed.split("\n") if line.strip()]

def _cross_compiler_impl(ctx):
    triple = ctx.attr.machine + "-linux-gnu"
    compiler = ctx.which(triple + "-gcc")
    if not compiler or not ctx.which(triple + "-g++"):
        fail("@%s: no %s-g++ on PATH: apt-get install g++-%s" % (ctx.name, triple, triple))
    if not ctx.which("apt-get") or not ctx.which("dpkg-deb"):
        fail("@%s: %s for %s come from Debian's packages, and this machine has no apt-get" % (ctx.name, ", ".join(_PACKAGES), ctx.attr.machine))
    run_step(ctx, "fetching %s for %s" % (", ".join(_PACKAGES), ctx.attr.machine), ["sh", "-c", _FETCH, "sh", ctx.attr.debian] + _PACKAGES)

    # Relative to Bazel's folder of work, so that what was compiled serves other output bases as well.
    sysroot = "external/%s/sysroot/usr/" % ctx.name
    ctx.file("BUILD.bazel", _BUILD.format(
        builtin = repr(_builtin_folders(ctx, compiler)),
        constraints = repr(["@platforms//cpu:" + ctx.attr.machine, "@platforms//os:linux"]),
        include = repr(["-isystem", sysroot + "include/" + triple]),
        machine = ctx.attr.machine,
        search = repr(["-L%slib/%s" % (sysroot, triple)]),
        suite = "" if hasattr(ctx, "watch_tree") else _SUITE % ctx.attr.machine,
        tools = repr({tool: "/usr/bin/%s-%s" % (triple, tool) for tool in ["ar", "cpp", "dwp", "gcc", "gcov", "ld", "llvm-cov", "nm", "objcopy", "objdump", "strip"]}),
    ))

cross_compiler = repository_rule(
    implementation = _cross_compiler_impl,
    attrs = {
        "debian": attr.string(mandatory = True, doc = "the machine in Debian's words: arm64"),
        "machine": attr.string(mandatory = True, doc = "in those of uname -m: aarch64"),
    },
    environ = ["PATH"],
)
