"""How fast is a case against the same model in eager Python?  tools/bazel run //ci/figures:python_peer -- --help

Both sides run in fresh processes, in ABBA order, with the same weights, input shapes, threads and memory policy (Python
repeats the rows that the runner exports); each process gives one median of wall time and its peak of resident memory.
Generation cases are held against transformers' generate(), greedy: `prefill` against generate() of one token, `generate`
against all of them, and `token` is the difference of both by the further tokens.
Training cases: the same loss, clipping and optimizer, fused in Python too, at the learning rate at which the runner times
it, with dropout. Prints the ratios C++ / Python of each pair and their medians: below 1, C++ is faster or smaller.
Not for comparing builds or machines.

    tools/bazel run //ci/figures:python_peer -- --case=//benchmarks/bert:bert_base_fp32_b8_s128
    tools/bazel run //ci/figures:python_peer -- --suite=language
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

from tools.run_model.against_python import RETAIN, median_of, peak_resident_bytes, timed

TIMED_LEARNING_RATE = 1e-12  # as in training_program.h

# The smallest published models, or two layers of one, that read and make tokens: a model of each architecture.
_LANGUAGE = {
    "albert": "albert_base_masked_lm_fp32_b%d_s128",
    "bart": "bart_base_fp32_b%d_s128_t128",
    "bert": "bert_base_fp32_b%d_s128",
    "convbert": "convbert_small_masked_lm_fp32_b%d_s128",
    "deberta_v2": "deberta_v3_xsmall_masked_lm_fp32_b%d_s128",
    "distilbert": "distilbert_base_masked_lm_fp32_b%d_s128",
    "electra": "electra_small_masked_lm_fp32_b%d_s128",
    "fnet": "fnet_base_masked_lm_fp32_b%d_s128",
    "gpt2": "distilgpt2_fp32_b%d_s128",
    "gpt_neo": "gpt_neo_125m_fp32_b%d_s128",
    "layoutlm": "layoutlm_base_masked_lm_fp32_b%d_s128",
    "llama": "qwen3_0_6b_2l_fp32_b%d_s128",
    "longformer": "longformer_base_masked_lm_fp32_b%d_s512",
    "megatron_bert": "megatron_bert_cased_345m_masked_lm_fp32_b%d_s128",
    "mobilebert": "mobilebert_masked_lm_fp32_b%d_s128",
    "opt": "opt_125m_fp32_b%d_s128",
    "roberta": "roberta_base_masked_lm_fp32_b%d_s128",
    "t5": "t5_small_fp32_b%d_s128_t128",
    "xlnet": "xlnet_base_lm_fp32_b%d_s128",
}
_GENERATION = [
    "//benchmarks/bart:bart_base_fp32_b1_s128_gen64",
    "//benchmarks/gpt2:gpt2_fp32_b1_s128_gen32",
    "//benchmarks/gpt_neo:gpt_neo_125m_fp32_b1_s128_gen128",
    "//benchmarks/llama:qwen3_0_6b_2l_fp32_b1_s128_gen32",
    "//benchmarks/opt:opt_125m_fp32_b1_s128_gen128",
    "//benchmarks/t5:t5_small_fp32_b1_s128_gen32",
    "//benchmarks/whisper:whisper_tiny_fp32_b1_t4_gen64",
]

# The smallest published model of each family that neither of the suites above has, at a size that a CPU affords.
_ZOO = [
    "agents:drq_actor_fp32_b128",
    "autoencoder_kl:autoencoder_kl_encoder_fp32_b1",
    "background_matting:background_matting_fp32_b1",
    "bigbird:bigbird_base_masked_lm_fp32_b1_s1024",
    "conformer:conformer_example_fp32_b1_t400",
    "conformer:conformer_example_fp32_b8_t400",
    "crnn:crnn_vgg16_bn_fp32_b1",
    "crnn:crnn_vgg16_bn_fp32_b8",
    "detr:detr_resnet50_fp32_b1",
    "fcos:fcos_resnet50_fpn_fp32_b1",
    "graphs:basic_gnn_gcn_fp32_b1",
    "image_generators:cyclegan_generator_fp32_b1",
    "mvit:mvit_v1_b_fp32_b1_f16_r224",
    "rcnn:fasterrcnn_resnet50_fpn_fp32_b1",
    "recommenders:neumf_fp32_b1024",
    "retinanet:retinanet_resnet50_fpn_fp32_b1",
    "s3d:s3d_fp32_b1_f16_r224",
    "speech_transformer:speech_transformer_fp32_b1",
    "ssd:ssd300_vgg16_fp32_b1",
    "ssd:ssd300_vgg16_fp32_b8",
    "stable_diffusion:stable_diffusion_ddim_fp32_b2_h16_w16_n3",
    "super_slomo:super_slomo_fp32_b1",
    "swin3d:swin3d_t_fp32_b1_f16_r224",
    "tacotron2:tacotron2_fp32_b1",
    "video_resnet:r3d_18_fp32_b1_f16_r112",
    "wav2vec2:wav2vec2_base_fp32_b1_n16000",
    "wav2vec2:wav2vec2_base_fp32_b8_n16000",
    "yolov3:yolov3_fp32_b1",
]

# mode of a case -> its steps, the default first
STEPS = {"EVAL": ["forward"], "TRAIN": ["train_step", "optimizer"], "GENERATE": ["token", "prefill", "generate"]}

# suite -> (case, step, optimizer); "vision" has its rows from the registry
SUITES = {
    "generation": [(case, step, "") for case in _GENERATION for step in ("prefill", "token")],
    "language": [("//benchmarks/%s:%s" % (f, case % b), "forward", "") for f, case in _LANGUAGE.items() for b in (1, 8)],
    "vision": None,
    "training": [
        ("//benchmarks/mlp:mlp_fp32_b64_train", "train_step", "sgd"),
        ("//benchmarks/resnet:resnet18_fp32_b8_train", "train_step", "sgd"),
        ("//benchmarks/bert:bert_base_fp32_b8_s128_train", "train_step", "adamw"),
        ("//benchmarks/bert:bert_base_fp32_b8_s128_train", "optimizer", "adamw"),
    ],
    "zoo": [("//benchmarks/" + case, "forward", "") for case in _ZOO],
}


def read_registry():
    with open("benchmarks/registry.json", encoding="utf-8") as file:
        return json.load(file)


def vision_rows(registry):
    """The first float32 cases at batch 1 and 8 of each implementation that takes an image."""
    takes_image = {i["name"] for i in registry["implementations"] if any(x["name"] == "image" for x in i["inputs"])}
    implementation = {m["name"]: m["implementation"] for m in registry["models"]}
    first = {}
    for entry in registry["cases"]:
        case = entry["benchmark_case"]
        kind = (implementation.get(case.get("model")), int(case["batch"]))
        plain = case["dtype"] == "FP32" and case.get("mode") != "TRAIN" and not case["name"].endswith("_channels_last")
        if kind[0] in takes_image and kind[1] in (1, 8) and plain:
            first.setdefault(kind, case["label"])
    return [(label, "forward", "") for label in first.values()]


def case_entry(label):
    """The registry's entry of a case."""
    registry = read_registry()
    for case in registry["cases"]:
        if case["benchmark_case"]["label"] == label:
            (model,) = (m for m in registry["models"] if m["name"] == case["benchmark_case"]["model"])
            (implementation,) = (i for i in registry["implementations"] if i["name"] == model["implementation"])
            return dict(case, implementation=implementation)
    sys.exit("no case %s; tools/bazel run //benchmarks:list names them" % label)


def new_tokens(case):
    """How many tokens a generation case makes; 0: it does not generate."""
    return int(case["benchmark_case"].get("generation", {}).get("new_tokens", 0))


def run_quietly(command):
    """A C++ program in its runfiles; where it fails it has said why, and this one ends with its code."""
    environment = {k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"}
    code = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, env=environment).returncode
    if code:
        sys.exit(code)


def run_runner(case, *flags):
    """The family's runner, from where the registry lies."""
    run_quietly([case[2:].split(":")[0] + "/runner", "--case=benchmarks/registry.pb", "--case-name=" + case, *flags])


def shared_flags(options):
    """The flags of both sides' processes."""
    return ["--threads=%d" % options.threads, "--budget=%g" % options.budget]


def serving(module, options, *flags):
    """The last words that a Python process of `module` prints, called with --serve and these flags."""
    environment = dict(os.environ, **(RETAIN if options.allocator == "retain" else {}))
    command = [sys.executable, "-m", module, *flags, *shared_flags(options)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout.split()


def pairs(options, cpp, python):
    """The values that cpp() and python() return, of each pair of processes, in ABBA order."""
    for i in range(options.rounds):
        sides = {side: side() for side in ((cpp, python) if i % 2 == 0 else (python, cpp))}
        yield sides[cpp], sides[python]


def add_flags(parser, budget):
    parser.add_argument("--rounds", type=int, default=6, help="pairs of processes")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--budget", type=float, default=budget, help="seconds of sampling in each process")
    parser.add_argument("--allocator", choices=["retain", "default"], default="retain", help="of both sides")
    parser.add_argument("--serve", help=argparse.SUPPRESS)


def cpp_sample(options, record):
    """(median seconds, peak bytes) of one C++ process."""
    chosen = ["--optimizer=" + options.optimizer] if options.optimizer else []
    steps = "prefill,generate" if options.step == "token" else options.step
    run_runner(options.case, "--verify=off", "--modes=wall", "--steps=" + steps, "--allocator=" + options.allocator,
               "--record=" + record, *shared_flags(options), *chosen)
    with open(record, encoding="utf-8") as file:
        measurements = json.loads(file.readlines()[-1])["measurements"]
    seconds = [measurement["median_ns"] * 1e-9 for measurement in measurements]
    if options.step == "token":
        seconds = [(seconds[1] - seconds[0]) / (new_tokens(case_entry(options.case)) - 1)]
    return seconds[0], max(int(measurement["peak_host_bytes"]) for measurement in measurements)


def python_sample(options, state):
    """(median seconds, peak bytes) of one Python process."""
    said = serving("ci.figures.python_peer", options, "--serve=" + state, "--case=" + options.case, "--step=" + options.step,
                   "--optimizer=" + options.optimizer)
    seconds, peak = said[-2:]
    return float(seconds), int(peak)


def training_step(script, module, inputs, case, options):
    """A training case's step in Python, as a function without arguments; everything before the step is done."""
    import torch

    from tools.artifacts.generate import training
    from tools.artifacts.generate.registry import _training

    settings = _training(options.case, case["benchmark_case"], case["implementation"])
    targets = {name: inputs[name] for name in settings.targets}
    given = {name: tensor for name, tensor in inputs.items() if name not in targets}
    parameters = list(module.parameters())
    (name, chosen), *_ = [o for o in settings.optimizers if options.optimizer in ("", o[0])]
    optimizer = training.optimizer_of(parameters, name, dict(chosen, learning_rate=TIMED_LEARNING_RATE, fused=True))
    module.train()

    def gradients():
        optimizer.zero_grad()
        outputs = script.forward(module, given)
        training.loss_of(script, module, outputs, targets, settings.loss).backward()

    def update():
        if settings.clip_norm:
            torch.nn.utils.clip_grad_norm_(parameters, settings.clip_norm)
        optimizer.step()

    def whole():
        gradients()
        update()

    if options.step == "optimizer":
        gradients()
        return update
    return whole


def generation(module, inputs, case, options):
    """A generation case's step by transformers' generate(): a function that returns the seconds of a call."""
    import transformers

    continued = case["implementation"].get("continued") or case["implementation"]["inputs"][0]["name"]
    given = {name: tensor for name, tensor in inputs.items() if name != case["implementation"]["continuation"]["name"]}
    start = int(given[continued][0, 0])
    module.generation_config = transformers.GenerationConfig(do_sample=False, decoder_start_token_id=start)
    count = new_tokens(case)
    # Whisper's generate() returns the new tokens alone.
    prompt = 0 if isinstance(module, transformers.WhisperForConditionalGeneration) else given[continued].shape[1]

    def seconds(tokens):
        before = time.perf_counter()
        made = module.generate(**given, max_new_tokens=tokens)
        after = time.perf_counter()
        if made.shape[1] != prompt + tokens:
            sys.exit("generate() made %d tokens in place of %d" % (made.shape[1] - prompt, tokens))
        return after - before

    calls = {
        "prefill": lambda: seconds(1),
        "generate": lambda: seconds(count),
        "token": lambda: (seconds(count) - seconds(1)) / (count - 1),
    }
    return calls[options.step]


def prepared(case, state, inputs):
    """(reference script, its module with the state's weights, inputs of the case's batch), both in the case's dtype.

    `inputs` may have fewer rows, which are then repeated.
    """
    import torch

    from tools.artifacts.generate.compute import DTYPES, Family, load
    from tools.artifacts.generate.registry import _value

    family = Family(case["implementation"]["reference_script"])
    module = family.module({"parameters": {name: _value(v) for name, v in case["measured"]["parameters"].items()}})
    dtype = dict(DTYPES, fp64=torch.float64)[case["benchmark_case"]["dtype"].lower()]
    load(module, state)
    batch, given = int(case["measured"]["batch"]), {}
    for name, tensor in inputs.items():
        rows = tensor.repeat((batch + tensor.shape[0] - 1) // tensor.shape[0], *[1] * (tensor.dim() - 1))[:batch]
        given[name] = rows.to(dtype) if rows.is_floating_point() else rows
    return family.script, module.to(dtype), given


def serve(options):
    """The Python side: prints a median and a peak."""
    import torch
    from safetensors.torch import load_file

    torch.set_num_threads(options.threads)
    case = case_entry(options.case)
    script, module, inputs = prepared(case, load_file(options.serve + ".state"), load_file(options.serve + ".inputs"))
    trains = case["benchmark_case"].get("mode") == "TRAIN"
    with torch.inference_mode(not trains):
        if trains:
            call = timed(training_step(script, module, inputs, case, options))
        elif new_tokens(case):
            call = generation(module, inputs, case, options)
        else:
            call = timed(lambda: script.forward(module, inputs))
        call()
        warm = time.perf_counter()
        while time.perf_counter() - warm < 0.5:
            call()
        print(median_of(call, options.budget), peak_resident_bytes())


def compare(options):
    """Measures one case; returns (time ratios, memory ratios), one of each pair."""
    print("%s %s %s, %d threads, allocator %s" % (options.case, options.step, options.optimizer, options.threads, options.allocator))
    times, peaks = [], []
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "x")
        run_runner(options.case, "--export-state=%s.state" % state, "--export-inputs=%s.inputs" % state)
        both = pairs(options, lambda: cpp_sample(options, os.path.join(folder, "r.jsonl")), lambda: python_sample(options, state))
        for i, ((cpp_s, cpp_bytes), (python_s, python_bytes)) in enumerate(both):
            times.append(cpp_s / python_s)
            peaks.append(cpp_bytes / python_bytes)
            print("pair %d  C++ %8.2f ms %6.0f MB  Python %8.2f ms %6.0f MB  ratios %.3f %.3f" % (
                i + 1, cpp_s * 1e3, cpp_bytes / 1e6, python_s * 1e3, python_bytes / 1e6, times[-1], peaks[-1]), flush=True)
    return times, peaks


def table_row(options, times, peaks):
    name = " ".join([options.case.split(":")[1], options.step, options.optimizer]).strip()
    return "| %s | %.3f (%.3f to %.3f) | %.2f |" % (name, statistics.median(times), min(times), max(times), statistics.median(peaks))


def main():
    parser = argparse.ArgumentParser(prog="tools/bazel run //ci/figures:python_peer --", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", default="//benchmarks/resnet:resnet50_fp32_b8")
    parser.add_argument("--suite", choices=sorted(SUITES), help="cases in place of --case, --step and --optimizer")
    parser.add_argument("--step", help="of a training case train_step or optimizer; of a generation case token, prefill or generate; "
                        "default: the first")
    parser.add_argument("--optimizer", default="", help="sgd, adam or adamw; default: the case's first")
    add_flags(parser, budget=4.0)
    options = parser.parse_args()
    if options.serve:
        return serve(options)
    steps = STEPS[case_entry(options.case)["benchmark_case"].get("mode", "EVAL")]
    if options.step and options.step not in steps:
        parser.error("--step=%s: %s has %s" % (options.step, options.case, ", ".join(steps)))
    if options.suite:
        rows = SUITES[options.suite] or vision_rows(read_registry())
    else:
        rows = [(options.case, options.step or steps[0], options.optimizer)]
    table, medians = ["| case | time, C++ ÷ Python | peak memory |", "|---|---|---|"], []
    for options.case, options.step, options.optimizer in rows:
        times, peaks = compare(options)
        table.append(table_row(options, times, peaks))
        medians.append(statistics.median(times))
    print("\nmedians of %d pairs of processes (lowest and highest)\n" % options.rounds + "\n".join(table))
    if len(medians) > 1:
        print("geometric mean of the times: %.3f" % math.exp(statistics.fmean(map(math.log, medians))))


if __name__ == "__main__":
    main()
