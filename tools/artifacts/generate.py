"""Computes the reference outputs of the benchmark cases and writes artifacts/lock.bzl and artifacts/blobs/.

What it does, for every case that the filter finds: has the family's runner export the seeded weights and inputs, has
another implementation (torchvision, transformers, …) compute the outputs in float64 on the CPU, and stores them as a
blob named by its digest. Families without another implementation run in float64 by the runner itself; the lock says so.

Running it again changes nothing: a result within 1e-9 standard deviations of the committed blob keeps that blob. A
larger difference is refused until --accept-drift gives the reason.

examples:
  tools/bazel run //tools:generate_artifacts -- --filter=resnet50 --dry-run
  tools/bazel run //tools:generate_artifacts -- --filter='//benchmarks/bert:.*_fp32_'
  tools/bazel run //tools:generate_artifacts -- --filter=resnet50 --accept-drift='stride moved to the 3x3 convolution'
  tools/bazel run //tools:generate_artifacts -- --filter=. --measure

It never changes what a bucket holds: blobs meant for one are put into artifacts/staged/, for //tools:upload_artifacts.
Exit codes: 0 all done, 1 a reference could not be made or drifted, 2 the surroundings (files, git), 3 the command line.
"""

import argparse
import fcntl
import os
import re
import subprocess
import sys
import tempfile

from tools.artifacts import jobs as jobs_lib
from tools.artifacts import plan, registry, report
from tools.artifacts.blob_source import BlobSource
from tools.artifacts.format import lock_table
from tools.artifacts.store import Store


class UsageError(Exception):
    """The command line is wrong."""


class SurroundingsError(Exception):
    """Files, git or the machine are not as needed."""


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(message)


def parse_flags(arguments):
    parser = _Parser(
        prog="generate_artifacts", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--filter", required=True, metavar="REGEX", help="cases whose label or key it finds; '.' means all")
    parser.add_argument("--dry-run", action="store_true", help="say what would be computed, and stop")
    parser.add_argument("--measure", action="store_true", help="print figures for tolerances; write nothing")
    parser.add_argument("--out", metavar="DIR", help="artifacts folder to read and write (default: that of the workspace)")
    parser.add_argument("--allow-dirty", action="store_true", help="work although git has uncommitted changes")
    parser.add_argument("--accept-drift", metavar="REASON", default="", help="replace blobs that differ; goes into the lock")
    parser.add_argument("--prune", action="store_true", help="also drop rows that no case uses and blobs that no row uses")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="models at a time (default 1; bert_large takes 8 GB)")
    parser.add_argument("--embed-limit", type=int, default=262144, metavar="BYTES", help="larger blobs go to the bucket")
    parser.add_argument("--registry", default="benchmarks/registry.json", help=argparse.SUPPRESS)
    flags = parser.parse_args(arguments)
    try:
        re.compile(flags.filter)
    except re.error as error:
        raise UsageError("--filter=%s is not a regular expression: %s" % (flags.filter, error)) from None
    if flags.jobs < 1:
        raise UsageError("--jobs=%d: at least 1" % flags.jobs)
    if not flags.accept_drift.isprintable():
        raise UsageError("--accept-drift: a reason of one line")
    return flags


def out_folder(flags, environment):
    if flags.out:
        return os.path.join(environment.get("BUILD_WORKING_DIRECTORY", os.getcwd()), flags.out)
    workspace = environment.get("BUILD_WORKSPACE_DIRECTORY")
    if not workspace:
        raise UsageError("start it with `tools/bazel run //tools:generate_artifacts`, or give --out=DIR")
    return os.path.join(workspace, "artifacts")


def refuse_dirty(workspace):
    """A lock is to be explained by a commit; changes below artifacts/ are this program's own."""
    command = ["git", "-C", workspace, "status", "--porcelain", "--", ".", ":!artifacts"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise SurroundingsError("git does not start (%s); --allow-dirty works without" % error) from None
    if done.returncode:
        raise SurroundingsError("%s: %s; --allow-dirty works without git" % (workspace, done.stderr.strip()))
    if done.stdout:
        lines = done.stdout.splitlines()
        raise SurroundingsError(
            "uncommitted changes, so that no commit would explain these references:\n    %s\n"
            "Commit them first, or give --allow-dirty and commit them together with the lock."
            % "\n    ".join(lines[:5] + (["… %d more" % (len(lines) - 5)] if len(lines) > 5 else []))
        )


def show_plan(all_jobs, table):
    for job in all_jobs:
        print("%s   %s%s" % (job.name, job.reference, " by " + job.script if job.script else ""))
        for content in job.contents:
            state = "has a row" if all(key in table for key in content.keys) else "new"
            print("  %-60s %s" % (" ".join(content.keys), state))
    contents = sum(len(job.contents) for job in all_jobs)
    keys = sum(len(c.keys) for job in all_jobs for c in job.contents)
    print("%d models, %d blobs to compute, %d rows of the lock; nothing was done" % (len(all_jobs), contents, keys))


def compute(all_jobs, store, places, parallel):
    """Computes and stores everything; returns the failures as messages."""
    failures, open_contents = [], [dict(enumerate(job.contents)) for job in all_jobs]
    progress = report.Progress(sum(c.units for job in all_jobs for c in job.contents))
    workers = jobs_lib.Workers(all_jobs, places, parallel)
    print(report.ROW_HEAD)
    try:
        for number, event in workers.events():
            job = all_jobs[number]
            if "ended" in event:
                if event["ended"] or open_contents[number]:
                    missing = " ".join(c.keys[0] for c in open_contents[number].values())
                    reason = event["ended"] or "the worker left work"
                    failures.append("%s: %s\n    not computed: %s" % (job.name, reason, missing))
                continue
            content = open_contents[number].pop(event["id"])
            progress.add(content.units)
            if "error" in event:
                failures.append("%s: %s" % (" ".join(content.keys), event["error"]))
            else:
                path = os.path.join(places.work, str(number), "%d.safetensors" % event["id"])
                failures += store.add(content, path, event["provenance"])
                # At once: whatever ends this program, no blob is without its row.
                store.write_lock()
            print("%s %s" % (progress.text(), content.keys[0]), file=sys.stderr, flush=True)
    finally:
        workers.close()
    return failures


def measure(all_jobs, places, parallel):
    failures = []
    workers = jobs_lib.Workers(all_jobs, places, parallel, measure=True)
    try:
        for number, event in workers.events():
            job = all_jobs[number]
            if event.get("ended"):
                failures.append("%s: %s" % (job.name, event["ended"]))
            elif "error" in event:
                failures.append("%s: %s" % (job.contents[event["id"]].keys[0], event["error"]))
            elif "measured" in event:
                content = job.contents[event["id"]]
                title = "%s   %s, batch %d" % (job.name, content.keys[0], content.batch)
                print(report.quality_text(title, event["measured"]))
                sys.stdout.flush()
    finally:
        workers.close()
    return failures


def lock_folder(folder):
    """Keeps a second generator out of the same folder; the lock lasts as long as the returned descriptor."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise SurroundingsError("another generate_artifacts works in %s; wait for it" % folder) from None
    return descriptor


def run(flags, environment):
    cases, without = registry.read(flags.registry)
    chosen = plan.select(cases, flags.filter)
    if not chosen:
        raise UsageError(
            "--filter=%s finds none of %d cases (`tools/bazel run //benchmarks:list` shows them)" % (flags.filter, len(cases))
        )
    all_jobs = plan.make_jobs(chosen)
    if without:
        print("%d cases name no reference and are left out" % without)
    folder = out_folder(flags, environment)
    os.makedirs(folder, exist_ok=True)
    store = Store(folder, BlobSource(folder, environment.get("ASSAY_BUCKET", "")), flags.accept_drift, flags.embed_limit)
    if flags.dry_run:
        show_plan(all_jobs, store.table)
        return 0
    if not flags.allow_dirty and not flags.measure and environment.get("BUILD_WORKSPACE_DIRECTORY"):
        refuse_dirty(environment["BUILD_WORKSPACE_DIRECTORY"])
    descriptor = lock_folder(folder)
    try:
        with tempfile.TemporaryDirectory(prefix="assay_references_") as work:
            places = jobs_lib.Places(os.getcwd(), os.path.abspath(flags.registry[: -len("json")] + "pb"), work)
            if flags.measure:
                failures = measure([_job_to_measure(job) for job in all_jobs], places, flags.jobs)
            else:
                failures = compute(all_jobs, store, places, flags.jobs)
    finally:
        os.close(descriptor)
    if not flags.measure:
        if flags.prune:
            store.prune({case.key for case in cases})
        print(store.totals({case.key for case in cases}))
    for failure in failures:
        print("generate_artifacts: " + failure, file=sys.stderr)
    return 1 if failures else 0


def _job_to_measure(job):
    """The largest of a model's verified workloads stands for all: its figures are the worst."""
    largest = max(job.contents, key=lambda c: (c.units, c.rounding == "fp32"))
    return job._replace(contents=(largest,))


def main():
    try:
        return run(parse_flags(sys.argv[1:]), os.environ)
    except UsageError as error:
        print("generate_artifacts: %s\nSee --help." % error, file=sys.stderr)
        return 3
    except (SurroundingsError, registry.RegistryError, lock_table.LockError, OSError) as error:
        print("generate_artifacts: %s" % error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("generate_artifacts: interrupted; what was done is in the lock", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
