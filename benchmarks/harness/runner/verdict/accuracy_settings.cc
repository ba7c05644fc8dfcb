#include "benchmarks/harness/runner/verdict/accuracy_settings.h"

#include <string_view>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/runner/verdict/rule_flag.h"

namespace assay::runner {

using configuration::FlagValues;
using configuration::IsGiven;
using configuration::ValueOf;

absl::StatusOr<AccuracySettings> ReadAccuracySettings(const FlagValues& values) {
  AccuracySettings settings;
  if (IsGiven(values, "rule")) {
    absl::StatusOr<VerifyParameters> parsed = ParseRule(ValueOf(values, "rule"));
    if (!parsed.ok()) return parsed.status();
    settings.rule = *std::move(parsed);
  }
  settings.runs = static_cast<int>(configuration::ToWholeNumber(ValueOf(values, "accuracy-runs")));
  const std::string checks = ValueOf(values, "check");
  const std::vector<std::string_view> names = absl::StrSplit(checks, ',');
  settings.batch_invariance = absl::c_linear_search(names, "batch_invariance");
  settings.bitwise = absl::c_linear_search(names, "bitwise");
  settings.mutants = absl::c_linear_search(names, "mutants");
  settings.save_outputs = ValueOf(values, "save-outputs");
  settings.compare_outputs = ValueOf(values, "compare-outputs");
  return settings;
}

}  // namespace assay::runner
