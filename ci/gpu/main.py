"""Tests the CUDA side of Assay on this machine, which needs a GPU with its driver and torch 2.11.0, but no network.

    run.sh first                          the plan `first`; `second` and `again` are the others, --list says what each is for
    run.sh again mlp_fp32_b64             cases and tests by name; without names, those that failed in the last run
    run.sh first --site=/path/to/site-packages     with the torch in that folder, not the one that this python3 imports
    run.sh rehearsal --device=simulated         on a simulated GPU: proves the bundle

--out=FOLDER gets at most eight files: what failed, verdicts, records, figures beside those of other programs, logs. They are
written while the plan runs, so that a run that is killed leaves what it had.

Exit codes: 0 all right; 1 something is wrong with the product; 2 nothing is wrong, but something could not run (no GPU, no
LibTorch, no time, a bundle that is not whole); 3 usage.
"""

import argparse
import contextlib
import os
import signal
import sys
import time

from . import machine, plan, steps
from .bundle import Bundle, not_whole
from .results import Results, exit_code


class _Stopped(BaseException):
    """SIGTERM or Ctrl-C. No Exception: a step's own fault does not end the plan."""


def _stop(number, _frame):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise _Stopped(signal.Signals(number).name)


def _arguments(words):
    parser = argparse.ArgumentParser(prog="run.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: parser.exit(3, "run.sh: %s\n" % message)
    parser.add_argument("plan", nargs="?", metavar="PLAN", help=", ".join(plan.names()))
    parser.add_argument("names", nargs="*", metavar="NAME", help="for the plan again")
    parser.add_argument("--out", metavar="FOLDER", help="(default: results-<plan>-<date> beside the bundle's folder)")
    parser.add_argument("--site", default="", metavar="SITE_PACKAGES", help="folder that holds torch")
    parser.add_argument("--device", choices=["cuda", "simulated"], default="cuda", help="(default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="only name the plans")
    arguments = parser.parse_args(words)
    if arguments.site and not os.path.isdir(arguments.site):
        parser.error("%s is no folder" % arguments.site)
    if not arguments.plan and not arguments.list:
        parser.error("which plan? %s; --help says more" % ", ".join(plan.names()))
    if arguments.names and arguments.plan != "again":
        parser.error("the plan %s takes no names; again does" % arguments.plan)
    return parser, arguments


def _folder(parser, given, bundle_folder, name):
    out = os.path.abspath(given or os.path.join(os.path.dirname(bundle_folder), time.strftime("results-%s-%%Y%%m%%d-%%H%%M%%S" % name)))
    try:
        os.makedirs(out, exist_ok=True)
        if os.listdir(out):
            parser.error("%s holds files already; name a new folder by --out" % out)
    except OSError as error:
        parser.exit(2, "run.sh: no folder for the results: %s: %s; name another by --out\n" % (out, error.strerror))
    return out


def _names_again(arguments, bundle, last, parser):
    """The names that the plan "again" runs."""
    names = arguments.names
    if not names and os.path.exists(last):
        with open(last, encoding="utf-8") as f:
            names = [name for name in f.read().split("\n") if name]
    unknown = [n for n in arguments.names if n not in bundle.cases and "." not in n]
    if unknown:
        parser.error("no case %s in this bundle, and no test has such a name (Suite.Test)" % unknown[0])
    return names


def _follow(around, followed, say):
    """Does the plan's steps. Returns why it ended early, or ""."""
    deadline = time.monotonic() + followed.seconds
    done = 0
    try:
        for step in followed.steps:
            steps.do(around, step, deadline)
            done += 1
            told = around.results.steps[-1]
            say("%5.0f of %3d s  %-12s %s" % (told["seconds"], told["limit"], step.name, around.results.counts(step.name)))
    except _Stopped as signal_name:
        ended = "stopped by %s" % signal_name
        for step in followed.steps[done:]:
            around.results.add(step.name, "the rest of it" if step is followed.steps[done] else step.name, "NOT_RUN", 0, ended)
        return ended
    return ""


def main(folder, words, gpu=machine.find_gpu):
    parser, arguments = _arguments(words)
    wrong = not_whole(folder)
    if wrong:
        print("run.sh: this bundle is not whole; copy it again\n  " + "\n  ".join(wrong[:20]), file=sys.stderr)
        return 2
    bundle = Bundle(folder)
    try:
        if arguments.list:
            for name in plan.names():
                followed = plan.read_plan(name, bundle)
                print("%-10s %4d s  %s" % (name, followed.seconds, followed.says))
            return 0
        followed = plan.read_plan(arguments.plan, bundle)
    except plan.PlanError as error:
        parser.error(str(error))
    last = os.path.join(os.path.dirname(folder), "failed.txt")
    names = _names_again(arguments, bundle, last, parser)
    out = _folder(parser, arguments.out, folder, arguments.plan)
    gpu_name, gpu_problem = gpu()
    if arguments.device == "simulated":
        gpu_name, gpu_problem = "REHEARSAL on a simulated GPU: its figures say nothing about a real one", ""
    site, version, torch_problem = machine.find_torch(arguments.site, bundle.built)
    head = [("gpu", gpu_name or gpu_problem), ("torch", "%s in %s" % (version, site) if site else torch_problem),
            ("system", machine.system()), ("commit", bundle.built["commit"]), ("plan", "%s: %s" % (followed.name, followed.says))]
    results = Results(out, head)
    around = steps.Surroundings(bundle, results, arguments.device, site, gpu_problem, torch_problem)
    around.again = names
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stop)
    ended = _follow(around, followed, lambda line: print(line, file=sys.stderr, flush=True))
    results.close()
    with contextlib.suppress(OSError), open(last, "w", encoding="utf-8") as f:
        f.write("".join(name + "\n" for name in results.failed()))
    print(results.text())
    print("%s%s" % (ended + "; " if ended else "", results.problem or "kept in %s" % out))
    code = exit_code(results.results)
    return max(code, 2) if code != 1 and (results.problem or ended) else code


if __name__ == "__main__":
    sys.exit(main(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), sys.argv[1:]))
