"""Source archives: of Debian's source packages where tools/bazel has put them into the cache, else from the internet.

Unpacked by tar and not by http_archive: the Bazel 4.2.3 of Debian 13 crashes on every tar archive.
"""

load(":archive_builds.bzl", "write_build_files")
load(":run_step.bzl", "run_step")
load(":versions.bzl", "ARCHIVES")

def _cached(ctx):
    """The archive of Debian's source package that tools/bazel fetched, if it is there and the one that is pinned."""
    home = ctx.os.environ.get("HOME", "")
    cache = ctx.os.environ.get("XDG_CACHE_HOME", "") or (home + "/.cache" if home else "")
    path = cache + "/assay/sources/" + ctx.attr.debian_file
    if not path.startswith("/") or not ctx.path(path).exists:
        return None
    result = ctx.execute(["sha256sum", path])
    return path if result.stdout.startswith(ctx.attr.debian_sha256) else None

# C++20 has <version> in the place of <ciso646>; g++ 16 warns of the old one in each file that includes it.
_NEWER_HEADER = "grep -rlF '<ciso646>' --include=*.h . | xargs -r sed -i 's/#include <ciso646>/#include <version>/'"

def _source_archive_impl(ctx):
    archive = _cached(ctx)
    if not archive:
        archive = "downloaded.tar.gz"
        ctx.download([ctx.attr.url], archive, sha256 = ctx.attr.sha256)
    run_step(ctx, "unpacking %s" % archive, ["tar", "-xzf", archive, "--strip-components=1", "--no-same-owner"])
    ctx.delete("downloaded.tar.gz")
    run_step(ctx, "including <version> for <ciso646>", ["sh", "-c", _NEWER_HEADER])
    write_build_files(ctx, ctx.attr.archive)
    if not ctx.path("WORKSPACE").exists:
        ctx.file("WORKSPACE", "workspace(name = %r)\n" % ctx.name)

source_archive = repository_rule(
    implementation = _source_archive_impl,
    attrs = {
        "archive": attr.string(mandatory = True, doc = "a key of ARCHIVES; with MODULE.bazel the repository's own name is another"),
        "debian_file": attr.string(doc = "the archive's name in Debian's source package"),
        "debian_sha256": attr.string(),
        "sha256": attr.string(mandatory = True, doc = "of what the URL gives"),
        "url": attr.string(mandatory = True),
    },
    doc = "A .tar.gz with one folder, which becomes the repository.",
)

def source_archives():
    """Defines a repository for each row of ARCHIVES."""
    for name, (url, sha256, debian_file, debian_sha256) in ARCHIVES.items():
        source_archive(name = name, archive = name, debian_file = debian_file, debian_sha256 = debian_sha256, sha256 = sha256, url = url)
