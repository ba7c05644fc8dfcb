"""Says what reference artifacts there are, what tests would download, whether all can be read, and what is unused.

commands:
  list    each row of the locks: its blob, where that would come from, who computed it, which cases read it
  size    how many blobs and bytes testing something needs, and how many of them would be downloaded
  check   is every pinned blob readable, at each place that may hold it?
  prune   rows that no case reads and blobs that no row names; --delete removes them

examples:
  tools/bazel run //tools:artifacts -- list --filter=resnet18
  tools/bazel run //tools:artifacts -- size --query='//benchmarks/resnet/...'
  tools/bazel run //tools:artifacts -- check --bucket=gs://my-bucket/assay --format=csv
  tools/bazel run //tools:artifacts -- check --bucket=https://example.org/assay --download --everywhere
  tools/bazel run //tools:artifacts -- prune

ASSAY_BUCKET in the environment names sources, as for tests; --bucket takes its place. Only check uses the network.
Exit codes: 0 right, 1 some place has wrong bytes, 2 the machine or the setup (a blob readable nowhere), 3 the command line.
"""

import argparse
import contextlib
import os
import re
import sys

from artifacts.fetch.cache import default_cache_folder
from artifacts.fetch.ending import ended
from artifacts.fetch.settings import Settings
from artifacts.fetch.sources import SourceError, parse_sources
from artifacts.format import lock_table, lock_tree
from tools.artifacts.generate import registry, workspace
from tools.artifacts.generate.errors import SurroundingsError, UsageError
from tools.artifacts.inventory import checking, holdings, listing, output, pruning
from tools.artifacts.inventory.cases import Cases, QueryError


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def parse(arguments):
    raw = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog="artifacts", description=__doc__, formatter_class=raw, allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="{list,size,check,prune}")
    for name, text in (("list", "rows"), ("size", "bytes"), ("check", "readability"), ("prune", "what nothing needs")):
        command = commands.add_parser(name, help=text, description=__doc__, formatter_class=raw, allow_abbrev=False)
        _add_flags(command, name)
    flags = parser.parse_args(arguments)
    if getattr(flags, "jobs", 1) < 1:
        raise UsageError("--jobs=%d: at least 1" % flags.jobs)
    try:
        re.compile(getattr(flags, "filter", ""))
    except (re.error, RecursionError, OverflowError) as error:
        raise UsageError("--filter=%s is not a regular expression: %s" % (flags.filter, error)) from None
    return flags


def _add_flags(command, name):
    add = command.add_argument
    if name != "prune":
        add("--filter", default="", metavar="REGEX", help="only rows whose key it finds")
        add("--query", default="", metavar="PATTERNS", help="only what these cases need: '//benchmarks/resnet/...'")
        add("--bucket", default=None, metavar="SOURCES", help="in place of ASSAY_BUCKET; several with commas")
    if name == "check":
        add("--download", action="store_true", help="fetch and hash what sources hold, also where they say its size")
        add("--everywhere", action="store_true", help="exit code 2 unless every place has its blobs")
        add("--jobs", type=int, default=16, metavar="N", help="questions at a time (default 16)")
    if name == "prune":
        add("--delete", action="store_true", help="remove what is found; without it nothing is changed")
    add("--format", choices=output.FORMATS, default="text")
    add("--artifacts", metavar="DIR", help="DIR/lock.bzl, DIR/blobs and DIR/staged in place of all packages' locks and stores")
    add("--registry", default="benchmarks/registry.json", help=argparse.SUPPRESS)


def selected(table, cases, flags):
    """The rows that --filter and --query leave."""
    chosen = {key: row for key, row in table.items() if re.search(flags.filter, key)}
    if flags.query:
        wanted = cases.keys(flags.query)
        missing = sorted(key for key in wanted if key not in table)
        if missing:
            some = ", ".join(missing[:5] + ["…"] * (len(missing) > 5))
            print("artifacts: %d keys of the query have no row yet: %s" % (len(missing), some), file=sys.stderr)
        chosen = {key: row for key, row in chosen.items() if key in wanted}
    if table and not chosen:
        raise UsageError("none of %d rows is meant by --filter=%s --query=%s" % (len(table), flags.filter, flags.query))
    return chosen


def run(flags, environment):
    tree = workspace.tree(flags, environment, "//tools:artifacts -- " + flags.command)
    cases = Cases.read(flags.registry)
    if flags.command == "prune":
        return run_prune(flags, tree, cases)
    read = tree.read()
    table = lock_tree.merged(read)
    bucket = environment.get("ASSAY_BUCKET", "") if flags.bucket is None else flags.bucket
    sources = parse_sources(bucket, workspace.user_folder(environment))
    places = holdings.Holdings(read, sources, default_cache_folder(environment))
    chosen = selected(table, cases, flags)
    if flags.command == "check":
        return run_check(flags, chosen, places, Settings.from_environ(environment))
    if flags.command == "list":
        records = listing.rows(chosen, places, cases)
        output.write(records, flags.format, listing.COLUMNS, sys.stdout, lambda r: listing.rows_text(r, sources))
    else:
        records = listing.sizes(table, chosen, places)
        output.write(records, flags.format, listing.SIZE_COLUMNS, sys.stdout, listing.sizes_text)
    return 0


def run_check(flags, chosen, places, settings):
    blobs = holdings.blobs(chosen)
    records = checking.Checker(places, settings, flags.download, flags.jobs).check(blobs)
    records = checking.with_the_lost(records, blobs)
    output.write(records, flags.format, checking.COLUMNS, sys.stdout, checking.text)
    return checking.exit_code(records, flags.everywhere)


def run_prune(flags, tree, cases):
    if not cases.keys_in_use():
        raise SurroundingsError("%s names no case with a reference; so nothing is taken to be unused" % flags.registry)
    with contextlib.ExitStack() as locks:
        for store in tree.stores():
            if os.path.isdir(store):
                locks.enter_context(workspace.locked(store))
        read = tree.read()
        records = pruning.find(read, cases)
        if flags.delete:
            pruning.delete(records, read)
    output.write(records, flags.format, pruning.COLUMNS, sys.stdout, lambda r: pruning.text(r, flags.delete))
    return 0


def main():
    return ended(
        "artifacts",
        lambda: run(parse(sys.argv[1:]), os.environ),
        usage=(QueryError, SourceError),
        surroundings=(registry.RegistryError, lock_table.LockError),
    )


if __name__ == "__main__":
    sys.exit(main())
