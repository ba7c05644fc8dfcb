"""Repositories of the reference blobs that are not in the tree: one for each digest of the locks, fetched when needed.

Example:

    load("@assay_families//:families.bzl", "LOCKS")
    load("//artifacts:repositories.bzl", "blob_repositories")
    blob_repositories(LOCKS)                               # WORKSPACE; then @assay_blobs//:<sha256> is the blob

A blob comes from the first of these that has it, and Bazel checks its digest whatever the source:

  1. blobs/ and staged/ of artifacts/ or, for a package outside benchmarks/, of its own folder (staged: made here, not yet
     in a bucket)
  2. ASSAY_BUCKET, by artifacts/fetch/fetch_blob.py and its cache: one or more of a folder, file://, http(s):// or
     gs://bucket[/prefix], separated by commas. Bazel's own downloader neither resumes nor waits when told to.
  3. Bazel's repository cache and --distdir, which answer by digest without any of the above

No bucket is built in; set yours in user.bazelrc:  build --repo_env=ASSAY_BUCKET=gs://my-bucket/assay
"""

_HELP = """

That says nothing about any model. The blob is the reference of: {keys}
  sha256  {sha256}
  tried   {folders}, ASSAY_BUCKET{unset}, Bazel's repository cache
Either make it here (about a minute for each model):
  tools/bazel run //tools:generate_artifacts -- --filter='^{key}$'
or say where the blobs are, in user.bazelrc:
  build --repo_env=ASSAY_BUCKET=gs://YOUR-BUCKET      (or a folder, file://, https://; several with commas between)
"""

_BUILD = 'filegroup(name = "blob", srcs = [%r], visibility = ["//visibility:public"])\n'

_UNSET = "ARTIFACT_UNAVAILABLE: the blob is not in the tree and ASSAY_BUCKET is not set"

# The fetcher ends by itself (ASSAY_FETCH_DEADLINE; 60 s and 1 s for each MiB); this limit is for one that hangs.
_FETCHER_SECONDS = 86400

def object_name(row):
    """A blob's name in every folder and bucket; the same rule as lock_table.py's Row.object_name."""
    endings = {"aoti": ".pt2", "module": ".pt2", "onnx": ".onnx", "pt2": ".pt2"}
    return row["sha256"] + endings.get(row.get("role", ""), ".safetensors")

def _file_url(path):
    url = str(path)
    for plain, escaped in [("%", "%25"), (" ", "%20"), ("#", "%23"), ("?", "%3F")]:
        url = url.replace(plain, escaped)
    return "file://" + url

def _import(ctx, urls):
    """Whether one of the addresses, or Bazel's own cache, gave the blob."""
    return ctx.download(urls, ctx.attr.object_name, sha256 = ctx.attr.sha256, allow_fail = True).success

def store_of(package):
    """The folder whose blobs/ and staged/ hold a package's blobs; the same rule as lock_tree.py's."""
    return "artifacts" if package.startswith("benchmarks/") else package

def _folders(ctx):
    return [folder + name for folder in ctx.attr.stores for name in ["/blobs/", "/staged/"]]

def _in_tree(ctx):
    root = ctx.path(Label("//artifacts:BUILD.bazel")).dirname.dirname
    paths = [ctx.path("%s/%s%s" % (root, folder, ctx.attr.object_name)) for folder in _folders(ctx)]
    return [_file_url(path) for path in paths if path.exists]

def _fetch(ctx):
    """The address of the fetched file, or "" and what the fetcher says."""
    python = ctx.which("python3")
    if not python:
        return "", "ARTIFACT_UNAVAILABLE: no python3 on PATH to fetch the blob with: apt-get install python3"
    ctx.report_progress("fetching %s" % ctx.attr.object_name)
    result = ctx.execute([
        python,
        ctx.path(Label("//artifacts/fetch:fetch_blob.py")),
        "--sha256=" + ctx.attr.sha256,
        "--size=" + ctx.attr.bytes,
        "--name=" + ctx.attr.object_name,
        "--base=%s" % ctx.path(Label("//artifacts:BUILD.bazel")).dirname.dirname,
        "--scratch=%s" % ctx.path("fetched"),
    ], timeout = _FETCHER_SECONDS)
    if result.return_code:
        message = result.stderr.strip()
        return "", message if result.return_code == 2 else "ARTIFACT_UNAVAILABLE: " + message
    if result.stderr:
        print(result.stderr.strip())  # buildifier: disable=print
    return _file_url(result.stdout.strip("\n")), ""

def _blob_impl(ctx):
    local = _in_tree(ctx)
    done = _import(ctx, local) if local else False
    bucket = ctx.os.environ.get("ASSAY_BUCKET", "")
    message = _UNSET
    if not done and bucket:
        url, message = _fetch(ctx)
        done = _import(ctx, [url]) if url else False

    # An address that does not exist: only Bazel's repository cache and --distdir can answer.
    if not done and not _import(ctx, ["file:///nonexistent/" + ctx.attr.sha256]):
        fail(message + _HELP.format(
            folders = ", ".join(_folders(ctx)),
            key = ctx.attr.keys[0],
            keys = ", ".join(ctx.attr.keys),
            sha256 = ctx.attr.sha256,
            unset = "" if bucket else " (not set)",
        ))
    ctx.delete("fetched")
    ctx.file("BUILD.bazel", _BUILD % ctx.attr.object_name)

blob_repository = repository_rule(
    implementation = _blob_impl,
    attrs = {
        "bytes": attr.string(mandatory = True, doc = "its size; an int attribute ends at 2 GiB"),
        "keys": attr.string_list(mandatory = True, doc = "rows of locks that name it, for messages"),
        "object_name": attr.string(mandatory = True),
        "sha256": attr.string(mandatory = True),
        "stores": attr.string_list(mandatory = True, doc = "folders with blobs/ and staged/ that may hold it"),
    },
    environ = ["ASSAY_BUCKET", "ASSAY_CACHE", "ASSAY_FETCH_DEADLINE", "ASSAY_TOKEN_FILE"],
    doc = "One reference blob as @<name>//:blob.",
)

def _hub_impl(ctx):
    aliases = ["alias(name = %r, actual = \"@%s//:blob\")" % item for item in sorted(ctx.attr.blobs.items())]
    ctx.file("BUILD.bazel", "\n".join(['package(default_visibility = ["//visibility:public"])'] + aliases) + "\n")

_hub = repository_rule(
    implementation = _hub_impl,
    attrs = {"blobs": attr.string_dict(doc = "digest -> its repository")},
    doc = "One name for all blobs, since MODULE.bazel has to name every repository that a BUILD file may name.",
)

def blob_repositories(locks):
    """Defines @blob_<first 16 digits of the digest> for every digest of the locks, and @assay_blobs; none is fetched by that.

    Args:
      locks: LOCKS of @assay_families: package -> key -> row, without digests that would share a name.
    """
    rows, keys, stores = {}, {}, {}
    for package, lock in sorted(locks.items()):
        for key, row in sorted(lock.items()):
            digest = row["sha256"]
            rows[digest] = row
            keys.setdefault(digest, []).append(key)
            stores.setdefault(digest, {})[store_of(package)] = True
    for digest, row in rows.items():
        blob_repository(
            name = "blob_" + digest[:16],
            bytes = str(row["size"]),
            keys = keys[digest],
            object_name = object_name(row),
            sha256 = digest,
            stores = stores[digest].keys(),
        )
    _hub(name = "assay_blobs", blobs = {digest: "blob_" + digest[:16] for digest in rows})
