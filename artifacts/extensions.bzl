"""repositories.bzl for MODULE.bazel. Not with the other extension, which makes the @assay_families that this one reads."""

load("@assay_families//:families.bzl", "LOCKS")
load(":repositories.bzl", "blob_repositories")

def _blobs_impl(_ctx):
    blob_repositories(LOCKS)

blobs = module_extension(implementation = _blobs_impl)
