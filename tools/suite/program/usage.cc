#include <cstddef>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/short_help.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "tools/suite/launch/processes/run_options.h"
#include "tools/suite/program/settings.h"

namespace assay::suite {
namespace {

constexpr size_t kColumns = 120;

// The flags of a case that a suite may vary: a line, or a few, for each section of their table.
std::string CaseFlagNames() {
  std::string text;
  for (const configuration::FlagSection& section : configuration::FlagSections()) {
    std::string line = absl::StrCat("  ", section.title.substr(0, section.title.find(" (")), ":");
    bool any = false;
    for (const configuration::FlagSpec& flag : section.flags) {
      if (!flag.in_plan() || flag.name == "batch") continue;
      any = true;
      const std::string word = absl::StrCat(" --", flag.name);
      if (line.size() + word.size() > kColumns) {
        absl::StrAppend(&text, line, "\n");
        line = "   ";
      }
      absl::StrAppend(&line, word);
    }
    if (any) absl::StrAppend(&text, line, "\n");
  }
  return text;
}

}  // namespace

const base::ShortHelp& ShortUsage() {
  static const auto& help = *new base::ShortHelp{
      .head =
          R"(Runs many cases, and keeps a record of each. If you give several values of a flag, it runs each combination.

  tools/bazel run //tools:run_suite -- -k '^resnet18_' --dry-run                                  what would be run
  tools/bazel run //tools:run_suite -- -k '^resnet18_' --dtype=fp32 --dtype=bf16 --out=/tmp/mine
  tools/bazel run //tools:run_suite -- --preset=quick --out=/tmp/all --report                     all small cases, and a page

)",
      .groups =
          {{"Which cases",
            {{"-k, --filter=REGEX",
              "a case runs if its name has a match, or if the whole name of its model matches"},
             {"-x, --exclude=REGEX", "not these"},
             {"--dtype=DTYPE", "fp32, fp64, bf16 or fp16; default: every dtype"},
             {"--test=eval|train|generate",
              "forward pass (default), training step, or generation of tokens"},
             {"--batch=N",
              "cases of this batch; --batch=search: the largest batch that fits into memory"}}},
           {"How each is run",
            {{"--backend=NAME, --threads=N",
              "these, and all other flags of a case (tools/bazel run CASE -- --help)"},
             {"--preset=quick|careful",
              "quick: one short run of each case; careful: six processes of each case"}}},
           {"What is kept",
            {{"--out=FOLDER",
              "where records and logs go; if you repeat the command, it goes on where it stopped"},
             {"--retry-failed", "runs failed cases again, but not those with wrong outputs"},
             {"--report", "makes the page FOLDER/report.html at the end"}}},
           {"Other actions",
            {{"--dry-run, --list", "shows what would be run, as a table or as names only"},
             {"--compare", "compares the values of a flag, in turns: --threads=1 --threads=2"},
             {"--compare --candidate=FILE --like=NAME",
              "compares your kernel, mine.cc or mine.so, with ATen's in whole models"}}}},
      .after =
          R"(Exit code: 0 right; 1 a case is wrong, or crashed; 2 the machine or the setup is wrong, or not all was run; 3 wrong command line.
)"};
  return help;
}

std::string UsageText() {
  return absl::StrCat(
      R"(Runs many cases. Chooses cases from the registry, and runs each with every combination of the flags that you give.

  tools/bazel run //tools:run_suite -- -k '^resnet18_' --dtype=fp32 --dtype=bf16 --dry-run        what would be run
  tools/bazel run //tools:run_suite -- -k '^(mlp|resnet18)_' --memory-format=contiguous --memory-format=channels_last --list
  tools/bazel run //tools:run_suite -- --only=resnet50 --test=train --batch=8 --batch=32 --verify=off --print-commands
  tools/bazel run //tools:run_suite -- --preset=quick --shard=0/3 --dry-run
  tools/bazel run //tools:run_suite -- intel huggingface bfloat16 inference performance cpu 0 static 4 0 '' --dry-run

Which cases; each may be repeated
  -k, --filter=REGEX      matches part of a name or label, or the whole name of a model; upper and lower case are equal
  --only=NAME             the name or label of a case, or the name of a model, here or in another suite (hf_Bert). --test
                          does not leave out a case that you name
  --filter-by-tier=N      models of PyTorch/XLA's tier N, one batch each; --list-tiers shows them. A case is chosen if one of
                          these three flags chooses it
  --suite=torchbench|huggingface|timm    keeps only chosen models that TorchBench has, or one of TorchDynamo's lists
  --tag=TAG               keeps only chosen cases with one of the tags: model=resnet18, batch=8, large
  --provenance=REGEX      keeps only chosen cases whose reference was computed by such a program: ^torchvision
  -x, --exclude=REGEX, --exclude-tag=TAG, --exclude-by-tier=N     leave cases out
  --dtype=fp32|fp64|bf16|fp16, --test=eval|train|generate  default: every dtype, and cases that evaluate
  --batch=N               the case of that batch; where there is none, the nearest smaller one is called with --batch=N
  --batch=search          the largest batch that fits into memory, or --memory-limit, found by processes that try

How each is called and measured; each may be repeated, and then every combination of all of them is one configuration.
`tools/bazel run LABEL -- --help=all` explains them
)",
      CaseFlagNames(),
      R"(  A flag whose name begins with a back end's name is only for that back end: --torchscript-freeze
  --device also takes a NAME of OpenXLA's devices: host-gpu, a2-highgpu-1g and so on
  A flag that equals the case's default is left out. An impossible combination is dropped, and its reason is printed. A missing
  device is no reason to drop: the case is recorded as NO_DEVICE.

Which part
  --shard=I/N             part I of N, from 0. It depends on a configuration's label and flags alone, so N machines with the
                          same flags share no work and leave none. --total-partitions=N --partition-id=I mean the same

What is not run
  --skips=FILE            a file of yours, in the form of tools/suite/plan/known_skips.textproto, used beside it
  --no-skip               runs what these two files skip. What a case's own table skips is never run

Presets: one name for several flags. Use one preset at a time. Its flags are printed, and your own flags override them
  --preset=quick|careful  quick: one short look, without what is tagged large. careful: six processes, five seconds each
  --suite-name --accelerator --xla --dynamo --repeat ...                PyTorch/XLA's; what means nothing here is refused
  --performance|--accuracy|--tolerance with --inference|--training, --bfloat16 --amp -n ...       TorchDynamo's
  --target_device --benchmark_ids -name -w -iter ...                    OpenXLA's
  intel SUITE DT MODE SCENARIO DEVICE CARD SHAPE NUM_SHARDS SHARD_ID MODEL_ONLY     Intel's inductor_xpu_test.sh

Other actions
  --compare               compares ways to call each case (several values of one flag, or --libtorch twice), in turns, with
                          //tools:compare. The first way is the baseline. Cases that lack one of the ways are left out
  --compare --candidate=FILE   compares each case with ATen's kernel and with yours. FILE is a library (.so) or a source (.cc).
                          It registers a kernel in the place of ATen's. Or it registers an operator of its own, which is
                          called in the place of the operator that --like=softmax names (--op=mine::softmax if it has
                          several). May be repeated. Cases that do not call the kernel are named
  --compare-flags='--pairs=6 --json=FILE'     flags for //tools:compare
  --list                  prints names, one in a line. With --suite alone: its models, each with the name here, or the reason why
                          it is left out
  --dry-run               prints a table, and what was dropped; --format=text|json|csv
  --print-commands        prints a shell command for each; with --out=FOLDER each adds its record to FOLDER/results.jsonl
  --list-tiers            prints the tiers' models, and which of them are here
  --list-others           prints other suites' names of models: what each is here, or why it is left out

)",
      RunUsage(), R"(
When all is run
  --report                fills FOLDER/results.sqlite, writes the page FOLDER/report.html and prints its path (//tools:report)

Exit code: 0 right; 1 a case is wrong or crashed, in this run or before; 2 the machine or the setup is wrong, or not everything
was run; 3 the command line is wrong, or no case fits it.
)");
}

}  // namespace assay::suite
