"""Tests the CUDA side of Assay on this machine, which needs a GPU with its driver and torch 2.11.0, but no network.

    run.sh                            everything, with the torch that this python3 imports
    run.sh /path/to/site-packages     with the torch in that folder
    run.sh --only='certificate|mlp'   only things whose name this regular expression finds; --list names everything

Runs the unit tests that need a GPU, the certificate's rows on a GPU and the accuracy tests, and measures one case of each
family. In the folder of results: records.jsonl, a log for each, summary.txt and summary.json.

Exit codes: 0 all passed; 1 something failed; 2 nothing failed, but something could not run (no GPU, no LibTorch, no time,
a bundle that is not whole); 3 usage. Each thing that could not run says so: NO_DEVICE without a GPU.
"""

import argparse
import collections
import ctypes
import glob
import hashlib
import importlib.util
import json
import os
import platform
import re
import signal
import subprocess
import sys
import time

_UNIT_SECONDS, _CASE_SECONDS = 180, 90  # an accuracy test takes a few seconds on a GPU
_BUDGET_SECONDS = 0.5  # sampling time of each mode of a measured case
_CUDA_NEEDED = 13000  # as cuDriverGetVersion counts: torch 2.11.0 is built for CUDA 13.0
_CERTIFICATE = [
    ("certificate G2: an empty kernel", "CudaDeviceGpuTest.ReadsNextToNothingForNothing"),
    ("certificate G3: kernels of known cost", "CudaDeviceGpuTest.MeasuresAKernelOfKnownCostInEveryMode"),
]
# Outcomes of the runner (defs/record.proto) that leave it with exit code 2.
_NOT_RUN = re.compile(
    r"\b(NO_DEVICE|DEVICE_LOST|OUT_OF_MEMORY|ARTIFACT_UNAVAILABLE|FAIL_ARTIFACT|RECORD_FAILED|TIMEOUT|INTERRUPTED)\b")
_MISSING_LIBRARY = re.compile(r"error while loading shared libraries: .*|version `\S+' not found.*")

Thing = collections.namedtuple("Thing", "name kind path arguments needs_torch seconds")
Result = collections.namedtuple("Result", "name verdict seconds detail")


def things_of(bundle):
    """Everything that the bundle carries, in the order in which it is run."""
    gtest, filter_ = "unit_tests/cuda_device_gpu_test", "--gtest_filter="
    rest = filter_ + "-" + ":".join(test for _, test in _CERTIFICATE)
    result = [Thing("cuda_device_gpu_test", "unit", gtest, [rest], False, _UNIT_SECONDS),
              Thing("torch_framework_gpu_test", "unit", "unit_tests/torch_framework_gpu_test", [], True, _UNIT_SECONDS)]
    result += [Thing(name, "unit", gtest, [filter_ + test], False, _UNIT_SECONDS) for name, test in _CERTIFICATE]
    accuracy, measured = [], []
    for path in sorted(glob.glob(os.path.join(bundle, "cases", "**"), recursive=True)):
        relative = os.path.relpath(path, bundle)
        package, name = os.path.split(relative[len("cases/"):])
        if not os.path.isfile(path):
            continue
        if name.endswith("_accuracy_test"):
            accuracy.append(Thing("//%s:%s" % (package, name), "accuracy", relative, [], True, _CASE_SECONDS))
        else:
            measured.append(Thing("measure //%s:%s" % (package, name), "measure", relative, [], True, _CASE_SECONDS))
    return result + accuracy + measured


def not_whole(bundle):
    """What is missing or was cut off on the way, out of what MANIFEST lists."""
    try:
        with open(os.path.join(bundle, "MANIFEST"), encoding="utf-8") as f:
            rows = [line.rstrip("\n").split("  ", 1) for line in f]
    except OSError as error:
        return ["MANIFEST: %s" % error.strerror]
    wrong = []
    for digest, path in rows:
        try:
            with open(os.path.join(bundle, path), "rb") as f:
                if hashlib.sha256(f.read()).hexdigest() != digest:
                    wrong.append(path + ": other bytes than were packed")
        except OSError as error:
            wrong.append("%s: %s" % (path, error.strerror))
    return wrong


def find_gpu():
    """(what the GPU is, "") or ("", why there is none)."""
    try:
        cuda = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        return "", "no NVIDIA driver here (%s): install it, version 580 or newer" % error
    count, version = ctypes.c_int(), ctypes.c_int()
    failed = cuda.cuInit(0) or cuda.cuDeviceGetCount(ctypes.byref(count)) or cuda.cuDriverGetVersion(ctypes.byref(version))
    if failed or count.value == 0:
        return "", "the NVIDIA driver sees no GPU (error %d): look at nvidia-smi and CUDA_VISIBLE_DEVICES" % failed
    if version.value < _CUDA_NEEDED:
        return "", "the NVIDIA driver is too old, for CUDA %d.%d: install version 580 or newer" % (
            version.value // 1000, version.value % 1000 // 10)
    try:
        words = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        said = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60, encoding="utf-8").stdout
    except (OSError, subprocess.TimeoutExpired):
        said = ""
    return said.strip().replace("\n", "; ") or "%d GPU(s)" % count.value, ""


def _sites(given, built):
    if given:
        return [os.path.abspath(given), os.path.dirname(os.path.abspath(given))]
    spec = importlib.util.find_spec("torch")
    own = [os.path.dirname(os.path.dirname(spec.origin))] if spec and spec.origin else []
    return own + [built["linked_with"]]  # which is there on the machine where the bundle was made


def find_torch(given, built):
    """(site-packages folder, its torch's version, "") or ("", "", why there is none)."""
    for site in _sites(given, built):
        try:
            with open(os.path.join(site, "torch", "version.py"), encoding="utf-8") as f:
                found = re.search(r"^__version__ = '(.*)'", f.read(), re.MULTILINE)
        except OSError:
            continue
        version = found.group(1) if found else "of an unknown version"
        if version != built["torch"]:
            return "", "", "torch %s in %s is another than this bundle was built with: python3 -m pip install torch==%s" % (
                version, site, built["torch"].partition("+")[0])
        return site, version, ""
    return "", "", "no torch in %s: name the site-packages folder that holds torch %s" % (
        given or "this python3's site-packages", built["torch"])


class Run:
    """Starts programs and judges their results; `gpu_problem` and `torch_problem` are "" if there is none."""

    def __init__(self, bundle, results, site, gpu_problem, torch_problem, deadline):
        self.bundle, self.results, self.deadline = bundle, results, deadline
        self.gpu_problem, self.torch_problem = gpu_problem, torch_problem
        self.records = os.path.join(results, "records.jsonl")
        self.environment = dict(os.environ, RUNFILES_DIR=os.path.join(bundle, "runfiles"), TEST_TMPDIR=results)
        folders = [site + "/torch/lib", site + "/nvidia/cu13/lib"] if site else []
        folders += [f for f in [os.environ.get("LD_LIBRARY_PATH", "")] if f]
        if folders:  # before the folders of the machine that linked it
            self.environment["LD_LIBRARY_PATH"] = ":".join(folders)

    def one(self, thing):
        start = time.monotonic()
        verdict, detail = self._judged(thing)
        return Result(thing.name, verdict, round(time.monotonic() - start, 1), detail)

    def _judged(self, thing):
        if self.gpu_problem and (thing.kind == "unit" or self.torch_problem):
            return "NO_DEVICE", "not started"
        if thing.needs_torch and self.torch_problem:
            return "NO_LIBTORCH", self.torch_problem
        seconds = min(thing.seconds, self.deadline - time.monotonic())
        if seconds <= 0:
            return "NOT_RUN", "the time was over; --minutes gives more"
        log = os.path.join(self.results, re.sub(r"\W+", "_", thing.name).strip("_") + ".log")
        report = log[:-len(".log")] + ".json"
        arguments = {"unit": ["--gtest_output=json:" + report], "accuracy": [],
                     "measure": ["--record=" + self.records, "--budget=%g" % _BUDGET_SECONDS]}[thing.kind]
        before = self._record_count()
        code = self._start([os.path.join(self.bundle, thing.path), *thing.arguments, *arguments], log, seconds)
        with open(log, encoding="utf-8", errors="replace") as f:
            said = f.read()
        if code is None:
            whole = seconds == thing.seconds
            return ("TIMEOUT", "killed after %d s" % seconds) if whole else ("NOT_RUN", "the time was over; --minutes gives more")
        if code == 0:
            if self.gpu_problem:
                return "FAIL", "ended with 0 although there is no GPU: %s" % log
            return {"unit": lambda: _gtest_verdict(report), "accuracy": lambda: ("PASS", _line(said, "verdict")),
                    "measure": lambda: self._measure_verdict(before, said)}[thing.kind]()
        missing = _MISSING_LIBRARY.search(said)
        if missing:
            return "NO_LIBRARY", missing.group(0)
        outcome = _NOT_RUN.search(said)
        if code == 2 and outcome:
            return outcome.group(1), _line(said, outcome.group(1))
        return "FAIL", "exit code %d: %s" % (code, log)

    def _start(self, words, log, seconds):
        """The exit code, None where it took too long. Kills all that it started."""
        with open(log, "wb") as f:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=f, stderr=subprocess.STDOUT, cwd=self.results,
                                       env=self.environment, start_new_session=True)
            try:
                return process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                return None
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()

    def _record_count(self):
        if not os.path.exists(self.records):
            return 0
        with open(self.records, encoding="utf-8") as f:
            return len(f.readlines())

    def _measure_verdict(self, before, said):
        if self._record_count() != before + 1:
            return "FAIL", "ended with 0 and wrote no record"
        return "PASS", _line(said, "/wall")


def _gtest_verdict(report):
    """Judges by the test's last line: exit code 0 is also that of a filter that finds nothing."""
    try:
        with open(report, encoding="utf-8") as f:
            told = json.load(f)
    except (OSError, ValueError):
        return "FAIL", "ended with 0 before its report was written"
    if not told["tests"] or told["failures"] or told.get("errors"):
        return "FAIL", "ran %d tests, %d failed" % (told["tests"], told["failures"])
    known = ("name", "file", "line", "status", "result", "timestamp", "time", "classname", "failures")
    tests = [test for suite in told["testsuites"] for test in suite["testsuite"]]
    figures = ["%s %s" % item for test in tests for item in test.items() if item[0] not in known]
    return "PASS", ", ".join(figures) or "%d tests" % told["tests"]


def _line(said, word):
    """The last line with a word in it, its blanks made one."""
    lines = [line for line in said.splitlines() if word in line]
    return " ".join(lines[-1].split()) if lines else ""


def report(results, machine, folder, code):
    """Writes summary.txt and summary.json; returns the table."""
    width = max(len(r.name) for r in results)
    lines = ["%-8s %s" % item for item in machine.items()]
    lines += ["", "%-*s  %-11s %7s  %s" % (width, "thing", "verdict", "seconds", "detail")]
    lines += ["%-*s  %-11s %7.1f  %s" % (width, r.name, r.verdict, r.seconds, r.detail) for r in results]
    counts = collections.Counter(r.verdict for r in results)
    lines += ["", ", ".join("%d %s" % (count, verdict) for verdict, count in sorted(counts.items()))]
    text = "\n".join(lines) + "\n"
    with open(os.path.join(folder, "summary.txt"), "w", encoding="utf-8") as f:
        f.write(text)
    with open(os.path.join(folder, "summary.json"), "w", encoding="utf-8") as f:
        json.dump({"machine": machine, "things": [r._asdict() for r in results], "counts": counts, "exit_code": code}, f, indent=1)
    return text


def exit_code(results):
    verdicts = {r.verdict for r in results}
    return 1 if verdicts & {"FAIL", "TIMEOUT"} else 0 if verdicts == {"PASS"} else 2


def _pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError("%s is no regular expression: %s" % (text, error)) from None


def _arguments(words):
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: parser.exit(3, "run.sh: %s\n" % message)
    parser.add_argument("site", nargs="?", default="", metavar="SITE_PACKAGES", help="folder that holds torch")
    parser.add_argument("--only", type=_pattern, metavar="REGEX", help="only things whose name it finds")
    parser.add_argument("--list", action="store_true", help="only name them")
    parser.add_argument("--minutes", type=float, default=10, help="for everything together (default: %(default)s)")
    parser.add_argument("--results", metavar="FOLDER", help="(default: results-<date> in the bundle)")
    arguments = parser.parse_args(words)
    if arguments.site and not os.path.isdir(arguments.site):
        parser.error("%s is no folder" % arguments.site)
    return parser, arguments


def main(bundle, words, gpu=find_gpu):
    parser, arguments = _arguments(words)
    wrong = not_whole(bundle)
    if wrong:
        print("run.sh: this bundle is not whole; copy it again\n  " + "\n  ".join(wrong), file=sys.stderr)
        return 2
    things = [t for t in things_of(bundle) if not arguments.only or arguments.only.search(t.name)]
    if not things:
        parser.error("--only=%s finds nothing; --list names what there is" % arguments.only.pattern)
    if arguments.list:
        print("\n".join(t.name for t in things))
        return 0
    deadline = time.monotonic() + 60 * arguments.minutes
    with open(os.path.join(bundle, "built.json"), encoding="utf-8") as f:
        built = json.load(f)
    folder = os.path.abspath(arguments.results or os.path.join(bundle, time.strftime("results-%Y%m%d-%H%M%S")))
    try:
        os.makedirs(folder)
    except OSError as error:
        print("run.sh: no folder for the results: %s; name a new one by --results" % error, file=sys.stderr)
        return 2
    gpu_name, gpu_problem = gpu()
    site, version, torch_problem = find_torch(arguments.site, built)
    machine = {"gpu": gpu_name or gpu_problem, "torch": "%s in %s" % (version, site) if site else torch_problem,
               "system": "%s, %s %s" % (platform.platform(), *platform.libc_ver()), "commit": built["commit"]}
    run, results = Run(bundle, folder, site, gpu_problem, torch_problem, deadline), []
    for thing in things:
        try:
            results.append(run.one(thing))
        except KeyboardInterrupt:
            results += [Result(t.name, "NOT_RUN", 0.0, "interrupted") for t in things[len(results):]]
            break
        print("%-11s %s" % (results[-1].verdict, thing.name), file=sys.stderr, flush=True)
    code = exit_code(results)
    print(report(results, machine, folder, code) + "kept in " + folder)
    return code


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(os.path.dirname(os.path.abspath(__file__)), sys.argv[1:]))
