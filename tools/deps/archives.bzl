"""Source archives by http_archive: from the internet, or from tools/deps/distdir where that is closed."""

load("@bazel_tools//tools/build_defs/repo:http.bzl", "http_archive")
load(":versions.bzl", "ARCHIVES")

def source_archives():
    """Defines a repository for each row of ARCHIVES."""
    for name, (url, sha256, prefix) in ARCHIVES.items():
        http_archive(name = name, sha256 = sha256, strip_prefix = prefix, urls = [url])
