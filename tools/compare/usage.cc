#include <string>
#include <string_view>

#include "benchmarks/harness/base/short_help.h"
#include "tools/compare/settings.h"

namespace assay::compare {

const base::ShortHelp& ShortUsage() {
  static const auto& help = *new base::ShortHelp{
      .head =
          R"(Is the candidate faster than the baseline? Starts new processes of both sides, in turns, and says how sure the answer is.

  tools/bazel run //tools:compare -- --baseline=mlp_fp32_b64 --candidate=mlp_bf16_b64            two cases of this tree
  tools/bazel run //tools:compare -- --baseline=git:HEAD --candidate=. --cases='^mlp_fp32_b64$'  the last commit and your changes
  tools/bazel run //tools:compare -- --baseline=old.jsonl --candidate=new.jsonl                  two earlier runs

)",
      .groups = {{"What is compared",
                  {{"--baseline=SIDE, --candidate=SIDE",
                    "a case, git:REVISION, a folder, a program or FILE.jsonl; with flags: '. "
                    "--threads=1'"},
                   {"--cases=REGEX", "which cases; needed if a side is a revision or a folder"},
                   {"--candidate-build=FLAGS",
                    "Bazel's flags for the candidate, such as --copt=-march=native"},
                   {"--aa", "compares the baseline with itself: how noisy is this machine?"}}},
                 {"How it is measured",
                  {{"--pairs=N",
                    "pairs of processes, an even number; default 20, and up to 40 more if that is "
                    "not enough"},
                   {"--budget=SECONDS", "sampling time of each process; default 0.4"},
                   {"--within=SECONDS", "ends the comparison after this time; builds do not count"},
                   {"--metric=cpu|min|instructions",
                    "what is compared; default: wall time, or CPU time if all wall times are "
                    "disturbed"},
                   {"--flagged=keep", "also uses times that a check has flagged as disturbed"}}},
                 {"What comes out",
                  {{"--gate", "exit code 1 if a case is slower, 4 if more pairs are needed"},
                   {"--json=FILE, --plot=FILE.svg", "the results, and a picture of them"}}}},
      .after =
          R"(Exit code: 0 compared; 1 a side's result is wrong, or it crashed; 2 the machine or the setup prevents it; 3 a wrong command line.
)",
      .all = "explains all flags, what a side may be, and every exit code"};
  return help;
}

std::string_view UsageText() {
  return R"(Is the candidate faster than the baseline? Measures both in fresh processes, in turns, and says how sure it is.

  tools/bazel run //tools:compare -- --baseline=//benchmarks/mlp:mlp_fp32_b64 --candidate='//benchmarks/mlp:mlp_fp32_b64 --threads=1'
  tools/bazel run //tools:compare -- --baseline=git:HEAD~1 --candidate=. --cases='mlp_fp32' --gate
  tools/bazel run //tools:compare -- --baseline=//benchmarks/mlp:mlp_fp32_b64 --aa             how noisy is this machine?
  tools/bazel run //tools:compare -- --baseline=old.jsonl --candidate=new.jsonl                two earlier runs
  tools/bazel run //tools:compare -- --baseline=/opt/old/runner --candidate=/opt/new/runner    any program with --record

What is compared: --baseline=SIDE --candidate=SIDE. --candidate may be repeated; a last table then has all candidates
  CASE [flags]                  a case of this tree, built first: its name or //package:case. Two cases may differ in dtype,
                                batch and model, and so in their limits
  git:REV [CASE] [flags]        a case of this revision, or those of --cases; built in a worktree in ~/.cache/assay
  FOLDER [flags]                a tree; . is this one, with your changes that are not committed
                                with --load-library=mine.so (or mine.cc) among the flags, the kernel of this library runs in the
                                place of ATen's: one that it registers there itself, or its operator with --like=softmax, and
                                --op=mine::softmax if it has several. A case that does not call it is named, and left out
                                with --libtorch=2.10.0 among the flags, these are built with another pinned LibTorch
  PROGRAM [flags]               a program that takes --modes --budget --record=FILE (and --threads, for metrics other than wall)
                                and writes one record to FILE
  FILE.jsonl                    records of earlier runs; they form no pairs, since their order is unknown
  --aa                          the candidate is the baseline: prints the noise floor
  --cases=REGEX                 which cases of a tree, by label or name; needed where a side is a tree
  --baseline-build=FLAGS --candidate-build=FLAGS   Bazel's flags for one side: --candidate-build=--copt=-march=native
  --parts=FILE                  merges comparisons that the nodes of a cluster made, and prints one (docs/machines.md)
  --across                      compares although the sides differ in dtype, device, workload, weights, modes, machine, threads, or
                                in the verdict's rule, limits and reference; records also in variables that change numbers
  --flagged=keep                compares although a check has flagged the samples

How
  --modes=LIST                  modes of each process, default wall
  --metric=auto|wall|cpu|min|instructions
                                what of each process is compared: wall, the median wall time of a call; cpu, the CPU time of a call;
                                min, the shortest sample (calls below a millisecond); instructions, those of a call in user
                                space, where the machine counts them. auto, the default, compares wall times; if
                                other programs disturb the wall times of all cases, it compares CPU times. With cpu, min and instructions
                                cases run on one thread unless a side has --threads, samples that other programs disturbed
                                do not flag a pair, and intervals are wider (docs/compare.md)
  --budget=SECONDS              sampling time of each process and mode, default 0.4
  --pairs=N                     pairs of processes before the first look, even, default 20 (--rounds means the same)
  --extra-rounds=0..2           how often it may measure as many pairs again while a row is INCONCLUSIVE, default 2
  --delta=1%                    SAME means that the difference is within this
  --inject=3%                   adds a busy-wait of this share to the candidate: is it found?
  --seed=N                      seed of the order of the pairs; a run without it draws one, and prints it
  --timeout=SECONDS             time limit of one process, default 300; then it and all that it started are killed
  --within=SECONDS              limits the whole comparison, builds not counted. Cases run in turn, small batches and float32 first.
                                Cases without enough time for their pairs are listed as MISSING, with exit code 2

What comes out
  --format=text|json|csv        on standard output; --json=FILE --csv=FILE as well
  --plot=FILE.svg|png|html      the ratios with their intervals, drawn by //tools:report; html: the pairs, too
  FASTER, SLOWER: significant after Benjamini-Hochberg over all cases and modes, and the whole interval beyond 0.5 %.
  SAME: within delta with 95 % confidence. INCONCLUSIVE: more pairs, or a wider --delta, would tell.
  --gate                        exit code 0 same or faster, 1 slower, 4 inconclusive, 2 machine or setup, or the candidate
                                lost what the baseline has: a case, a mode, its verification, a line of its file; or it is
                                faster, and the timed call of a side was not verified

Exit code without --gate: 0 a comparison was made, 1 a side's result is wrong or it crashed, 2 the machine or the setup
prevents it (no device, timeout, flagged samples, interrupted), 3 the command line is wrong or the sides must not be compared.
Ctrl-C ends the running process and reports what there is; verdicts that are not in yet stay INCONCLUSIVE.
)";
}

}  // namespace assay::compare
