"""Computes the reference outputs of the benchmark cases and writes each package's lock.bzl and its blobs.

For every case that the filter finds, it builds the family's runner, which exports the seeded weights and
inputs, has another implementation (torchvision, transformers, …) compute the outputs in float64 on the CPU, and stores them as a
blob named by its digest. Families without another implementation run in float64 by the runner itself; the lock says so.

Running it again changes nothing: a result within 1e-9 standard deviations of the committed blob keeps that blob. A
larger difference is refused until --accept-drift gives the reason. --out=DIR also puts the blob of every case that the
filter finds into DIR, as the lock has it; DIR is then a bucket (ASSAY_BUCKET=DIR), or what becomes one.

examples:
  tools/bazel run //tools:generate_artifacts -- --filter=resnet50 --dry-run
  tools/bazel run //tools:generate_artifacts -- --filter='//benchmarks/bert:.*_fp32_'
  tools/bazel run //tools:generate_artifacts -- --filter=resnet --out=my-bucket
  tools/bazel run //tools:generate_artifacts -- --filter=resnet18_fp32_b1 --with=inputs,weights,module --out=my-bucket
  tools/bazel run //tools:generate_artifacts -- --filter=resnet50 --accept-drift='stride moved to the 3x3 convolution'
  tools/bazel run //tools:generate_artifacts -- --filter=. --measure
  tools/bazel run //tools:generate_artifacts -- --filter=:resnet18_fp32_b1$ --role=module --format=aoti,onnx

--role=module makes files of the suite's own models, for --backend=aoti, onnxruntime and exported (docs/backends.md), each judged by
the case's reference before it is kept. They are meant for a bucket; a case takes the one that the lock has for it.

The lock lies beside the package's case table. Blobs of packages in benchmarks/ lie in artifacts/blobs, those of any other
package in its own blobs/. What a bucket holds is never changed: blobs meant for one are put into staged/ beside blobs/,
for //tools:upload_artifacts.
`tools/bazel run //tools:artifacts -- list` shows what there is, `-- prune` what nothing needs any more.
Exit codes: 0 all done, 1 a reference could not be made or drifted, 2 the machine or the setup (files, git, the
build of a runner), 3 the command line.
"""

import contextlib
import os
import sys
import tempfile
import time

from artifacts.fetch.cache import BlobCache, default_cache_folder
from artifacts.fetch.ending import ended
from artifacts.fetch.settings import Settings as FetchSettings
from artifacts.fetch.sources import SourceError, parse_sources
from artifacts.format import lock_table
from artifacts.format.quantity import duration_text
from tools.artifacts.generate import committed, flags as flags_lib, jobs as jobs_lib
from tools.artifacts.generate import exported, plan, registry, report, runners, stage, workspace
from tools.artifacts.generate import store as store_lib
from tools.artifacts.generate.errors import SurroundingsError, UsageError


def show_plan(all_jobs, store, roles):
    for job in all_jobs:
        more = [role for role in jobs_lib.roles_of(job, roles) if role]
        script = " by " + job.script if job.script else ""
        print("%s   %s%s%s" % (job.name, job.reference, script, "   with " + ", ".join(more) if more else ""))
        for content in job.contents:
            table = store.open(content.package).table
            state = "has a row" if all(key in table for key in content.keys) else "new"
            print("  %-60s %s" % (" ".join(content.keys), state))
    contents = sum(len(job.contents) for job in all_jobs)
    keys = sum(len(c.keys) for job in all_jobs for c in job.contents)
    print("%d models, %d blobs to compute, %d rows of the lock; nothing was done" % (len(all_jobs), contents, keys))


def compute(all_jobs, store, places, flags):
    """Computes and stores everything; returns the failures as messages."""
    failures = []
    # The parts that each job still has to make: (number of the content, role).
    expected = [
        {(n, role) for n in range(len(job.contents)) for role in jobs_lib.roles_of(job, flags.roles)}
        for job in all_jobs
    ]
    progress = report.Progress(sum(len(job.contents) for job in all_jobs))
    workers = jobs_lib.Workers(all_jobs, places, flags.jobs, roles=flags.roles)
    print(report.ROW_HEAD)
    try:
        for number, event in workers.events():
            job = all_jobs[number]
            if "ended" in event:
                failures += _left_open(job, event["ended"], expected[number])
                continue
            content, role = job.contents[event["id"]], event["role"]
            expected[number].remove((event["id"], role))
            failures += _take(store, content, role, event)
            if role == lock_table.REFERENCE:
                progress.add()
            print("%s %s" % (progress.text(), _key(content, role)), file=sys.stderr, flush=True)
    finally:
        workers.close()
    return failures


def _take(store, content, role, event):
    """Stores what a worker made; returns failures as messages."""
    if "error" in event:
        return ["%s: %s" % (" ".join(_key(content._replace(keys=(k,)), role) for k in content.keys), event["error"])]
    if role == lock_table.REFERENCE:
        failures = store.add(content, event["path"], event["provenance"])
    else:
        failures = store.add_extra(content, role, event["path"], event["provenance"])
    # At once: whatever ends this program, no blob is without its row.
    store.write_lock()
    return failures


def _left_open(job, error, expected):
    """The failure of a worker that crashed, or ended before everything was there."""
    if not error and not expected:
        return []
    missing = " ".join(_key(job.contents[n], role) for n, role in sorted(expected))
    return ["%s: %s\n    not computed: %s" % (job.name, error or "the worker left work", missing or "-")]


def _key(content, role):
    return content.keys[0] + ("." + role if role else "")


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


def chosen_jobs(flags):
    """(all cases, the jobs of those that the filter finds)."""
    cases, without = registry.read(flags.registry)
    chosen = plan.select(cases, flags.filter)
    if not chosen:
        text = "--filter=%s finds none of %d cases (`tools/bazel run //benchmarks:list` shows them)"
        raise UsageError(text % (flags.filter, len(cases)))
    if without:
        print("%d cases of operators need no reference: their truth is computed where they run" % without)
    return cases, plan.make_jobs(chosen)


def open_store(tree, flags, environment, commit):
    try:
        sources = parse_sources(environment.get("ASSAY_BUCKET", ""), workspace.user_folder(environment))
        settings = FetchSettings.from_environ(environment)
        cache = BlobCache(default_cache_folder(environment), settings=settings)
    except SourceError as error:
        raise UsageError(str(error)) from None
    out = workspace.out_folder(flags, environment)

    def blobs_of(folder):
        return committed.Blobs(folder, sources, cache, settings)

    return store_lib.Store(tree, blobs_of, store_lib.Settings(flags.accept_drift, flags.embed_limit, commit, out))


@contextlib.contextmanager
def exclusive(folders):
    """Keeps other generators out of these folders, and removes what killed ones left there."""
    with contextlib.ExitStack() as locks:
        for folder in sorted(folders):
            os.makedirs(folder, exist_ok=True)
            locks.enter_context(workspace.locked(folder))
            for place in (folder, os.path.join(folder, "blobs"), os.path.join(folder, "staged")):
                stage.sweep(place)
        yield


def make_modules(flags, environment):
    """Files of the models of the cases that the filter finds; the exit code."""
    cases, _ = registry.read(flags.registry)
    chosen = [case for case in plan.select(cases, flags.filter) if not case.training and not case.continuation]
    if not chosen:
        raise UsageError("--filter=%s finds no case of one forward pass" % flags.filter)
    if flags.dry_run:
        print("\n".join("%-60s %s" % (case.label, " ".join(flags.formats)) for case in chosen))
        return 0
    root = workspace.root(environment)
    tree = workspace.tree(flags, environment, packages={case.package for case in cases})
    commit = workspace.commit(root, flags.allow_dirty)
    shelves = [tree.shelf(case.package) for case in chosen]
    folders = [shelf.store for shelf in shelves] + [os.path.dirname(shelf.lock) for shelf in shelves]
    failures = []
    with exclusive({os.path.realpath(f) for f in (*folders, workspace.out_folder(flags, environment)) if f}):
        store = open_store(tree, flags, environment, commit)
        print(report.ROW_HEAD)
        for case in chosen:
            for role in flags.formats:
                failures += exported.add(case, role, store, root)
                store.write_lock()
        print(store.totals({case.key for case in cases}))
    for failure in failures:
        print("generate_artifacts: " + failure, file=sys.stderr)
    return 1 if failures else 0


def run(flags, environment):
    if flags.formats:
        return make_modules(flags, environment)
    cases, all_jobs = chosen_jobs(flags)
    tree = workspace.tree(flags, environment, packages={case.package for case in cases})
    if flags.dry_run:
        store = open_store(tree, flags, environment, "")
        show_plan(all_jobs, store, flags.roles)
        return 0
    root, start = workspace.root(environment), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="assay_references_") as work:
        places = jobs_lib.Places(root, "", os.path.abspath(flags.registry[: -len("json")] + "pb"), work)
        if flags.measure:
            failures = measure([_job_to_measure(job) for job in all_jobs], built(all_jobs, places), flags.jobs)
        else:
            failures = generate(cases, all_jobs, tree, places, flags, environment)
            print("took %s" % duration_text(time.monotonic() - start))
    for failure in failures:
        print("generate_artifacts: " + failure, file=sys.stderr)
    return 1 if failures else 0


def generate(cases, all_jobs, tree, places, flags, environment):
    """Computes, stores and reports; returns the failures as messages."""
    commit = workspace.commit(places.root, flags.allow_dirty)
    shelves = [tree.shelf(job.package) for job in all_jobs]
    folders = [shelf.store for shelf in shelves] + [os.path.dirname(shelf.lock) for shelf in shelves]
    with exclusive({os.path.realpath(f) for f in (*folders, workspace.out_folder(flags, environment)) if f}):
        store = open_store(tree, flags, environment, commit)
        for job in all_jobs:
            store.open(job.package)  # a damaged lock is said before anything is built or computed
        failures = compute(all_jobs, store, built(all_jobs, places), flags)
        print(store.totals({case.key for case in cases}))
    return failures


def built(all_jobs, places):
    """The places, with the runners of these jobs and of no other family."""
    for job in all_jobs:
        if job.script and not os.path.isfile(os.path.join(places.root, job.script)):
            raise SurroundingsError("%s: there is no such file; %s has it as its reference_script" % (job.script, job.name))
    return places._replace(runners=runners.build(places.root, {job.package for job in all_jobs}))


def _job_to_measure(job):
    """The largest of a model's verified workloads stands for all: its figures are the worst."""
    largest = max(job.contents, key=lambda c: (c.units, c.rounding == "fp32"))
    return job._replace(contents=(largest,))


def main():
    return ended(
        "generate_artifacts",
        lambda: run(flags_lib.parse(sys.argv[1:], __doc__), os.environ),
        surroundings=(registry.RegistryError, lock_table.LockError),
        interrupted="interrupted; what was done is in the lock",
    )


if __name__ == "__main__":
    sys.exit(main())
