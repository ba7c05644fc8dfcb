"""Repositories that Bazel's own WORKSPACE suffix (4.2 and 7) would otherwise download.

Rule sets are the stubs of this folder over Bazel's native rules, the same for 4 and 7. platforms and skylib are the
first of the installed folders (Debian's packages, Bazel's own), else a pinned archive.
"""

load(":versions.bzl", "SKYLIB")

def _installed_or_download_impl(ctx):
    own = str(ctx.path(Label("@bazel_tools//tools/cpp:BUILD")).realpath.dirname.dirname.dirname.dirname)
    folders = [ctx.path(p.replace("%bazel%", own)) for p in ctx.attr.paths]
    present = [f for f in folders if f.get_child("BUILD").exists]
    if present:
        for child in present[0].readdir():
            if child.basename not in ("WORKSPACE", "WORKSPACE.bazel", "WORKSPACE.bzlmod", "MODULE.bazel"):
                ctx.symlink(child, child.basename)
    elif ctx.attr.url:
        ctx.download_and_extract([ctx.attr.url], sha256 = ctx.attr.sha256)
    else:
        fail("@%s: none of %s is here (apt-get install %s)" % (ctx.name, ctx.attr.paths, ctx.attr.package))
    ctx.file("WORKSPACE", "workspace(name = %r)\n" % ctx.name)

_installed_or_download = repository_rule(
    implementation = _installed_or_download_impl,
    attrs = {
        "package": attr.string(doc = "Debian package, for the message"),
        "paths": attr.string_list(doc = "folders, the first that holds BUILD wins; %bazel%: where Bazel is installed"),
        "sha256": attr.string(),
        "url": attr.string(),
    },
    local = True,
)

def bazel_parts(tree = ""):
    """Defines every repository that the suffix would add with maybe().

    Args:
      tree: in another workspace, this tree's folder with a slash at the end.
    """
    for name in ["libpfm", "rules_cc", "rules_java", "rules_license", "rules_pkg", "rules_proto", "rules_python", "rules_shell"]:
        native.local_repository(name = name, path = tree + "tools/deps/stubs/" + name)
    native.local_repository(name = "remote_coverage_tools", path = tree + "tools/deps/stubs/coverage_tools")

    # Bazel 4's own copy has no wasm32, which abseil's BUILD files mention.
    _installed_or_download(
        name = "platforms",
        package = "bazel-platforms",
        paths = ["/usr/share/bazel/tools/platforms", "%bazel%/tools/platforms", "%bazel%/platforms"],
    )
    _installed_or_download(
        name = "bazel_skylib",
        package = "bazel-skylib",
        paths = ["/usr/share/bazel/tools/skylib", "%bazel%/tools/skylib"],
        sha256 = SKYLIB[1],
        url = SKYLIB[0],
    )
