"""How much slower must a case be until a threshold on a stored time finds it, or a comparison?  tools/bazel run //ci/figures:thresholds

Prints the table of docs/gate.md. Simulated: the machines of tools/compare/simulation. Real: //tools:compare compares a case
with itself, made slower on purpose (--inject), in new processes. Its pairs are the history: the median of the baseline's first
half is the stored time, and each later process of the candidate is a run that a CI would judge.
Not for what a call takes.

    tools/bazel run //ci/figures:thresholds -- --case=mlp_fp32_b64 --flags='--budget=0.2'
"""

import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

EFFECTS = (0, 2, 5, 10, 20, 35, 50)  # percent
THRESHOLDS = (20, 35)
_COMPARE, _SIMULATION = "tools/compare/compare", "tools/compare/simulation/simulation"
_NOISE = {"normal": "Gaussian", "t3": "Student's t", "spells": "spells"}
_USUAL = (0, 1, 2, 4)  # exit codes with which a comparison leaves its result


def real_row(compared):
    """(shares above each threshold, verdict, "+2.00 .. +2.20 %", runs) of a comparison's JSON; ValueError without a pair of medians."""
    (series,) = compared["series"]
    pairs = [p for p in series["pairs"] if p["baseline_ns"] and p["candidate_ns"]]
    half = len(pairs) // 2
    if not half:
        raise ValueError("too few pairs: %s" % (series["reason"] or len(pairs)))
    stored = statistics.median(p["baseline_ns"] for p in pairs[:half])
    ratios = [p["candidate_ns"] / stored - 1 for p in pairs[half:]]
    shares = [sum(ratio > threshold / 100 for ratio in ratios) / len(ratios) for threshold in THRESHOLDS]
    ends = (series["estimate"] or {}).get("interval") or [None, None]
    interval = " .. ".join("open" if end is None else "%+.1f %%" % (100 * (end - 1)) for end in ends)
    return shares, series["verdict"], interval if series["estimate"] else series["reason"], len(ratios)


def simulated_rows(found):
    """{percent: {noise: [share above each threshold, ..., share SLOWER]}} of the simulation's JSON."""
    rows = {}
    for row in found:
        shares = [row["above_%d" % threshold] for threshold in THRESHOLDS]
        rows.setdefault(round(100 * row["effect"]), {})[row["noise"]] = [*shares, row["slower"]]
    return rows


def _percent(share):
    return "%.3g %%" % (100 * share)


def table(simulated, real):
    """Markdown. Of the three noises the lowest share and the highest, as "98 to 100 %"."""
    lines = ["| slower by | above 20 % | above 35 % | compare says SLOWER | real: above 20 % | above 35 % | compare says |", "|---" * 7 + "|"]
    for effect, noises in simulated.items():
        cells = []
        for place in range(len(THRESHOLDS) + 1):
            low, high = min(n[place] for n in noises.values()), max(n[place] for n in noises.values())
            cells.append(_percent(low) if low == high else "%.3g to %s" % (100 * low, _percent(high)))
        if effect in real:
            shares, verdict, interval, runs = real[effect]
            cells += ["%d of %d" % (round(share * runs), runs) for share in shares] + ["%s, %s" % (verdict, interval)]
        lines.append("| %s |" % " | ".join(["%d %%" % effect, *cells, *[""] * (6 - len(cells))]))
    return "\n".join(lines)


def compare(case, effect, flags):
    """The JSON of a comparison of a case with itself; the process ends if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "compare.json")
        words = [_COMPARE, "--baseline=" + case, "--json=" + path, *flags]
        words += ["--candidate=" + case, "--inject=%g%%" % effect] if effect else ["--aa"]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode not in _USUAL or not os.path.exists(path):
            sys.exit("%s\nexit code %d\n%s" % (shlex.join(words), done.returncode, done.stdout[-2000:]))
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def main():
    parser = argparse.ArgumentParser(prog="tools/bazel run //ci/figures:thresholds --", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--campaigns", type=int, default=2000, help="simulated comparisons of each kind")
    parser.add_argument("--case", default="mlp_fp32_b64", help="of the real history; empty: none")
    parser.add_argument("--flags", default="--budget=0.2", help="more of compare's")
    options = parser.parse_args()
    done = subprocess.run([_SIMULATION, "--thresholds", "--campaigns=%d" % options.campaigns], stdout=subprocess.PIPE, check=True)
    real = {}
    for effect in EFFECTS if options.case else ():
        compared = compare(options.case, effect, shlex.split(options.flags))
        real[effect] = real_row(compared)
        print("%d %%: %s by %s, %.0f s; %s" % (effect, real[effect], compared["metric"], compared["elapsed_s"], "; ".join(compared["notes"])), file=sys.stderr)
    print(table(simulated_rows(json.loads(done.stdout)), real))


if __name__ == "__main__":
    main()
