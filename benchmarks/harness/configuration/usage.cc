#include "benchmarks/harness/configuration/usage.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/short_help.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "defs/case/execution_names.h"

namespace assay::configuration {
namespace {

constexpr size_t kTextColumn = 20;

constexpr std::string_view kHead =
    R"(Compares the outputs of one benchmark case with the reference, then measures the case.

  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --benchmark_format=json
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --modes=wall,cold,hot --budget=5 --record=runs.jsonl
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --memory-format=channels_last
  tools/bazel run //benchmarks/mlp:mlp_fp32_b8_train -- --steps=forward,backward,optimizer,train_step
  tools/bazel run //benchmarks/resnet:resnet50_fp32_b8 -- --benchmark_repetitions=5 --threads=1
  tools/bazel test //benchmarks/resnet:resnet50_fp32_b8_accuracy_test
  tools/bazel run //benchmarks:list                    lists all cases

)";

constexpr std::string_view kExample = "//benchmarks/resnet:resnet50_fp32_b8";

// "$" stands for the label of a case.
constexpr std::string_view kShortHead =
    R"(Compares the outputs of one benchmark case with the reference, then measures the case.

  tools/bazel run $
  tools/bazel run $ -- --modes=wall,cold --budget=5 --record=runs.jsonl
  tools/bazel test $_accuracy_test   only compares
  tools/bazel run //benchmarks:list   lists all cases

)";

constexpr std::string_view kTail =
    R"(Google Benchmark's flags work: --benchmark_filter, --benchmark_list_tests, --benchmark_format, --benchmark_repetitions,
--benchmark_report_aggregates_only, --benchmark_counters_tabular and the rest. In its table Time is the median wall time of
a call, CPU the CPU time of a call over all threads, Iterations the samples taken; ci% is half the width of the median's
95 % interval in percent of the median; p10 and p90 are in the unit of Time; images/s, tokens/s and rows/s are what a call
completes, by the median; GFLOP/s counts convolutions, matrix products and attention, two operations a multiply-add; GB/s,
of operators, the bytes that a call must move at least.

)";

constexpr std::string_view kShortTail =
    R"(Google Benchmark's flags work: --benchmark_filter, --benchmark_format and the rest.
Exit code: 0 right, or not verified; 1 a wrong output, or a crash; 2 machine or setup is wrong; 3 wrong command line.
)";

constexpr std::string_view kExitCodes =
    R"(Exit code: 0 right; 1 the product is wrong (an output differs, a crash); 2 the machine or the setup is wrong (no such
device, no reference, record not writable, interrupted); 3 the command line is wrong.
)";

// The flags of every day, each in a line. "$" stands for the back ends that can be linked.
struct EveryDayFlag {
  std::string_view name, text;
};
struct EveryDayGroup {
  std::string_view title;
  std::vector<EveryDayFlag> flags;
};

const std::vector<EveryDayGroup>& EveryDay() {
  static const auto& groups = *new std::vector<EveryDayGroup>{
      {"How the case is called",
       {{"batch", "rows of every input; default: those of the case"},
        {"device", "cpu or cuda; default: what this program was built for"},
        {"backend", "eager (default), $"},
        {"threads", "threads of one operator; default: the number of cores"},
        {"weights",
         "a checkpoint of yours: FILE.safetensors, the .index.json of several parts, or their "
         "folder"}}},
      {"What is measured",
       {{"modes",
         "wall: one call; throughput: as many calls as fill 1 ms; cold: the cache is flushed; "
         "more: "
         "--help=all"},
        {"steps",
         "forward; training: also backward, optimizer, train_step; generation: prefill, decode, "
         "generate"},
        {"budget",
         "sampling time of each mode; default 1. Sampling ends earlier when the column ci% is 0.25 "
         "or less"},
        {"verify", "off: measures without comparing; the verdict is then NOT_VERIFIED"}}},
      {"What is kept",
       {{"record",
         "adds the results to FILE, as a line of JSON, for //tools:report, gate and results"},
        {"profile",
         "after measuring: the time of each operator, and a trace that ui.perfetto.dev opens"}}}};
  return groups;
}

// "--batch=N", "--profile[=DIR]", "--no-grad".
std::string Spelling(const FlagSpec& flag) {
  if (flag.value.empty()) return absl::StrCat("--", flag.name);
  if (flag.value[0] == '[') return absl::StrCat("--", flag.name, "[=", flag.value.substr(1));
  return absl::StrCat("--", flag.name, "=", flag.value);
}

void AddFlag(const FlagSpec& flag, std::string& text) {
  std::string left = absl::StrCat("  ", Spelling(flag));
  left.resize(std::max(left.size() + 1, kTextColumn), ' ');
  const std::string indent = absl::StrCat("\n", std::string(kTextColumn, ' '));
  absl::StrAppend(&text, left, absl::StrReplaceAll(flag.text, {{"\n", indent}}), "\n");
}

// A text of --help as a cell of a table: where it is a list in columns, its lines stay lines.
std::string CellOf(const std::string& text) {
  const bool list = absl::StrContains(text, "  ");
  std::string cell = absl::StrReplaceAll(text, {{"\n", list ? "<br>" : " "}, {"|", "\\|"}});
  while (absl::StrContains(cell, "   ")) cell = absl::StrReplaceAll(cell, {{"   ", "  "}});
  return absl::StrReplaceAll(cell, {{"  ", ": "}, {"<br>  ", " "}});
}

std::string_view UseText(FlagUse use) {
  switch (use) {
    case FlagUse::kCall:
      return "call, configuration";
    case FlagUse::kTiming:
      return "timing, configuration";
    case FlagUse::kLook:
      return "what is looked at";
    case FlagUse::kRun:
    case FlagUse::kProgram:
      break;
  }
  return "this run";
}

// "`--verify=off`, `--locate`".
std::string Names(const std::vector<std::string>& patterns) {
  return absl::StrJoin(patterns, ", ", [](std::string* out, const std::string& pattern) {
    absl::StrAppend(out, "`--", pattern, "`");
  });
}

// The end of a cell: the flags beside which this one cannot stand, and those that it needs.
std::string RulesOf(const FlagSpec& flag) {
  std::string text, of_values;
  std::vector<std::string> always;
  for (const Exclusion& exclusion : flag.excludes) {
    if (exclusion.value.empty()) {
      always.insert(always.end(), exclusion.with.begin(), exclusion.with.end());
    } else {
      absl::StrAppend(&of_values, "<br>`", exclusion.value, "` not with ", Names(exclusion.with));
    }
  }
  if (!always.empty()) absl::StrAppend(&text, "<br>Not with ", Names(always));
  text += of_values;
  const std::vector<std::string> needed = ListedNames(flag.needs);
  if (!needed.empty()) absl::StrAppend(&text, "<br>Only with ", Names(needed));
  return text;
}

}  // namespace

std::string ShortHead(std::string_view label) {
  return absl::StrReplaceAll(kShortHead, {{"$", label.empty() ? kExample : label}});
}

std::string ShortUsageText(std::string_view head, const std::vector<std::string_view>& refused) {
  size_t flags = 0;
  for (const FlagSection& section : FlagSections()) {
    flags += absl::c_count_if(section.flags,
                              [](const FlagSpec& flag) { return flag.use != FlagUse::kProgram; });
  }
  base::ShortHelp help = {.head = head.empty() ? ShortHead() : std::string(head),
                          .after = std::string(kShortTail),
                          .all = absl::StrCat("explains all ", flags, " flags")};
  for (const EveryDayGroup& group : EveryDay()) {
    base::HelpGroup& lines = help.groups.emplace_back();
    lines.title = group.title;
    for (const EveryDayFlag& flag : group.flags) {
      if (absl::c_linear_search(refused, flag.name)) continue;
      lines.lines.push_back({Spelling(*FindFlag(flag.name)),
                             absl::StrReplaceAll(flag.text, {{"$", LinkableText()}})});
    }
  }
  return base::ShortHelpText(help);
}

std::string UsageText() {
  std::string text(kHead);
  for (const FlagSection& section : FlagSections()) {
    absl::StrAppend(&text, section.title, "\n");
    for (const FlagSpec& flag : section.flags) {
      if (flag.use != FlagUse::kProgram) AddFlag(flag, text);
    }
    absl::StrAppend(&text, section.after.empty() ? "" : "\n", section.after,
                    section.after.empty() ? "\n" : "\n\n");
  }
  return absl::StrCat(text, kTail, kExitCodes);
}

std::string FlagTables() {
  std::string text;
  for (const FlagSection& section : FlagSections()) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", "## ", section.title,
                    "\n\n| flag | default | part of | says |\n|---|---|---|---|\n");
    for (const FlagSpec& flag : section.flags) {
      if (flag.use == FlagUse::kProgram) continue;
      absl::StrAppend(
          &text, "| `", absl::StrReplaceAll(Spelling(flag), {{"|", "\\|"}}), "` | ",
          flag.fallback.empty() && flag.of_case != nullptr ? "the case's" : flag.fallback, " | ",
          UseText(flag.use), " | ", CellOf(flag.text), RulesOf(flag), " |\n");
    }
  }
  return text;
}

}  // namespace assay::configuration
