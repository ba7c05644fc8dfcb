"""@assay_families//:families.bzl: every package of this tree that calls benchmarks(), found and not listed by hand.

    FAMILIES         ["//benchmarks/bert", ...]
    LOCKS            package -> key -> {sha256, size, store, role}: the lock.bzl beside each case table
    LOCK_PROBLEMS    what is wrong with locks: sentences; //artifacts:lock_test fails on them

A package whose lock cannot be read has no rows here, and what is wrong with it is printed; the others have theirs.
Bazel 4 cannot watch a folder from a repository rule. There tools/bazel, which every command passes, puts the same
listing into ASSAY_FAMILIES, whose change makes the rule run again. Bazel 7 watches the tree itself. The locks that there
are, both watch.
"""

def _gather(ctx, root, packages):
    """Writes locks.bzl and locks.json, and says what is wrong with locks."""
    python = ctx.which("python3")
    if not python:
        fail("@%s: no python3 on PATH to read the locks with: apt-get install python3" % ctx.name)
    result = ctx.execute(
        [python, "-B", "-m", "artifacts.gather_locks", str(root), str(ctx.path(""))] + packages,
        environment = {"PYTHONPATH": str(root)},
    )
    if result.return_code:
        fail("@%s: reading the locks failed: %s" % (ctx.name, result.stderr))
    for problem in result.stderr.split("\n"):
        if problem:
            print("a lock.bzl is left out or in doubt: " + problem)  # buildifier: disable=print

def _run_find(ctx, root, *arguments):
    result = ctx.execute([ctx.path(ctx.attr._find), str(root)] + list(arguments))
    if result.return_code:
        fail("@%s: %s" % (ctx.name, result.stderr))
    return [line for line in result.stdout.split("\n") if line]

def _listing(ctx, root):
    """(packages, those with a lock): out of tools/bazel's environment, else found."""
    words = ctx.os.environ.get("ASSAY_FAMILIES", "").split(" ")
    if "locks:" in words:
        at = words.index("locks:")
        return [w for w in words[:at] if w], [w for w in words[at + 1:] if w]
    return _run_find(ctx, root), _run_find(ctx, root, "--locks")

def _families_impl(ctx):
    root = ctx.path(Label("//:WORKSPACE")).dirname
    if hasattr(ctx, "watch_tree"):
        for folder in ctx.attr.watched:
            ctx.watch_tree(root.get_child(folder))
    packages, with_lock = _listing(ctx, root)

    # Before anything that costs time: each file that Bazel did not watch yet starts this function anew.
    for source in ctx.attr._sources:
        ctx.path(source)
    for package in with_lock:
        ctx.path(Label("//%s:lock.bzl" % package))
    _gather(ctx, root, packages)
    ctx.file("BUILD.bazel", 'exports_files(["locks.json"])\n')
    ctx.file("families.bzl", _FAMILIES_BZL % (["//" + p for p in packages]))

_FAMILIES_BZL = '''"""Packages that call benchmarks(), and their locks."""
load(":locks.bzl", _LOCKS = "LOCKS", _LOCK_PROBLEMS = "LOCK_PROBLEMS")
FAMILIES = %r
LOCKS = _LOCKS
LOCK_PROBLEMS = _LOCK_PROBLEMS
'''

families = repository_rule(
    implementation = _families_impl,
    attrs = {
        "watched": attr.string_list(default = ["benchmarks"], doc = "top folders that Bazel 7 watches for new families"),
        "_find": attr.label(default = "//tools/deps:find_families.sh"),
        "_sources": attr.label_list(default = [
            "//artifacts:gather_locks.py",
            "//artifacts/format:atomic_file.py",
            "//artifacts/format:lock_syntax.py",
            "//artifacts/format:lock_table.py",
        ]),
    },
    environ = ["ASSAY_FAMILIES"],
    local = True,
)
