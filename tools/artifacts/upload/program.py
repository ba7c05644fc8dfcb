"""//tools:upload_artifacts: puts the blobs that the lock names into a bucket, each once and never over another.

  tools/bazel run //tools:upload_artifacts -- --bucket=gs://my-bucket/assay --dry-run
  tools/bazel run //tools:upload_artifacts -- --bucket=gs://my-bucket/assay
  tools/bazel run //tools:upload_artifacts -- --bucket=file:///data/assay --filter='^resnet'

A blob is looked for in blobs/ and staged/ of artifacts/ and of packages outside benchmarks/, and in --from, and checked
against the lock before anything is sent. An object that is there already with the same bytes is fine, one with other bytes is an error and stays as it is;
so running this again after a fault or Ctrl-C goes on where it stopped. Credentials are Google's application default
ones (gcloud auth application-default login, or GOOGLE_APPLICATION_CREDENTIALS); none is ever an argument. With
STORAGE_EMULATOR_HOST set, that server is used, without credentials.

Exit code: 0 all there; 1 refused: an object or a local file differs, or the lock is not committed; 2 the machine or
the setup (a blob is missing here, no credentials, no such bucket, no network); 3 the command line; 130 Ctrl-C.
"""

import argparse
import os
import re
import subprocess
import sys
import time

from artifacts.fetch.ending import INTERRUPTED, SURROUNDINGS, USAGE, WRONG, ended
from artifacts.fetch.redaction import redact
from artifacts.format import lock_table, lock_tree
from artifacts.format.quantity import size_text
from tools.artifacts.upload import destination, local_blobs, report, sending
from tools.artifacts.upload.bucket import Settings, UploadError
from tools.artifacts.upload.progress import Progress

_MOST_JOBS = 256


class _Stop(Exception):
    """Ends the program with a message and a code."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise _Stop(USAGE, "%s\nSee --help." % message)

    def _print_message(self, message, file=None):
        _say(message.rstrip(), file)


def _say(text, stream):
    try:
        print(redact(text), file=stream, flush=True)
    except OSError as error:
        raise _Stop(SURROUNDINGS, "standard output: %s" % error.strerror) from None


def _parser():
    shape = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog="upload_artifacts", description=__doc__, formatter_class=shape, allow_abbrev=False)
    add = parser.add_argument
    add("--bucket", required=True, metavar="BUCKET", help="gs://NAME[/PREFIX], file://FOLDER or a folder")
    add("--dry-run", action="store_true", help="say what would be sent where, and what is there already")
    add("--filter", default="", metavar="REGEX", help="only rows of the lock whose key it finds (default: all)")
    add("--from", action="append", default=[], metavar="DIR", dest="folders", help="look here too; may be repeated")
    add("--jobs", type=int, default=16, metavar="N", help="uploads at a time (default: %(default)s)")
    add("--deadline", type=float, default=60, metavar="S", help="seconds of retrying an object (default: %(default)s)")
    add("--allow-dirty", action="store_true", help="upload although a lock.bzl is not committed")
    add("--artifacts", metavar="DIR", help=argparse.SUPPRESS)  # tests: another artifacts folder
    return parser


def _arguments(argv, environment):
    arguments = _parser().parse_args(argv)
    if not 1 <= arguments.jobs <= _MOST_JOBS:
        raise _Stop(USAGE, "--jobs=%d: from 1 to %d" % (arguments.jobs, _MOST_JOBS))
    if not 0 < arguments.deadline <= 86400:
        raise _Stop(USAGE, "--deadline=%g: more than 0 and at most 86400 seconds" % arguments.deadline)
    try:
        re.compile(arguments.filter)
    except re.error as error:
        raise _Stop(USAGE, "--filter=%s: %s" % (arguments.filter, error)) from None
    here = environment.get("BUILD_WORKING_DIRECTORY") or os.getcwd()
    arguments.folders = [os.path.join(here, folder) for folder in arguments.folders]
    root = environment.get("BUILD_WORKSPACE_DIRECTORY") or here
    arguments.root = os.path.join(here, arguments.artifacts) if arguments.artifacts else root
    arguments.here = here
    return arguments


def _tree(arguments):
    """The place of locks and blobs: --artifacts, or the workspace's packages."""
    if arguments.artifacts:
        return lock_tree.of_folder(arguments.root)
    try:
        return lock_tree.of_workspace(arguments.root, lock_tree.packages_of(arguments.root))
    except lock_table.LockError as error:
        raise _Stop(SURROUNDINGS, str(error)) from None


def _folders(store):
    return [os.path.join(store, name) for name in ("blobs", "staged")]


def _collect(arguments):
    """The items to send; _Stop where a blob is missing or wrong."""
    try:
        table = lock_tree.merged(arguments.tree.read())
    except (lock_table.LockError, UnicodeDecodeError) as error:
        raise _Stop(WRONG, str(error)) from None
    except OSError as error:
        raise _Stop(SURROUNDINGS, str(error)) from None
    folders = [folder for store in arguments.tree.stores() for folder in _folders(store)] + arguments.folders
    items, missing, complaints = local_blobs.collect(table, arguments.filter, folders)
    if complaints:
        listed = "\n  ".join(complaints)
        raise _Stop(WRONG, "nothing was sent, because files here are not what the lock says:\n  " + listed)
    if missing:
        raise _Stop(SURROUNDINGS, report.missing(missing, folders))
    if not items:
        raise _Stop(USAGE, "--filter=%s finds none of the %d keys of the locks" % (arguments.filter, len(table)))
    return items


def _check_committed(arguments):
    """_Stop where a lock has changes that nobody else can see."""
    locks = [os.path.relpath(shelf.lock, arguments.root) for shelf in arguments.tree.shelves()]
    command = ["git", "-C", arguments.root, "status", "--porcelain", "--", *locks]
    try:
        got = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return
    if got.returncode == 0 and got.stdout.strip():
        raise _Stop(
            WRONG,
            "%s: locks have changes that are not committed, so what is uploaded would belong to no commit:\n%s\n"
            "Commit them first, or say --allow-dirty." % (arguments.root, got.stdout.rstrip()),
        )


def _run(arguments, environment, out):
    source = destination.parse(arguments.bucket, arguments.here)
    settings = Settings(arguments.jobs, arguments.deadline)
    arguments.tree = _tree(arguments)
    if not arguments.dry_run and not arguments.allow_dirty:
        _check_committed(arguments)
    items = _collect(arguments)
    if arguments.dry_run:
        return _rehearse(items, source, settings, environment, out)
    bucket = destination.open_bucket(source, settings, environment)
    bucket.check()
    _announce("uploading", items, bucket.text)
    progress = Progress(items, sys.stderr, time.monotonic)
    try:
        results = sending.send(items, bucket, settings, progress)
    except sending.Interrupted as interrupted:
        _say(report.interrupted(interrupted.results), sys.stderr)
        return INTERRUPTED
    finally:
        progress.close()
    _say(report.finished(results, bucket, progress.seconds), out)
    return report.exit_code(results)


def _rehearse(items, source, settings, environment, out):
    """--dry-run: what would be sent where, and what is there already if that can be asked."""
    _announce("would upload", items, source.text)
    problem = None
    try:
        bucket = destination.open_bucket(source, settings, environment)
        bucket.check(writing=False)
        results = sending.look(items, bucket, settings, Progress(items, sys.stderr, time.monotonic))
    except UploadError as error:
        problem = error
        results = [sending.Result(item, report.NOT_ASKED) for item in items]
    _say(report.rehearsed(results, source.text), out)
    if problem:
        raise problem
    return report.exit_code(results, report.LOOKED)


def _announce(verb, items, where):
    total = size_text(sum(item.size for item in items))
    _say("%s %d objects, %s, to %s" % (verb, len(items), total, where), sys.stderr)


def main(argv, environment, out):
    """The exit code."""
    return ended(
        "upload_artifacts",
        lambda: _run(_arguments(argv, environment), environment, out),
        out,
        usage=(destination.UsageError,),
        surroundings=(UploadError,),
        interrupted="stopped before anything was sent",
    )
