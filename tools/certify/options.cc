#include "tools/certify/options.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::certify {
namespace {

const std::vector<std::string>& AllGoals() {
  static const auto* const kAll =
      new std::vector<std::string>{"G1", "G2",  "G3",  "G4",  "G5",  "G6",  "G7", "G8",
                                   "G9", "G11", "G12", "G13", "G14", "G15", "G16"};
  return *kAll;
}

absl::StatusOr<std::vector<std::string>> ParseGoals(std::string_view names) {
  const std::vector<std::string> asked = absl::StrSplit(names, ',');
  for (const std::string& name : asked) {
    if (std::count(AllGoals().begin(), AllGoals().end(), name) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("unknown goal \"", name, "\"; one of ", absl::StrJoin(AllGoals(), ", ")));
    }
  }
  std::vector<std::string> in_order;
  for (const std::string& name : AllGoals()) {
    if (std::count(asked.begin(), asked.end(), name) > 0) in_order.push_back(name);
  }
  return in_order;
}

absl::Status ParseWord(const std::string& word, Options& options) {
  std::string_view rest = word;
  if (word == "--quick") {
    options.quick = true;
  } else if (word == "--real") {
    options.real = true;
  } else if (word == "--null_reading") {
    options.null_reading = true;
  } else if (word == "--help" || word == "-h") {
    options.help = true;
  } else if (absl::ConsumePrefix(&rest, "--python=")) {
    options.python = std::string(rest);
  } else if (absl::ConsumePrefix(&rest, "--flakes=")) {
    if (!absl::SimpleAtoi(rest, &options.flakes) || options.flakes < 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("--flakes=", rest, " is not a count; 5 is the default"));
    }
  } else if (absl::ConsumePrefix(&rest, "--format=")) {
    const absl::StatusOr<output::Format> format = output::ParseFormat(rest);
    if (!format.ok()) return format.status();
    options.format = *format;
  } else if (absl::ConsumePrefix(&rest, "--goals=")) {
    absl::StatusOr<std::vector<std::string>> goals = ParseGoals(rest);
    if (!goals.ok()) return goals.status();
    options.goals = *std::move(goals);
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown argument \"", word, "\"; --help lists those there are"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& words) {
  Options options;
  options.goals = AllGoals();
  for (const std::string& word : words) {
    if (absl::Status status = ParseWord(word, options); !status.ok()) return status;
  }
  return options;
}

std::string_view UsageText() {
  return R"(Shows on this machine whether the suite measures what it says it measures, and what other
harnesses reach in the same run.

  tools/bazel run //tools:certify                          all goals; about two minutes
  tools/bazel run //tools:certify -- --quick               a tenth of the repetitions
  tools/bazel run //tools:certify -- --goals=G1,G3         some of them
  tools/bazel run //tools:certify -- --format=json         for a program; also csv
  tools/bazel run //tools/certify:with_python              torch.utils.benchmark among the peers

  --real      20 real comparisons of a case with itself as well; ten minutes
  --flakes=N  how often the engine's own tests run beside a busy loop; default 5

G1 overhead  G2 null reading  G3 known cost  G4 spread over processes  G5 time used well
G6 false alarms  G7 power  G8 coverage of intervals  G9 mutants  G11 start-up  G12 records
G13 stop rule  G14 physics  G15 speed and memory of the engine  G16 flakes

exit code  0 every goal that was run is met; 1 one is missed; 3 wrong arguments
)";
}

}  // namespace assay::certify
