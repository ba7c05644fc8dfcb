"""The kinds of step of a plan: a function for each row of plan.KINDS."""

import contextlib
import json
import os
import re
import shutil
import statistics
import sys
import time
import traceback

from . import machine, programs
from .results import of_product

_MISSING_LIBRARY = re.compile(r"error while loading shared libraries: .*|version `\S+' not found.*")
_PEER_SECONDS_MORE = 40  # of peaks and nvbench (gpu_peer.py --help), and for the imports
_NOT_RUN_TEXT = "the time of its step was over"
_GTEST_FIELDS = ("name", "file", "line", "status", "result", "timestamp", "time", "classname", "failures")


class Surroundings:
    """Everything that a step needs: the bundle, where results go, how programs are started, and what is missing here."""

    def __init__(self, bundle, results, device, site, gpu_problem, torch_problem):
        self.bundle, self.results, self.device = bundle, results, device
        self.gpu_problem, self.torch_problem = gpu_problem, torch_problem
        self.scratch, self.again = results.scratch, []
        folders = [site + "/torch/lib", site + "/nvidia/cu13/lib"] if site else []
        folders += [f for f in [os.environ.get("LD_LIBRARY_PATH", ""), machine.own_libraries(bundle.path("lib"))] if f]
        self.environment = dict(os.environ, TEST_TMPDIR=self.scratch, LD_LIBRARY_PATH=":".join(folders))
        self.site = site

    def missing(self, needs_torch):
        """(verdict, reason) of a program that can't be started here, or None."""
        if self.gpu_problem and self.device == "cuda":
            return "NO_DEVICE", self.gpu_problem
        return ("NO_LIBTORCH", self.torch_problem) if needs_torch and self.torch_problem else None

    def run(self, words, log, deadline, tick, folder=""):
        return programs.run(words, log, self.environment, folder or self.scratch, deadline, tick)

    def without_logs(self):
        self.results.tick(with_logs=False)


def look(around, step, _deadline):
    """Facts of the machine; reads all libraries once, and asks the loader what is missing."""
    begun = time.monotonic()
    if around.site:
        size = machine.prewarm(around.site)
        around.results.figures.append("libraries  %.1f GB read once in %.0f s" % (size / 1e9, time.monotonic() - begun))
    missing = set()
    for name in sorted(os.listdir(around.bundle.path("bin"))):
        with _environment(around.environment):
            said = machine.said_by(["ldd", around.bundle.path("bin", name)])
        with open(around.results.log("ldd"), "a", encoding="utf-8") as f:
            f.write("%s\n%s" % (name, said))
        missing |= {line.split()[0] for line in said.splitlines() if "not found" in line}
    with open(around.results.log("nvidia-smi"), "w", encoding="utf-8") as f:
        f.write(machine.said_by(["nvidia-smi", "-q"]))
    verdict = around.missing(needs_torch=True) or (("NO_LIBRARY", "not here: " + ", ".join(sorted(missing))) if missing else ("PASS", "all libraries are here"))
    around.results.add(step.name, "libraries", verdict[0], time.monotonic() - begun, verdict[1])


@contextlib.contextmanager
def _environment(values):
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def unit_tests(around, step, deadline):
    """Tests of the CUDA side alone on the GPU; their properties are figures."""
    for test in step.fields["tests"]:
        name, _, pattern = test.partition(":")
        missing = around.missing(needs_torch="torch" in name)
        if missing:
            around.results.add(step.name, test, missing[0], 0, missing[1])
            continue
        report = os.path.join(around.scratch, name + ".json")
        with contextlib.suppress(OSError):
            os.remove(report)
        log = around.results.log(test)
        words = [around.bundle.path("bin", name), "--gtest_output=json:" + report] + (["--gtest_filter=" + pattern] if pattern else [])
        if around.device == "simulated":
            code, seconds = around.run([*words, "--gtest_list_tests"], log, deadline, around.without_logs)
            verdict, detail = ("NO_DEVICE", "it was started, and lists its tests: they need a GPU") if code == 0 else _judged(code, log, "")
            around.results.add(step.name, test, verdict, seconds, detail)
            continue
        code, seconds = around.run(words, log, deadline, around.without_logs)
        _add_tests(around, step, test, code, seconds, report, log)


def _add_tests(around, step, test, code, seconds, report, log):
    """A result for each test of the report, and one for what ended the program before it was written."""
    try:
        with open(report, encoding="utf-8") as f:
            told = json.load(f)
        tests = [t for suite in told["testsuites"] for t in suite["testsuite"]]
    except (OSError, ValueError):
        tests = []
    for t in tests:
        failures = [" ".join(f["failure"].split()) for f in t.get("failures", [])]
        properties = ["%s %s" % item for item in t.items() if item[0] not in _GTEST_FIELDS]
        skipped = t.get("result") == "SKIPPED"
        verdict = "FAIL" if failures else "NOT_RUN" if skipped else "PASS"
        around.results.add(step.name, "%s.%s" % (t["classname"], t["name"]), verdict, float(t["time"].rstrip("s")),
                           "; ".join(failures) or ", ".join(properties) or ("skipped" if skipped else ""))
        if properties:
            around.results.figures.append("%s  %s" % (t["name"], ", ".join(properties)))
    if not tests:
        verdict, detail = _judged(code, log, "it wrote no report")
        around.results.add(step.name, test, verdict, seconds, detail)
    elif code not in (0, 1):
        verdict, detail = _judged(code, log, "")
        around.results.add(step.name, test, verdict, seconds, detail)


def _text_of(log):
    with open(log, encoding="utf-8", errors="replace") as f:
        return f.read()


def _judged(code, log, why):
    """(verdict, detail) of a program that should have gone on."""
    missing = _MISSING_LIBRARY.search(_text_of(log))
    if missing:
        return "NO_LIBRARY", missing.group(0)
    if code is None:
        return "TIMEOUT", "killed at the end of its time"
    return ("CRASH" if code < 0 else "FAIL"), ", ".join(filter(None, [programs.how(code), why, os.path.basename(log)]))


def _records(path):
    """The records of a file, without a last line that was cut off."""
    records = []
    with contextlib.suppress(OSError), open(path, encoding="utf-8") as f:
        for line in f:
            with contextlib.suppress(ValueError):
                records.append(json.loads(line))
    return records


def _worst(record):
    """The largest error of a verdict, beside its limit."""
    outputs = record.get("verdict", {}).get("outputs", [])
    known = [o for o in outputs if o.get("max_limit")]
    if not known:
        return record.get("error", "") or record.get("verdict", {}).get("message", "")
    worst = max(known, key=lambda o: o.get("max_error", 0) / o["max_limit"])
    return "%s max %.1e of %.0e, rms %.1e of %.0e" % (worst["name"], worst.get("max_error", 0), worst["max_limit"],
                                                      worst.get("rms_error", 0), worst.get("rms_limit", 0))


def _detail(record):
    parts = [record.get("error", ""), record.get("verdict", {}).get("message", ""), _worst(record)]
    return "; ".join(dict.fromkeys(filter(None, parts)))


def _case_lines(around, cases, flags, record_path):
    return [[*around.bundle.case_arguments(around.bundle.cases[c], around.device), *flags, "--record=" + record_path]
            for c in cases]


def _add_series(around, step, cases, series, path, log, running):
    """A result for each case of a list, out of its records and of the lines that were lost."""
    records = {r["benchmark_case"]["label"]: r for r in _records(path)}
    for i, name in enumerate(cases):
        label = around.bundle.cases[name].label
        seconds = 0.0
        if i in series.lost:
            verdict, detail = series.lost[i][0], "%s; %s" % (series.lost[i][1], os.path.basename(log))
        elif label in records:
            verdict, detail = records[label]["outcome"], _detail(records[label])
            seconds = float(records[label].get("duration_s", 0))
        elif series.problem:
            verdict, detail = _judged(2, log, series.problem)
        elif running:
            verdict, detail = "NOT_RUN", _NOT_RUN_TEXT
        else:
            verdict, detail = "FAIL", "the runner wrote no record of it: " + os.path.basename(log)
        around.results.add(step.name, label, verdict, seconds, detail)


class _List:
    """Cases that one series of processes does, with its log."""

    def __init__(self, around, step, index, cases, flags, path):
        self.cases, self._around, self._step, self._path = cases, around, step, path
        self._log = around.results.log("%s-%d" % (step.name, index))
        files = os.path.join(around.scratch, "%s-%d" % (step.name, index))
        self.series = programs.Series(around.bundle.path("bin/gpu_runner"), _case_lines(around, cases, flags, path), files, self._log,
                                      around.environment, around.scratch, step.fields["case_seconds"])

    def add(self):
        running = self.series.goes_on()
        _add_series(self._around, self._step, self.cases, self.series, self._path, self._log, running)


def _in_series(around, step, parts, flags, deadline, keep, with_logs):
    """Runs lists of cases, each in a process of its own, at the same time. `keep`: the results' file of their records."""
    lists = []

    def until_now():
        for one in lists:
            one.add()

    try:
        for i, cases in enumerate(parts):
            lists.append(_List(around, step, i, cases, flags, around.results.path(keep)))
        while time.monotonic() < deadline and any([one.series.goes_on() for one in lists]):
            around.results.tick(with_logs, until_now)
            time.sleep(0.05)
    finally:
        for one in lists:
            one.add()
            one.series.stop()


def _all_missing(around, step, cases):
    missing = around.missing(needs_torch=True)
    for case in cases if missing else []:
        around.results.add(step.name, around.bundle.cases[case].label, missing[0], 0, missing[1])
    return bool(missing)


def verify(around, step, deadline):
    """Cases against their references, in several processes at once."""
    cases = step.fields["cases"] or [case.label for case in around.bundle.default_cases()]
    if _all_missing(around, step, cases):
        return
    count = max(1, min(step.fields["processes"], len(os.sched_getaffinity(0)), len(cases)))
    flags = ["--action=verify", "--threads=1"]
    with machine.held_context() if around.device == "cuda" else contextlib.nullcontext():
        _in_series(around, step, [cases[i::count] for i in range(count)], flags, deadline, "verdicts.jsonl", with_logs=True)


def measure(around, step, deadline):
    """Cases alone on the GPU, one after another in one process."""
    if not _all_missing(around, step, step.fields["cases"]):
        _in_series(around, step, [step.fields["cases"]], step.fields["flags"], deadline, "records.jsonl", with_logs=False)


def rounds(around, step, deadline):
    """Each case in fresh processes, in turns, without and with a change: how far processes differ, and whether it is seen."""
    cases = step.fields["cases"]
    if _all_missing(around, step, cases):
        return
    kinds = [(case, change) for case in cases for change in step.fields["changes"]]
    for turn in range(step.fields["rounds"]):
        for i, (case, change) in enumerate(kinds if turn % 2 == 0 else kinds[::-1]):
            index = i if turn % 2 == 0 else len(kinds) - 1 - i
            _one_round(around, step, case, change, "%s-%d" % (step.name, index), deadline)
    for case in cases:
        paths = [os.path.join(around.scratch, "%s-%d.jsonl" % (step.name, kinds.index((case, change)))) for change in step.fields["changes"]]
        around.results.figures += _spreads(case, step.fields["changes"], [_medians(path) for path in paths])


def _one_round(around, step, case, change, name, deadline):
    label = around.bundle.cases[case].label
    if time.monotonic() >= deadline:
        around.results.add(step.name, "%s %s" % (label, change), "NOT_RUN", 0, _NOT_RUN_TEXT)
        return
    record_path, log = os.path.join(around.scratch, name + ".jsonl"), around.results.log(name)
    before = len(_records(record_path))
    flags = step.fields["flags"] + change.split()
    words = [around.bundle.path("bin/gpu_runner"), *_case_lines(around, [case], flags, record_path)[0]]
    limit = min(deadline, time.monotonic() + step.fields["case_seconds"])
    code, seconds = around.run(words, log, limit, around.without_logs)
    records = _records(record_path)
    if len(records) > before:
        with open(around.results.path("records.jsonl"), "a", encoding="utf-8") as f:
            f.write(json.dumps(records[-1]) + "\n")
        verdict, detail = records[-1]["outcome"], _detail(records[-1])
    elif code is None and limit == deadline:
        verdict, detail = "NOT_RUN", _NOT_RUN_TEXT
    else:
        verdict, detail = _judged(code, log, "no record")
    around.results.add(step.name, ("%s %s" % (label, change)).strip(), verdict, seconds, detail)


def _medians(path):
    """Mode -> the median of each process."""
    medians = {}
    for record in _records(path):
        for m in record.get("measurements", []):
            key = m["mode"] if m.get("step") in (None, "forward") else "%s/%s" % (m["step"], m["mode"])
            medians.setdefault(key, []).append(m["median_ns"])
    return medians


def _spreads(case, changes, medians):
    """A line for each change and mode: the median over processes, how far they lie apart, and what the change costs."""
    lines = []
    for change, of_change in zip(changes, medians):
        for mode, ns in of_change.items():
            middle = statistics.median(ns)
            text = "%-34s %-12s %10.3f us, of %d processes; the furthest %.2f %% apart" % (
                ("%s %s" % (case, change)).strip(), mode, middle / 1e3, len(ns), 100 * (max(ns) - min(ns)) / middle)
            if change != changes[0] and medians[0].get(mode):
                text += "; %.3f times what it is without" % (middle / statistics.median(medians[0][mode]))
            lines.append(text)
    return lines


def program(around, step, deadline):
    """Any program; {bin}, {results}, {python} and {case NAME} stand for paths and for the arguments of a case."""
    missing = around.missing(needs_torch=True)
    if missing:
        around.results.add(step.name, step.name, missing[0], 0, missing[1])
        return
    places = {"bin": around.bundle.path("bin"), "results": around.scratch, "python": sys.executable}
    words = []
    for word in step.fields["words"]:
        if word.startswith("{case "):
            words += around.bundle.case_arguments(around.bundle.cases[word[len("{case "):-1]], around.device)
        else:
            words.append(word.format(**places))
    log = around.results.log(step.name)
    if not shutil.which(words[0]):
        around.results.add(step.name, step.name, "NOT_RUN", 0, "no %s on this machine" % words[0])
        return
    code, seconds = around.run(words, log, deadline, around.without_logs)
    said = _text_of(log)
    if code != step.fields["exit_code"]:
        verdict, detail = _judged(code, log, "wanted exit code %d" % step.fields["exit_code"])
    elif step.fields["says"] not in said:
        verdict, detail = "FAIL", "it does not say %r: %s" % (step.fields["says"], os.path.basename(log))
    else:
        verdict, detail = "PASS", ""
    around.results.add(step.name, step.name, verdict, seconds, detail)


def peers(around, step, deadline):
    """The same workloads in Python on the same GPU, and the table that holds the figures of both."""
    missing = around.missing(needs_torch=True)
    if missing:
        around.results.add(step.name, "peers", missing[0], 0, missing[1])
        return
    peer, figures = around.bundle.path("peer/gpu_peer.py"), around.results.path("peers.jsonl")
    log = around.results.log(step.name)
    seconds = max(int(deadline - time.monotonic()) - _PEER_SECONDS_MORE, 5)
    export = "%s --case=%s --case-name={label} --device=cpu" % (
        around.bundle.path("bin/gpu_runner"), around.bundle.path("cases/{package}/cases.pb"))
    words = [sys.executable, "-B", peer, "--out=" + figures, "--seconds=%d" % seconds, "--export=" + export,
             "--device=" + ("cuda" if around.device == "cuda" else "cpu"), *step.fields["flags"]]
    code, took = around.run(words, log, deadline, around.without_logs, around.bundle.path("peer"))
    if code == 0:
        verdict, detail = "PASS", ""
    elif code in (None, 2):  # some figures are missing; the file has those that there are
        said = _text_of(log).strip().splitlines()
        verdict, detail = "NOT_RUN", _NOT_RUN_TEXT if code is None else "figures of others: " + (said[-1] if said else "none")
    else:
        verdict, detail = _judged(code, log, "")
    around.results.add(step.name, "peers", verdict, took, detail)
    records = around.results.path("records.jsonl")
    properties = os.path.join(around.scratch, "cuda_device_gpu_test.json")  # of an earlier step
    table = [sys.executable, "-B", peer, "table", "--records=" + records, "--peers=" + figures]
    around.results.table = machine.said_by(table + (["--properties=" + properties] if os.path.exists(properties) else []))


def again(around, step, deadline):
    """Names of an earlier run's failed.txt, each alone with its whole log: cases, and unit tests."""
    for name in around.again:
        if name in around.bundle.cases:
            one = step._replace(fields={**step.fields, "cases": [name], "processes": 1})
            verify(around, one, min(deadline, time.monotonic() + step.fields["case_seconds"]))
            continue
        suite = name.partition(".")[0]
        test = "torch_framework_gpu_test" if suite.startswith("Torch") else "cuda_device_gpu_test"
        unit_tests(around, step._replace(fields={"tests": ["%s:%s" % (test, name)]}), deadline)
    if not around.again:
        around.results.add(step.name, "again", "NOT_RUN", 0, "no names were given, and no earlier run left failed.txt")


def do(around, step, plan_deadline):
    """Does one step within its own limit and the plan's."""
    begun = time.monotonic()
    told = {"name": step.name, "limit": step.seconds, "seconds": 0.0}
    around.results.steps.append(told)
    try:
        globals()[step.do](around, step, min(plan_deadline, begun + step.seconds))
    except Exception as error:  # pylint: disable=broad-except  # the minutes that are left are worth more than this step
        with open(around.results.log(step.name + "-fault"), "w", encoding="utf-8") as f:
            traceback.print_exc(file=f)
        around.results.add(step.name, step.name, "FAIL", 0, "this program has a fault: %r" % error)
    finally:
        told["seconds"] = round(time.monotonic() - begun, 1)
        around.results.save()
    lost = [r for r in around.results.results if r.step == step.name and (r.verdict == "DEVICE_LOST" or of_product(r.verdict))]
    if lost and around.device == "cuda" and not around.gpu_problem and machine.gpu_is_lost():
        around.gpu_problem = "the GPU was lost in the step %s" % step.name
