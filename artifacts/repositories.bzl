"""Repositories of the reference blobs that are not in the tree: one for each digest of the lock, fetched when needed.

Example:

    load("//artifacts:repositories.bzl", "blob_repositories")
    blob_repositories()                                    # WORKSPACE; then //artifacts:blob_<sha256> finds them

A blob comes from the first of these that has it, and its digest is checked whatever the source:

  1. artifacts/blobs/ and artifacts/staged/ of this tree (staged: made here, not yet in a bucket)
  2. ASSAY_BUCKET: a folder, file://, http(s)://, or gs://bucket[/prefix] through its public https address

No bucket is built in; set yours in user.bazelrc:  build --repo_env=ASSAY_BUCKET=gs://my-bucket/assay
"""

load(":lock.bzl", "LOCK")

_HELP = """
This blob is the reference of: {keys}
  sha256  {sha256}
  tried   {tried}
Either make it here (about a minute for each model):
  tools/bazel run //tools:generate_artifacts -- --filter='^{key}$'
or say where the blobs are, in user.bazelrc:
  build --repo_env=ASSAY_BUCKET=gs://YOUR-BUCKET      (or a folder, file://, https://)
"""

def object_url(bucket, name):
    """The address of an object, the same rule as tools/artifacts/blob_source.py."""
    bucket = bucket.rstrip("/")
    if bucket.startswith("/"):
        return "file://%s/%s" % (bucket, name)
    if bucket.startswith("gs://"):
        return "https://storage.googleapis.com/%s/%s" % (bucket[len("gs://"):], name)
    if bucket.startswith("file://") or bucket.startswith("http://") or bucket.startswith("https://"):
        return "%s/%s" % (bucket, name)
    fail("ASSAY_BUCKET=%s: want an absolute folder, file://, http(s):// or gs://" % bucket)

def _blob_impl(ctx):
    name = ctx.attr.sha256 + ".safetensors"
    tried, urls = [], []
    folder = ctx.path(Label("//artifacts:BUILD.bazel")).dirname
    for local in ["blobs", "staged"]:
        path = folder.get_child(local).get_child(name)
        tried.append("artifacts/%s/" % local)
        if path.exists:
            urls.append("file://%s" % path)
    bucket = ctx.os.environ.get("ASSAY_BUCKET", "")
    if bucket:
        urls.append(object_url(bucket, name))
    tried.append(urls[-1] if bucket else "ASSAY_BUCKET (not set)")
    result = None
    if urls:
        result = ctx.download(urls, name, sha256 = ctx.attr.sha256, allow_fail = True)
    if not result or not result.success:
        fail("the reference blob could not be had; that says nothing about any model." + _HELP.format(
            key = ctx.attr.keys[0],
            keys = ", ".join(ctx.attr.keys),
            sha256 = ctx.attr.sha256,
            tried = "\n          ".join(tried),
        ))
    ctx.file("BUILD.bazel", 'filegroup(name = "blob", srcs = [%r], visibility = ["//visibility:public"])\n' % name)

blob_repository = repository_rule(
    implementation = _blob_impl,
    attrs = {
        "keys": attr.string_list(mandatory = True, doc = "rows of the lock that name it, for messages"),
        "sha256": attr.string(mandatory = True),
    },
    environ = ["ASSAY_BUCKET"],
    doc = "One reference blob as @<name>//:blob.",
)

def blob_repositories(lock = LOCK):
    """Defines @blob_<first 16 digits of the digest> for every digest of the lock; none is fetched by that.

    Args:
      lock: a table like LOCK.
    """
    keys_of = {}
    for key, row in sorted(lock.items()):
        keys_of.setdefault(row["sha256"], []).append(key)
    names = {}
    for sha256, keys in keys_of.items():
        name = "blob_" + sha256[:16]
        if name in names:
            fail("artifacts/lock.bzl: %s and %s begin with the same 16 digits" % (sha256, names[name]))
        names[name] = sha256
        blob_repository(name = name, sha256 = sha256, keys = keys)
