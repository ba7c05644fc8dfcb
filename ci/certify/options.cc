#include "ci/certify/options.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::certify {
namespace {

// Goals whose figures are the same in every run of one build: simulated_goals.h. The others read
// this machine's clock.
constexpr std::string_view kSeededGoals = "G6,G7,G8,G9,G12,G13,G14";

absl::StatusOr<std::vector<std::string>> ParseGoals(std::string_view names) {
  const std::vector<std::string> asked =
      absl::StrSplit(names == "seeded" ? kSeededGoals : names, ',');
  for (const std::string& name : asked) {
    if (std::count(AllGoals().begin(), AllGoals().end(), name) == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "unknown goal \"", name, "\"; seeded, or some of ", absl::StrJoin(AllGoals(), ", ")));
    }
  }
  std::vector<std::string> in_order;
  for (const std::string& name : AllGoals()) {
    if (std::count(asked.begin(), asked.end(), name) > 0) in_order.push_back(name);
  }
  return in_order;
}

base::FlagTable Flags(Options& options) {
  const auto goals = [&options](const std::string& names) {
    absl::StatusOr<std::vector<std::string>> parsed = ParseGoals(names);
    if (!parsed.ok()) return parsed.status();
    options.goals = *std::move(parsed);
    return absl::OkStatus();
  };
  base::Flag null_reading = base::SwitchFlag(options.null_reading);
  null_reading.listed = false;
  const base::Flag help = base::SwitchFlag(options.help);
  return {{"quick", base::SwitchFlag(options.quick)},
          {"real", base::SwitchFlag(options.real)},
          {"null_reading", null_reading},
          {"python", base::TextFlag(options.python)},
          {"known_misses", base::TextFlag(options.known_misses)},
          {"flakes", base::WholeNumberFlag(options.flakes, 1, 100'000)},
          {"format", output::FormatFlag(options.format)},
          {"goals", {.set = goals}},
          {"help", help},
          {"h", help}};
}

}  // namespace

const std::vector<std::string>& AllGoals() {
  static const auto* const kAll =
      new std::vector<std::string>{"G1", "G2",  "G3",  "G4",  "G5",  "G6",  "G7", "G8",
                                   "G9", "G11", "G12", "G13", "G14", "G15", "G16"};
  return *kAll;
}

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& words) {
  Options options;
  options.goals = AllGoals();
  const absl::Status parsed = base::ParseFlags(Flags(options), words);
  if (!parsed.ok()) return parsed;
  return options;
}

std::string_view UsageText() {
  return R"(Shows on this machine whether the suite measures what it says it measures, and what other
harnesses reach in the same run.

  tools/bazel run //tools:certify                          all goals; about two minutes
  tools/bazel run //tools:certify -- --quick               a tenth of the repetitions
  tools/bazel run //tools:certify -- --goals=G1,G3         some of them
  tools/bazel run //tools:certify -- --goals=seeded        those that need no quiet machine
  tools/bazel run //tools:certify -- --format=json         for a program; also csv
  tools/bazel run //ci/certify:with_python              torch.utils.benchmark among the peers

  --real               20 real comparisons of a case with itself as well; ten minutes
  --flakes=N           how often the engine's own tests run beside a busy loop; default 5
  --known-misses=FILE  instead of ci/certify/known_misses.textproto, which says what a row holds

G1 overhead  G2 null reading  G3 known cost  G4 spread over processes  G5 time used well
G6 false alarms  G7 power  G8 coverage of intervals  G9 mutants  G11 start-up  G12 records
G13 stop rule  G14 physics  G15 speed and memory of the engine  G16 flakes

exit code  0 every goal that was run is met, or listed among the known misses with its reason;
           1 one is missed, or a row of the known misses fits none; 3 wrong arguments, or a file of
           known misses that is none
)";
}

}  // namespace assay::certify
