#include "benchmarks/harness/runner/usage.h"

namespace assay::runner {

std::string_view UsageText() {
  return R"(Measures one benchmark case, after comparing its outputs with the reference.

  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --benchmark_format=json
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --modes=wall,cold,hot --budget=5 --record=runs.jsonl
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --memory-format=channels_last
  tools/bazel run //benchmarks/mlp:mlp_fp32_b8_train -- --steps=forward,backward,optimizer,train_step
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --benchmark_repetitions=5 --threads=1
  tools/bazel test //benchmarks/resnet:resnet50_fp32_b8_accuracy_test
  tools/bazel run //benchmarks:list                    every case there is

What is measured
  --modes=LIST      wall        one call until its result is there: the latency that a user sees
                    throughput  many calls in a row: calls a second
                    cold        one call after the cache was flushed
                    hot         many calls in a row, cache warm; on CUDA by the device's own timer
                    graph       many calls recorded once and replayed: device time without launches (CUDA)
                    enqueue     host time until a call returns (CUDA)
                    default: wall and throughput on the CPU; wall, cold and hot on CUDA
  --steps=LIST      the steps of the case's program that are timed, each apart: forward; in training cases also backward,
                    optimizer, train_step; in operators' _backward cases backward; of image classifiers preprocess,
                    postprocess; of generation cases prefill, decode, generate; on CUDA h2d, d2h. Default: forward; in
                    training and generation cases all; in operators' _backward cases backward. While it is timed, the
                    optimizer's learning rate is 1e-12, so that the weights stay those that were verified; the arithmetic
                    is the same
  --exec-mode=NAME  as another suite measures: discrete, continuous, continuous_events (PARAM; with --warmup=N,
                    --iterations=N, --cuda-l2-cache=off), do_bench (Triton)
  --budget=SECONDS  sampling time of each mode, kept within a tenth; only for the first six samples up to ten times as
                    long. Sampling ends sooner when the 95 % interval of the median is within 0.25 %. Default 1.
                    --benchmark_min_time means the same.
  --randomize-inputs  each timed call reads other inputs than the one before, so that no answer can be remembered: sets
                    drawn from the case's distributions with the seeds S, S+1, ..., made before the clock runs and used in
                    turn: 4 to 64, as 64 MiB hold. Within a sample of many calls (throughput, hot) changing sets is timed,
                    about a tenth of a microsecond. What is compared stays the inputs of seed S
  --timeout=SECONDS gives the run up as TIMEOUT, keeping what was measured; default: never
  --inject=SHARE    3%: makes each call so much slower by spinning, to prove that a comparison finds it; marked in the record
  --threads=N       threads of one operator; default: the number of cores
  --allocator=NAME  retain (default): memory that a call frees stays with the process, as with CUDA's caching
                    allocator; default: glibc's policy, whose page faults are then part of each call
  --device=NAME     cpu, or cuda in a build with --config=cuda

How it is called (the same reference judges all of it; verdict and record say it)
  --batch=N         rows of every input; compared with the reference on the rows that both have
  --dynamic-batch=1,2,4,8  several batches in one process, one after another, with one program: a run each, and a record as
                    if --batch=N had been given, which says launch.shared from the second on
  --backend=NAME    eager (default) or torchscript (forward alone; --torchscript-freeze folds constants); a library of your own
                    registers another (benchmarks/harness/execution/backend.h): tools/bazel run --//benchmarks/backends=//my:lib
  --memory-format=F contiguous (default) or channels_last
  --autocast=DTYPE  bf16 or fp16, as torch.autocast, for fp32 cases; judged by the limits of that dtype
  --matmul-precision=P  highest (default), high or medium, as torch.set_float32_matmul_precision
  --deterministic   as torch.use_deterministic_algorithms
  --no-grad         torch.no_grad in place of torch.inference_mode

Training cases
  --optimizer=NAME  sgd, adam or adamw, as the case lists them; default: the first. Tests compare all of them
  --accumulation=N  cuts the batch of a step into N parts, with one update after the last
  --grad-scaler     as torch.amp.GradScaler, from 2^16; default: with --autocast=fp16
  --clip-norm=X     as torch.nn.utils.clip_grad_norm_; another than the case's needs --verify=off
  --mistake=NAME    missing_gradient, stale_gradient, bias_correction (adam, adamw), scaled_gradient (with a scaler): gets
                    the step wrong on purpose, to prove that the verdict finds it. Other cases: what --check=mutants tries

Whether to believe it
  Every sample set is checked for the known ways to mis-measure (work left on another stream, two clocks apart, a cache that
  was not cold, contention, throttling, two modes, a drift, leaks, outputs that do not follow the inputs, times faster than
  the hardware, and more). What a check finds is printed below the table as FLAGGED or NOTED and kept in the record;
  comparisons refuse what is FLAGGED. benchmarks/harness/sampling/validity.h lists names and thresholds.

How far from what the machine can do (docs/roofline.md)
  --peaks           after measuring, for two to five seconds, with these threads: operations a second in the case's dtype,
                    of the fastest of products, convolutions and plain multiply-adds; bytes a second of copying and of
                    reading what no cache holds. Kept in the record; then tools/bazel run //tools:roofline -- FILE says
                    each case's share of them

What is compared
  --verify=off      measure only; recorded as NOT_VERIFIED
  --action=NAME     measure (default), verify (only compare), smoke (small model, one call, shapes and finiteness)

  --rule=RULE       compare by another rule than the case's: dynamo_same[:TOL], cosine[:MIN], allclose:atol=A,rtol=R,
                    mean_relative[:2%], iou[:MIN] (boolean outputs), relative_to_std:rms=A,max=B. Without numbers: those of
                    the suite that the rule is from. dynamo_same also takes multiplier=N, larger_multiplier, cosine[=MIN]
  --accuracy-runs=N an odd number of verified runs, of which the majority decides
  --check=LIST      batch_invariance  the last row and a drawn one, computed alone, equal those of the whole batch, within the
                                      limits
                    bitwise           this execution's outputs equal plain eager's to the bit
                    mutants           the same with one thing made wrong (a model's first, middle or last block times 1.01,
                                      an operator's output, what --mistake lists) fails; each is a line
                    One that fails is FAIL_ACCURACY
  --save-outputs=PATH     writes the verified call's outputs, bit for bit: FILE.safetensors, or a folder for <case>.safetensors
  --compare-outputs=PATH  compares them with those that another build saved, within the limits, and says whether to the bit

Where in a model a wrong number comes from (docs/accuracy.md)
  --locate          in place of measuring: names the first layer whose output differs from the other implementation's although
                    its input is right; of a training case also the first gradient. In float64 on the CPU, with the seeded
                    weights. Exit code 1 where there is one. Has //tools:locate built, with 0.6 GB of Python packages the
                    first time

Your own tensors
  --weights=PATH    a checkpoint in place of the seeded weights: FILE.safetensors, FILE.safetensors.index.json, or a folder with
                    one of them. Names, shapes and kinds must be the model's (what is not is listed); floating-point weights
                    are rounded to the case's dtype. Translated, and said: a prefix, gamma and beta for weight and bias,
                    num_batches_tracked absent, older names that the family declares; left out, and said: heads and unread
                    buffers that the family declares.
                    Verdict: against --reference, else NOT_VERIFIED. May stand beside --export_inputs
  --weights-prefix=P  what stands in front of the model's names in that file, e.g. bert.; other names are left out.
                    Default: found
  --weights-ignore=P,...  tensors of that file whose names begin with P., behind the prefix or not, are left out, and said
  --inputs=PATH     inputs of the call that is compared: FILE.safetensors or FILE.npz by name, or a folder of input_0.npy,
                    input_1.npy, ... by position. What is timed keeps its seeded inputs
  --reference=PATH  outputs that another implementation computed from these: FILE.safetensors or FILE.npz by name, a folder of
                    output_0.npy, ..., or a reference blob. Without --weights and --inputs: a file with the lock's digest

  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --export_inputs=inputs.safetensors
  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --weights=model.safetensors --reference=logits.npz

What is kept
  --record=FILE     appends one JSON line: every sample, the verdict, the machine, versions and flags
  --benchmark_out=FILE, --benchmark_out_format=json|csv|console     Google Benchmark's file

What a step is made of (docs/profiling.md)
  --profile[=DIR]   after measuring, calls each step again under LibTorch's profiler, and writes to DIR (<case>.profile) a trace
                    that ui.perfetto.dev opens, and where the time went by operator as text, CSV and JSON; on CUDA also a
                    snapshot of the device's memory. It changes no timed number
  --profile-calls=N calls of each step, after two that nobody looks at; default 3
  --nsys[=DIR], --ncu[=DIR]  the same calls in a child under Nsight Systems or Nsight Compute, on CUDA each in an NVTX range named
                    <case>/<step>, with a filter that lets nothing else through. On the CPU nsys samples the whole child

  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --profile --modes=wall

Google Benchmark's flags work: --benchmark_filter, --benchmark_list_tests, --benchmark_format, --benchmark_repetitions,
--benchmark_report_aggregates_only, --benchmark_counters_tabular and the rest. In its table Time is the median wall time of
a call, CPU the CPU time of a call over all threads, Iterations the samples taken; ci% is half the width of the median's
95 % interval in percent of the median; p10 and p90 are in the unit of Time; images/s, tokens/s and rows/s are what a call
completes, by the median; GFLOP/s counts convolutions, matrix products and attention, two operations a multiply-add; GB/s,
of operators, the bytes that a call must move at least.

For tools
  --export_state=FILE --export_inputs=FILE --export_reference=FILE --export_layers=FOLDER --case_name=LABEL

Exit code: 0 right; 1 the product is wrong (an output differs, a crash); 2 the surroundings are (no such device, reference
not to be had, record not writable, interrupted); 3 the command line is.
)";
}

}  // namespace assay::runner
