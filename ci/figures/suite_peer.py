"""How long does a list of small cases take, against a loop of Python processes?  tools/bazel run //ci/figures:suite_peer

Both sides measure the same configurations of //benchmarks/mlp:mlp_fp32_b1 (its batch, its threads), each in a process of its
own: //tools:run_suite with a verdict and a record for each, and a loop that starts `python`, imports torch, builds the model
and times calls for as long. Prints the wall time of each and the ratio C++ / Python, in ABBA order.
Not for what a call takes (python_peer).

    tools/bazel run //ci/figures:suite_peer -- --batches=25 --rounds=2
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

THREADS = (1, 2)
FIRST_BATCH = 9  # behind those of other cases, which a list of one case leaves out


def serve(options):
    """The Python side of one configuration."""
    import torch

    torch.set_num_threads(options.threads)
    relu, linear = torch.nn.ReLU, torch.nn.Linear
    model = torch.nn.Sequential(linear(32, 512), relu(), linear(512, 512), relu(), linear(512, 32), torch.nn.Softmax(-1))
    given, samples = torch.rand(options.serve, 32), []
    with torch.inference_mode():
        model(given)
        start = time.perf_counter()
        while time.perf_counter() - start < options.budget or len(samples) < 6:
            before = time.perf_counter()
            model(given)
            samples.append(time.perf_counter() - before)
    print(statistics.median(samples))


def run(commands, said=""):
    """Wall seconds of the commands one after another, each of which says `said`."""
    start = time.perf_counter()
    for command in commands:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0 or said not in done.stdout:
            sys.exit("%s\nexit code %d, wanted 0 and '%s'\n%s" % (" ".join(command), done.returncode, said, done.stdout[-2000:]))
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(prog="tools/bazel run //ci/figures:suite_peer --", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--batches", type=int, default=25, help="how many, each with 1 and 2 threads")
    parser.add_argument("--budget", type=float, default=0.02, help="seconds of sampling in each process")
    parser.add_argument("--rounds", type=int, default=2, help="pairs of lists")
    parser.add_argument("--flags", default="", help="more of run_suite's, as --in-process")
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options)
    batches = range(FIRST_BATCH, FIRST_BATCH + options.batches)
    configurations = [(batch, threads) for batch in batches for threads in THREADS]
    python = [[sys.executable, "-m", "ci.figures.suite_peer", "--serve=%d" % batch, "--threads=%d" % threads,
               "--budget=%g" % options.budget] for batch, threads in configurations]
    suite = ["tools/suite/program/run_suite", "--only=mlp_fp32_b1", "--modes=wall", "--budget=%g" % options.budget,
             *("--batch=%d" % batch for batch in batches), *("--threads=%d" % t for t in THREADS),
             *options.flags.split()]
    ratios = []
    for i in range(options.rounds):
        walls = {}
        for side in ("C++", "Python") if i % 2 == 0 else ("Python", "C++"):
            with tempfile.TemporaryDirectory() as out:
                walls[side] = run(python) if side == "Python" else run(
                    [[*suite, "--out=" + os.path.join(out, "x")]], "%d planned: %d PASS" % ((len(configurations),) * 2))
        ratios.append(walls["C++"] / walls["Python"])
        print("pair %d  %d configurations  C++ %6.2f s  Python %6.2f s  ratio %.3f" % (
            i + 1, len(configurations), walls["C++"], walls["Python"], ratios[-1]), flush=True)
    print("median ratio %.3f (%.3f to %.3f)" % (statistics.median(ratios), min(ratios), max(ratios)))


if __name__ == "__main__":
    main()
