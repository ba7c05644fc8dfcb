"""The generator's command line: generate.py says what each flag is for."""

import argparse
import re

from artifacts.format import lock_table
from tools.artifacts.generate.errors import UsageError


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def parse(arguments, description):
    """The flags; raises UsageError with a sentence for each mistake."""
    flags = _parser(description).parse_args(arguments)
    try:
        re.compile(flags.filter)
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError("--filter=%s is not a regular expression: %s" % (flags.filter, error)) from None
    if flags.jobs < 1:
        raise UsageError("--jobs=%d: at least 1" % flags.jobs)
    if flags.embed_limit < 0:
        raise UsageError("--embed-limit=%d: a number of bytes" % flags.embed_limit)
    if not flags.accept_drift.isprintable() or len(flags.accept_drift) > 500:
        raise UsageError("--accept-drift: a reason of one line, at most 500 characters")
    for name in ("out", "artifacts"):
        if getattr(flags, name) is not None and not getattr(flags, name).strip():
            raise UsageError("--%s: a folder" % name)
        if "://" in (getattr(flags, name) or ""):
            text = "--%s=%s: a folder; //tools:upload_artifacts puts it in a bucket"
            raise UsageError(text % (name, getattr(flags, name)))
    flags.roles = _roles(flags.roles)
    flags.formats = _formats(flags)
    return flags


def _roles(text):
    roles = tuple(dict.fromkeys(role.strip() for role in text.split(","))) if text else ()
    for role in roles:
        if role not in lock_table.REQUESTED:
            raise UsageError("--with=%s: some of %s, separated by commas" % (text, ", ".join(lock_table.REQUESTED)))
    return roles


def _formats(flags):
    """The formats of --role=module; () where references are made."""
    if flags.role == "reference":
        if flags.format:
            raise UsageError("--format=%s: it is of --role=module" % flags.format)
        return ()
    if flags.roles or flags.measure:
        raise UsageError("--role=module: not with --with and --measure, which are of references")
    formats = tuple(dict.fromkeys(word.strip() for word in flags.format.split(",")))
    if "torchscript" in formats:
        raise UsageError("--format=torchscript: a runner traces that itself, in less time than a file takes to fetch")
    if not set(formats) <= set(lock_table.EXPORTED):
        raise UsageError("--format=%s: some of %s, separated by commas" % (flags.format, ", ".join(lock_table.EXPORTED)))
    return formats


def _parser(description):
    parser = _Parser(
        prog="generate_artifacts",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--filter", required=True, metavar="REGEX", help="cases whose label or key it finds; '.' means all")
    add("--out", metavar="DIR", help="also put every blob of these cases into DIR, named as in a bucket")
    add("--with", dest="roles", default="", metavar="ROLES", help="also make: inputs, weights, module (with commas)")
    add("--role", choices=("reference", "module"), default="reference", help="module: the models as files, by --format")
    add("--format", default="", metavar="FORMATS", help="of --role=module: aoti, onnx, pt2 (with commas)")
    add("--jobs", type=int, default=1, metavar="N", help="models at a time (default 1; bert_large takes 8 GB)")
    add("--dry-run", action="store_true", help="say what would be computed, and stop")
    add("--measure", action="store_true", help="print figures for tolerances; write nothing")
    add("--allow-dirty", action="store_true", help="work although git has uncommitted changes; the lock says so")
    add("--accept-drift", metavar="REASON", default="", help="replace blobs that differ; goes into the lock")
    add("--embed-limit", type=int, default=262144, metavar="BYTES", help="larger blobs go to the bucket")
    add("--artifacts", metavar="DIR", help="DIR/lock.bzl, DIR/blobs and DIR/staged in place of all packages' locks and stores")
    add("--registry", default="benchmarks/registry.json", help=argparse.SUPPRESS)
    return parser
