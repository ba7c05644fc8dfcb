"""How long does a decoder's step take, against its linear layers alone?  tools/bazel run //ci/figures:decode_peer -- --help

One decode of a generation case of //benchmarks/llama, and the operator cases linear_*_b1 of its layers' shapes with a cold
cache, since what a step reads in between displaces each weight. All are processes of their own, one after another, in each
round. Prints each time, and of each round the step's time ÷ the sum of its layers'.
Not for batches, nor for models with experts.

    tools/bazel run //ci/figures:decode_peer -- --case=//benchmarks/llama:tinyllama_fp32_b1_s128_gen32 --rounds=4
"""

import argparse
import collections
import json
import os
import statistics
import tempfile

from ci.figures.python_peer import case_entry, read_registry, run_runner

_OPERATOR = "//benchmarks/operators:linear_%s_b1_i%d_o%d"


def linear_layers(parameters):
    """(features in, features out) -> how many of them one token passes."""
    value = {name: int(parameters[name]["integer"]) for name in (
        "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "vocab_size")}
    hidden, inner, layers = value["hidden_size"], value["intermediate_size"], value["num_hidden_layers"]
    queries, keys = (value[heads] * value["head_dim"] for heads in ("num_attention_heads", "num_key_value_heads"))
    count = collections.Counter({(hidden, value["vocab_size"]): 1})
    for shape in [(hidden, queries), (hidden, keys), (hidden, keys), (queries, hidden), (hidden, inner), (hidden, inner), (inner, hidden)]:
        count[shape] += layers
    return count


def median_s(case, folder, *flags):
    """Median seconds of the one mode and step that the flags choose."""
    record = os.path.join(folder, "record.jsonl")
    run_runner(case, "--verify=off", "--record=" + record, *flags)
    with open(record, encoding="utf-8") as file:
        (measurement,) = json.loads(file.readlines()[-1])["measurements"]
    return measurement["median_ns"] * 1e-9


def main():
    parser = argparse.ArgumentParser(prog="tools/bazel run //ci/figures:decode_peer --", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", default="//benchmarks/llama:tinyllama_fp32_b1_s128_gen32")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds of sampling of the step, and of each layer")
    options = parser.parse_args()
    case = case_entry(options.case)
    parameters = case["measured"]["parameters"]
    if case["benchmark_case"].get("mode") != "GENERATE" or "num_key_value_heads" not in parameters or case["benchmark_case"]["batch"] != "1":
        parser.error("--case=%s: not a generation case of //benchmarks/llama with a batch of 1" % options.case)
    if parameters["model_type"]["text"] in ("mixtral", "gpt_oss"):
        parser.error("--case=%s: a token passes some of its experts' layers" % options.case)
    count = linear_layers(parameters)
    operators = {_OPERATOR % (case["benchmark_case"]["dtype"].lower(), *shape): n for shape, n in count.items()}
    absent = operators.keys() - {c["benchmark_case"]["label"] for c in read_registry()["cases"]}
    if absent:
        parser.error("no case %s; add its size to the row \"linear\" of benchmarks/operators/products.bzl" % min(absent))
    shared = ["--threads=%d" % options.threads, "--budget=%g" % options.budget]
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        for i in range(options.rounds):
            step_s = median_s(options.case, folder, "--modes=wall", "--steps=decode", *shared)
            each_s = {operator: median_s(operator, folder, "--modes=cold", *shared) for operator in operators}
            sum_s = sum(n * each_s[operator] for operator, n in operators.items())
            ratios.append(step_s / sum_s)
            layers = ", ".join("%d x %.3f ms (%s)" % (n, each_s[o] * 1e3, o.split("_b1_")[1]) for o, n in operators.items())
            print("round %d  decode %.1f ms, linear layers %.1f ms, ratio %.3f: %s" % (i + 1, step_s * 1e3, sum_s * 1e3, ratios[-1], layers), flush=True)
    print("decode ÷ its linear layers: median of %d rounds %.3f (%.3f to %.3f)" % (
        options.rounds, statistics.median(ratios), min(ratios), max(ratios)))


if __name__ == "__main__":
    main()
