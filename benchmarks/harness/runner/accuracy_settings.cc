#include "benchmarks/harness/runner/accuracy_settings.h"

#include <string_view>

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/runner/rule_flag.h"

ABSL_FLAG(std::string, rule, "",
          "compare by this rule in place of the case's: dynamo_same, cosine, allclose, "
          "mean_relative, iou or relative_to_std, with limits as in dynamo_same:1e-3");
ABSL_FLAG(int, accuracy_runs, 1, "an odd number of verified runs, of which the majority decides");
ABSL_FLAG(std::string, check, "",
          "comma-separated: batch_invariance, bitwise, mutants; one that fails is FAIL_ACCURACY");
ABSL_FLAG(std::string, save_outputs, "",
          "write the verified call's outputs, bit for bit: a folder that is there, or "
          "FILE.safetensors");
ABSL_FLAG(std::string, compare_outputs, "",
          "compare the verified call's outputs with those that --save_outputs wrote");

namespace assay::runner {

absl::StatusOr<AccuracySettings> ReadAccuracySettings() {
  constexpr int kMostRuns = 999;
  AccuracySettings settings;
  if (const std::string rule = absl::GetFlag(FLAGS_rule); !rule.empty()) {
    absl::StatusOr<VerifyParameters> parsed = ParseRule(rule);
    if (!parsed.ok()) return parsed.status();
    settings.rule = *std::move(parsed);
  }
  settings.runs = absl::GetFlag(FLAGS_accuracy_runs);
  if (settings.runs < 1 || settings.runs > kMostRuns || settings.runs % 2 == 0) {
    return absl::InvalidArgumentError(absl::StrCat("--accuracy_runs=", settings.runs,
                                                   ": an odd number, 1 to ", kMostRuns,
                                                   ", so that there is a majority"));
  }
  const std::string checks = absl::GetFlag(FLAGS_check);
  for (const std::string_view name : absl::StrSplit(checks, ',', absl::SkipEmpty())) {
    if (name == "batch_invariance") {
      settings.batch_invariance = true;
    } else if (name == "bitwise") {
      settings.bitwise = true;
    } else if (name == "mutants") {
      settings.mutants = true;
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "--check=", checks, ": '", name, "': one of batch_invariance, bitwise, mutants"));
    }
  }
  settings.save_outputs = absl::GetFlag(FLAGS_save_outputs);
  settings.compare_outputs = absl::GetFlag(FLAGS_compare_outputs);
  return settings;
}

}  // namespace assay::runner
