"""//tools:mutate: puts small faults into models, layers, training, operators, what the harness judges and counts, and the Python that
judges results, and asks whether a test finds each.

  tools/bazel run //tools:mutate -- --family=swin            20 mutants of one family, the same ones each time
  tools/bazel run //tools:mutate -- --count=100 --seed=7     of everything, drawn by another seed
  tools/bazel run //tools:mutate -- --full --write-docs      12 of each family and 414 of shared code, hours; writes their rows of docs/data/mutation.md
  tools/bazel run //tools:mutate -- --family=layers --list   says which it would make
  tools/bazel run //tools:mutate -- --family=verdict         of what compares outputs with their references
  tools/bazel run //tools:mutate -- --family=harness         of measuring, sampling, costs and statistics
  tools/bazel run //tools:mutate -- --family=python          of the gate, history, reports and results
  tools/bazel run //tools:mutate -- --mutants=0a1b2c3d       one again, by its id

A mutant changes one thing: a constant, an epsilon, a branch, an activation, an order of arguments, a call that is dropped. It is
built in copies of the tree (in ~/.cache/assay/mutate, kept, with what is not committed; the tree itself is never written to), and
the tests that depend on its file run until one fails, of `bazel test //...` and of --config=extra: those below models/ and benchmarks/,
for training, programs, verdict and harness those below benchmarks/harness/, for Python those of its tools. Killed: a test
failed, ran for more than ten times its usual time, or was ended by a signal. Survived: none did. Equivalent: it compiles to the
same code, or ci/mutate/equivalent.json says why it computes the same. Score: the killed in percent of those that are neither
equivalent nor refused by the compiler.

Verdicts are kept as they come. The same command on the same tree goes on where one was cut off; --again asks anew.
Exit code: 0 the score is --at-least; 1 it is not, or a test fails without any mutant; 2 the machine or the setup; 3 the command line.
"""

import contextlib
import difflib
import json
import os
import signal
import sys
import tempfile
import time

from artifacts.fetch.ending import INTERRUPTED, OK
from artifacts.format import atomic_file
from tools.processes.command import FINDINGS, UsageError, parser, run_program, workspace
from ci.mutate import crew, equivalents, mutants, report, scopes, tree_copy
from ci.mutate.bazel_tests import BazelTests, Interrupted
from ci.mutate.tree_copy import TreeCopy
from ci.mutate.trials import RedTree, Trials
from ci.mutate.verdict import EQUIVALENT, Verdict, VerdictLog, score

_COUNT = 20


def _flags(words):
    made = parser("mutate", __doc__)
    add = made.add_argument
    add("--family", "--scope", default="", metavar="NAME[,NAME...]", help="families, or %s (default: all)" % ", ".join(scopes.SHARED))
    add("--count", type=int, metavar="N", help="how many mutants (default: %d)" % _COUNT)
    add("--full", action="store_true", help="as many as docs/data/mutation.md has")
    add("--seed", type=int, default=0, metavar="N", help="draws other mutants (default: %(default)s)")
    add("--mutants", default="", metavar="ID[,ID...]", help="these, whether drawn or not")
    add("--list", action="store_true", dest="only_list", help="prints the mutants and runs nothing")
    add("--config", default="", choices=("large",), help="large: the large tests judge too, up to minutes each")
    add("--at-least", type=float, default=95, metavar="PERCENT", help="the score for exit code 0 (default: %(default)g)")
    add("--again", action="store_true", help="runs those too that have a verdict already")
    add("--json", default="", metavar="FILE", help="writes what came of each mutant")
    add("--write-docs", action="store_true", help="with --full: writes the rows of %s" % report.DOCUMENT)
    add("--workers", type=int, default=min(2, os.cpu_count() or 1), metavar="N",
        help="mutants at once, each in a copy of its own with a Bazel server (default: %(default)s)")
    add("--bazel", default="", metavar="PROGRAM", help="started in the copy in the place of its tools/bazel")
    flags = made.parse_args(words)
    if flags.count is not None and flags.count < 1:
        raise UsageError("--count=%d: want 1 or more" % flags.count)
    if flags.workers < 1:
        raise UsageError("--workers=%d: want 1 or more" % flags.workers)
    if not 0 <= flags.at_least <= 100:
        raise UsageError("--at-least=%g: want a percentage" % flags.at_least)
    if flags.full and (flags.count is not None or flags.mutants):
        raise UsageError("--full says how many: leave out --count and --mutants")
    if flags.write_docs and (not flags.full or flags.config):
        raise UsageError("--write-docs: %s has what --full finds in the default tier: add --full, leave out --config" % report.DOCUMENT)
    return flags


def _chosen_scopes(names, known):
    if not names:
        return known
    by_name = {scope.name: scope for scope in known}
    for name in names:
        if name not in by_name:
            close = difflib.get_close_matches(name, by_name, 3, 0.5) or sorted(by_name)
            raise UsageError("--family=%s: unknown; is it %s?" % (name, ", ".join(close)))
    return [by_name[name] for name in dict.fromkeys(names)]


def _by_id(found, ids):
    by_id = {mutant.id: mutant for mutant in found}
    unknown = [name for name in ids if name not in by_id]
    if unknown:
        raise UsageError("--mutants=%s: no such mutant of this tree; --list prints ids" % ",".join(unknown))
    return [by_id[name] for name in ids]


def _drawn(found, chosen, flags):
    """The mutants of this run, family by family and file by file: what does not change is not built anew."""
    if flags.mutants:
        return _by_id(found, flags.mutants.split(","))
    if flags.full:
        counts = {scope.name: scope.share for scope in chosen}
    else:
        counts = scopes.divided(flags.count or _COUNT, chosen, flags.seed)
    drawn = []
    for scope in chosen:
        of_scope = mutants.draw([mutant for mutant in found if mutant.scope == scope.name], counts[scope.name], flags.seed)
        drawn += sorted(of_scope, key=lambda mutant: (mutant.path, mutant.change.start))
    return drawn


def _print_list(drawn, out):
    for mutant in drawn:
        print("%s  %s:%d  %s\n    %s\n    %s" % (mutant.id, mutant.path, mutant.line, mutant.operator, mutant.before, mutant.after),
              file=out)


class Run:
    """The mutants of one run, what is known of them, and what comes of the others."""

    def __init__(self, drawn, log, known, again):
        self.results = []
        self._total, self._log = len(drawn), log
        self.waiting = []
        for mutant in drawn:
            reason, verdict = known.reason(mutant), log.of(mutant)
            if reason:
                self.results.append((mutant, Verdict(EQUIVALENT, reason)))
            elif verdict and not again:
                self.results.append((mutant, verdict))
            else:
                self.waiting.append(mutant)

    def judge(self, workers, out):
        begin, count = time.time(), len(self.waiting)
        with contextlib.closing(crew.judged(workers, list(self.waiting))) as judged:
            for mutant, verdict in judged:
                self._log.add(mutant, verdict)
                self.waiting.remove(mutant)
                self.results.append((mutant, verdict))
                left = (time.time() - begin) / (count - len(self.waiting)) * len(self.waiting)
                print("[%d/%d, %s left] %4.0f s  %s" % (len(self.results), self._total, _duration(left), verdict.seconds,
                                                      report.line(mutant, verdict)), file=out, flush=True)


def _duration(seconds):
    return "%.0f min" % (seconds / 60) if seconds >= 90 else "%.0f s" % seconds


def _judge(run, copies, flags, out):
    """Starts a worker for each copy and lets them judge what waits."""
    workers, dependants = [], None
    with tempfile.TemporaryDirectory(prefix="build_", dir=os.path.dirname(copies[0].root)) as cache:
        for copy in copies:
            bazel = BazelTests(copy.root, flags.bazel, flags.config)
            dependants = dependants or bazel.dependants(sorted({mutant.path for mutant in run.waiting}))
            workers.append(Trials(copy, bazel, dependants))
            print("mutate: the tests of the unchanged tree in %s; where it is new, all that they need is built, which takes minutes" % copy.root,
                  file=out, flush=True)
            # The second copy takes from the first what that has built. A cache of the user's serves as well.
            count = workers[-1].prepare(cache if len(copies) > 1 and not copy.has_disk_cache() else None)
    print("mutate: %d tests will judge" % count, file=out, flush=True)
    run.judge(workers, out)


def _folder(environment, root):
    cache = environment.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "assay", "mutate", os.path.realpath(root).strip("/").replace("/", "-"))


def _say(run, read, out):
    results = sorted(run.results, key=lambda result: (result[0].scope, result[0].path, result[0].line))
    for text in (report.table(results) if results else []) + report.survivors(results, read):
        print(text, file=out)
    if run.waiting:
        print("mutate: %d mutants were not judged" % len(run.waiting), file=out)
    return results


def _write_files(run, results, flags, root):
    if flags.json:
        path = os.path.join(os.environ.get("BUILD_WORKING_DIRECTORY") or root, flags.json)
        atomic_file.write(path, json.dumps(report.records(results), indent=1).encode())
    if flags.write_docs:
        unfinished = {mutant.scope for mutant in run.waiting}
        whole = [(mutant, verdict) for mutant, verdict in results if mutant.scope not in unfinished]
        if whole:
            _write_document(os.path.join(root, report.DOCUMENT), whole, tree_copy.commit(root))


def _write_document(path, results, commit):
    before = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            before = f.read()
    atomic_file.write(path, report.document(results, commit, before).encode())


def _find(chosen, read):
    return [mutant for scope in chosen for path in scope.files for mutant in mutants.find(scope.name, path, read(path))]


def _run_all(flags, root, chosen, folder, out):
    """The exit code, of a run that has the folder to itself."""
    copies = [TreeCopy(root, os.path.join(folder, "tree%d" % number)) for number in range(1, flags.workers + 1)]
    digest = [copy.refresh() for copy in copies][0]
    read = copies[0].read
    found = _find(chosen, read)
    drawn = _drawn(found, chosen, flags)
    known = equivalents.Equivalents(read(equivalents.PATH))
    for text in known.stale(found, {path for scope in chosen for path in scope.files}):
        print("mutate: %s has an entry that is no mutant any more: %s" % (equivalents.PATH, text), file=out)
    run = Run(drawn, VerdictLog(os.path.join(folder, "verdicts.jsonl"), digest, flags.config), known, flags.again)
    print("mutate: %d mutants of %s, %d to be judged" % (len(drawn), tree_copy.commit(root), len(run.waiting)), file=out, flush=True)
    interrupted = False
    try:
        if run.waiting:
            _judge(run, copies[:len(run.waiting)], flags, out)
    except (KeyboardInterrupt, Interrupted):
        interrupted = True
    except RedTree as error:
        print("mutate: %s" % error, file=out)
        return FINDINGS
    results = _say(run, read, out)
    _write_files(run, results, flags, root)
    percent = score([verdict for _, verdict in results])
    code = OK if percent is None or percent >= flags.at_least else FINDINGS
    return INTERRUPTED if interrupted else code


def _stop(_signal, _frame):
    raise KeyboardInterrupt


def main(words, environment, out):
    flags = _flags(words)
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):  # SIGINT also where a shell started it in the background
        signal.signal(number, _stop)
    root = workspace(environment)
    chosen = _chosen_scopes([name for name in flags.family.split(",") if name], scopes.all_scopes(root))
    if flags.only_list:
        _print_list(_drawn(_find(chosen, TreeCopy(root, root).read), chosen, flags), out)
        return OK
    folder = _folder(environment, root)
    lock = tree_copy.Lock(folder)
    try:
        return _run_all(flags, root, chosen, folder, out)
    finally:
        lock.release()


if __name__ == "__main__":
    sys.exit(run_program("mutate", main))
