"""docs/data/backends_models.md: which models pass on which back end, judged by the references of their cases.

    python3 ci/figures/backends_table.py --backend=torchscript --out=FOLDER     # tries what is left, then writes the table
    python3 ci/figures/backends_table.py --backend=aoti --out=FOLDER --minutes=30
    python3 ci/figures/backends_table.py                                        # the table alone

It tries the smallest float32 case of each model that has a reference, tiny models first. docs/data/backends_models.tsv keeps the
result with a digest of the sources that it depends on. Cases that were never tried come first, then those whose sources differ.
The command can be ended at any time, and then goes on from there, in any clone.
"""

import argparse
import collections
import csv
import hashlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
import typing

if __name__ == "__main__":  # started as a file
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))

from artifacts.format import atomic_file

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
_KEPT = os.path.join(_ROOT, "docs", "data", "backends_models.tsv")
_TABLE = os.path.join(_ROOT, "docs", "data", "backends_models.md")
# One build for all, so that no back end links the runners anew.
_BUILD = "--build=--//benchmarks/backends=//benchmarks/backends:every"
_SOURCES = ("models/layers", "benchmarks/harness/execution", "benchmarks/harness/programs", "tools/deps/versions.bzl")
_EXPORT_SOURCES = ("benchmarks/backends", "tools/export/formats.py", "tools/export/traced_graph.py")
_NO_SOURCE = re.compile(r"\.md$|_test\.\w+$|/lock\.bzl$")
_MOST_REASON = 300
_AT_A_TIME = 16

_HEAD = """# Cases by back end

The figures say how far a back end's outputs are from the case's reference: root mean square in its standard deviations, of the
output that is furthest. The float32 limits allow 1e-5. The case is each model's smallest one in float32. "-": not tried yet; "*":
tried with other sources than the tree has now. Made by `python3 ci/figures/backends_table.py --backend=… --out=FOLDER`, which goes on where
it was ended, out of [backends_models.tsv](backends_models.tsv).
"""


class Result(typing.NamedTuple):
    case: str
    backend: str
    outcome: str
    rms: str
    sources: str  # digest
    reason: str = ""


class Case(typing.NamedTuple):
    name: str
    label: str
    model: str
    size: tuple  # of a model's cases, the least is tried
    large: bool


def case_of(entry):
    """The case of the registry's entry; None for one that other cases stand for, or that no reference judges."""
    case = entry["benchmark_case"]
    call = case["execution"]
    plain = call.get("lowering", "") == "" and call.get("memory_format") == "CONTIGUOUS"
    if case["dtype"] != "FP32" or case["mode"] != "EVAL" or not plain or case["label"].startswith("//benchmarks/operators"):
        return None
    tensors = entry["measured"]["inputs"] + entry["measured"]["outputs"]
    elements = sum(math.prod(map(int, tensor["shape"])) for tensor in tensors)
    return Case(case["name"], case["label"], case["model"], (int(case["batch"]), elements, case["name"]), "large" in case.get("tags", ()))


def smallest(cases):
    """The smallest case of each model; tiny models first, then those that the default tests run, and giants last."""
    best = {}
    for case in cases:
        if case.model not in best or case.size < best[case.model].size:
            best[case.model] = case
    tiny, giant = re.compile(r"tiny|mini|2l"), re.compile(r"large|_h_14|\dgf|\d\dm")
    return sorted(best.values(), key=lambda case: (bool(giant.search(case.model)), not tiny.search(case.model), case.large, case.name))


def result_of(record, sources):
    case = record["benchmark_case"]
    backend = case.get("execution", {}).get("backend", "eager")
    if record["outcome"] == "PASS":
        rms = max((output.get("rms_error", 0) for output in record["verdict"]["outputs"]), default=0)
        return Result(case["name"], backend, "PASS", "%.1e" % rms, sources)
    words = (record.get("error") or record.get("verdict", {}).get("message") or "no message").split("\n  to try it alone")[0]
    words = words.replace(os.path.expanduser("~"), "~")
    return Result(case["name"], backend, record["outcome"], "", sources, " ".join(words.split())[:_MOST_REASON])


def read_kept(path):
    """{(case, back end): its result}."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8", newline="") as file:
        rows = [Result(*row) for row in list(csv.reader(file, delimiter="\t"))[1:]]
    return {(row.case, row.backend): row for row in rows}


def text_of_kept(kept):
    lines = ["\t".join(Result._fields)]
    lines += ["\t".join(field.replace("\t", " ") for field in kept[key]) for key in sorted(kept)]
    return "\n".join(lines) + "\n"


def left(cases, kept, backend, digest_of):
    """Cases that were never tried, then those that were tried with other sources."""
    rows = [(case, kept.get((case.name, backend))) for case in cases]
    return [case for case, row in rows if row is None] + [
        case for case, row in rows if row is not None and row.sources != digest_of(case, backend)
    ]


def cell(row, digest):
    if row is None:
        return "-"
    shown = row.rms if row.outcome == "PASS" else "**%s**" % row.outcome
    return shown + ("" if row.sources == digest else "\\*")


def table(kept, cases, unjudged, digest_of):
    """Lines of docs/data/backends_models.md; `unjudged`: models of which no float32 case has a reference."""
    backends = sorted({backend for _, backend in kept})
    by_name = {case.name: case for case in cases}
    shown = {key: row for key, row in kept.items() if row.case in by_name}
    yield _HEAD
    yield "| back end | models that pass | tried | of |"
    yield "|---|---|---|---|"
    for backend in backends:
        rows = [row for (_, b), row in shown.items() if b == backend]
        yield "| %s | %d | %d | %d |" % (backend, sum(row.outcome == "PASS" for row in rows), len(rows), len(cases))
    reasons = collections.defaultdict(list)
    for row in shown.values():
        if row.outcome != "PASS":
            reasons[row.backend, row.outcome, row.reason].append(row.case)
    if reasons:
        yield "\n## What does not pass\n"
    for (backend, outcome, reason), names in sorted(reasons.items()):
        yield "- %s, %s: %s: `%s`" % (backend, outcome, ", ".join(sorted(names)), reason.replace("`", "'"))
    if unjudged:
        yield "\n## What cannot be judged\n"
        yield "Models of which no float32 case has a reference yet, %d: %s." % (len(unjudged), ", ".join(sorted(unjudged)))
    yield "\n## Cases\n"
    yield "| case | %s |" % " | ".join(backends)
    yield "|---" * (len(backends) + 1) + "|"
    for name in sorted({row.case for row in shown.values()}):
        cells = (cell(shown.get((name, b)), digest_of(by_name[name], b)) for b in backends)
        yield "| %s | %s |" % (name, " | ".join(cells))


def read_registry():
    """(cases to try, models that cannot be judged)."""
    bazel = os.path.join(_ROOT, "tools", "bazel")
    subprocess.run([bazel, "build", "--noshow_progress", "--ui_event_filters=-info", "//benchmarks:registry"], cwd=_ROOT, check=True)
    folder = subprocess.run([bazel, "info", "bazel-bin"], cwd=_ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    with open(os.path.join(folder, "benchmarks", "registry.json"), encoding="utf-8") as file:
        entries = json.load(file)["cases"]
    cases = [(case_of(entry), "sha256" in entry.get("reference", ())) for entry in entries]
    judged = smallest(case for case, is_judged in cases if case and is_judged)
    return judged, {case.model for case, _ in cases if case} - {case.model for case in judged}


class Sources:
    """Digests of what a commit has of the files that a result depends on; of one that is not in this clone, none."""

    def __init__(self):
        self._known = {}

    def __call__(self, case, backend, commit="HEAD"):
        family = case.label.split(":")[0].split("/")[-1]
        exported = backend != "torchscript"
        key = family, exported, commit
        if key not in self._known:
            paths = ["models/" + family, "benchmarks/" + family, *_SOURCES, *(_EXPORT_SOURCES if exported else ())]
            command = ["git", "ls-tree", "-r", commit, "--", *paths]
            done = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
            lines = [line for line in done.stdout.splitlines() if not _NO_SOURCE.search(line)]
            self._known[key] = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:8] if lines else "unknown"
        return self._known[key]


def run_suite(cases, backend, folder, seconds):
    """Ends it by Ctrl-C when the time is up: what has a record by then is kept, and done. False where that, or a person, ended it."""
    command = [os.path.join(_ROOT, "tools", "bazel"), "run", "--noshow_progress", "//tools:run_suite", "--", "--backend=" + backend,
               "--action=verify", "--out=" + folder, "--timeout=900", "--memory-limit=12GiB", "--retry-failed", _BUILD, *("--only=" + case.name for case in cases)]
    with subprocess.Popen(command, cwd=_ROOT, stdin=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            process.wait(timeout=seconds)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            os.killpg(process.pid, signal.SIGINT)
            process.wait()
            return False
    if process.returncode == 3:
        raise SystemExit(3)  # run_suite has said why
    return True


def records_of(folder):
    """The last record of each case and back end."""
    found = {}
    path = os.path.join(folder, "results.jsonl")
    if not os.path.exists(path):
        return found
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            if "benchmark_case" in record and record.get("outcome") != "INTERRUPTED":  # else of the suite's run as a whole
                found[record["benchmark_case"]["name"], record["benchmark_case"].get("execution", {}).get("backend", "eager")] = record
    return found


def merge(kept, records, cases, digest_of):
    """Adds results; what was kept stays unless the new one is of the sources that are here now."""
    by_name = {case.name: case for case in cases}
    for (name, backend), record in records.items():
        if name not in by_name:
            continue
        digest = digest_of(by_name[name], backend, record.get("environment", {}).get("git_commit", "unknown"))
        if (name, backend) not in kept or digest == digest_of(by_name[name], backend):
            kept[name, backend] = result_of(record, digest)


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.error = lambda message: parser.exit(3, "backends_table: %s\n" % message)
    parser.add_argument("--backend", action="append", default=[], help="as run_suite takes it; may be repeated")
    parser.add_argument("--out", default="", help="folder of run_suite's results")
    parser.add_argument("--minutes", type=float, default=0, help="for each back end; default: to the end")
    options = parser.parse_args(words)
    if options.backend and not options.out:
        parser.error("--backend needs --out=FOLDER")
    cases, unjudged = read_registry()
    digest_of, kept = Sources(), read_kept(_KEPT)
    if options.out:
        merge(kept, records_of(options.out), cases, digest_of)  # of a run whose end this program did not see
        atomic_file.write(_KEPT, text_of_kept(kept).encode())
    for backend in options.backend:
        wanted = left(cases, kept, backend, digest_of)
        print("%s: %d of %d cases are left" % (backend, len(wanted), len(cases)), file=sys.stderr)
        end = time.monotonic() + options.minutes * 60 if options.minutes else math.inf
        goes_on = True
        while wanted and goes_on and time.monotonic() < end:
            # run_suite has an order of its own, so it gets a few at a time.
            now, wanted = wanted[:_AT_A_TIME], wanted[_AT_A_TIME:]
            goes_on = run_suite(now, backend, os.path.abspath(options.out), end - time.monotonic() if options.minutes else None)
            kept.update(read_kept(_KEPT))  # another back end's run may have written meanwhile
            merge(kept, records_of(options.out), cases, digest_of)
            atomic_file.write(_KEPT, text_of_kept(kept).encode())
    lines = table(kept, cases, unjudged, digest_of)
    atomic_file.write(_TABLE, ("\n".join(lines) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
