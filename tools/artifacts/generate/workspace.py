"""The folder in which the generator works, and the commit from which its results come.

    tree = workspace.tree(flags, os.environ)
    commit = workspace.commit(root, allow_dirty=False)      # "453e212f09ab", or SurroundingsError
"""

import contextlib
import fcntl
import os
import subprocess

from artifacts.format import lock_tree
from tools.artifacts.generate.errors import SurroundingsError, UsageError

_DIGITS = 12
_DIRTY = "+dirty"
# The files that this program and the upload write: locks, and objects in whatever folder of the tree --out and --bucket
# named.
_OWN = (":(exclude,glob)**/lock.bzl", ":!*.safetensors", ":!*.pt2", ":!*.onnx")


def user_folder(environment):
    """The folder of the user; Bazel starts programs elsewhere."""
    return environment.get("BUILD_WORKING_DIRECTORY") or os.getcwd()


def root(environment):
    """The tree in which Bazel builds the runners."""
    try:
        return environment["BUILD_WORKSPACE_DIRECTORY"]
    except KeyError:
        text = "Bazel has to build the runners: start this with `tools/bazel run //tools:generate_artifacts`"
        raise UsageError(text) from None


def tree(flags, environment, program="//tools:generate_artifacts", packages=()):
    """The place of locks and blobs: the workspace, or with --artifacts in one folder in place of all of them.

    `packages` with cases may be more than the workspace's BUILD files show.
    """
    if flags.artifacts:
        return lock_tree.of_folder(os.path.join(user_folder(environment), flags.artifacts))
    workspace = environment.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        raise UsageError("start it with `tools/bazel run %s`, or give --artifacts=DIR" % program)
    inside = {package.lstrip("/") for package in packages if not package.startswith("@")}
    return lock_tree.of_workspace(workspace, inside | set(lock_tree.packages_of(workspace)))


def out_folder(flags, environment):
    """The bucket-shaped folder that is to be filled besides, or ""."""
    return os.path.abspath(os.path.join(user_folder(environment), flags.out)) if flags.out else ""


def commit(root, allow_dirty):
    """The commit of the tree at `root`, "+dirty" behind it where the tree has changes; "" without git or commits.

    Files that this program writes itself, locks and objects, do not count.
    """
    try:
        changes = _git(root, "status", "--porcelain", "--untracked-files=all", "--", ".", *_OWN).splitlines()
        head = _git(root, "rev-parse", "--verify", "HEAD")[:_DIGITS]
    except SurroundingsError as error:
        if allow_dirty:
            return ""
        text = "%s; --allow-dirty works without git, and the lock names no commit then"
        raise SurroundingsError(text % error) from None
    if changes and not allow_dirty:
        more = ["… %d more" % (len(changes) - 5)] if len(changes) > 5 else []
        raise SurroundingsError(
            "uncommitted changes, so that no commit would explain these references:\n    %s\n"
            "Commit them first, or give --allow-dirty, which the lock records." % "\n    ".join(changes[:5] + more)
        )
    return head + (_DIRTY if changes else "")


def is_clean(commit_text):
    return bool(commit_text) and not commit_text.endswith(_DIRTY)


def _git(root, *arguments):
    try:
        done = subprocess.run(
            ["git", "-C", root, *arguments], capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise SurroundingsError("git does not start (%s)" % error) from None
    if done.returncode:
        raise SurroundingsError("%s: git says: %s" % (root, done.stderr.strip()))
    return done.stdout


@contextlib.contextmanager
def locked(folder):
    """Keeps a second generator out of the same folder; the lock dies with this process."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SurroundingsError("another generate_artifacts works in %s; wait for it" % folder) from None
        yield
    finally:
        os.close(descriptor)
