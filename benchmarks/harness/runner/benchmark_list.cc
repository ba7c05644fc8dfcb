#include "benchmarks/harness/runner/benchmark_list.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/execution/steps.h"
#include "benchmarks/harness/sampling/modes.h"

namespace assay::runner {
namespace {

using execution::Step;

// The steps that are measured by default: those that every ModelProgram and TrainingProgram has.
// CheckStep() refuses any other step that the program does not have.
std::vector<Step> StepsOf(CaseMode mode) {
  if (mode == TRAIN) return {Step::kForward, Step::kBackward, Step::kOptimizer, Step::kTrainStep};
  return {Step::kForward};
}

// Must agree with NeedsPreparation() of the programs.
bool IsPrepared(Step step) {
  return step == Step::kBackward || step == Step::kPreprocess || step == Step::kPostprocess;
}

bool CallsInARow(const sampling::Device& device, sampling::Mode mode) {
  const absl::StatusOr<sampling::Protocol> protocol = sampling::ProtocolOf(device, mode);
  return protocol.ok() && protocol->chunks;
}

}  // namespace

std::vector<BenchmarkSpec> BenchmarksOf(const Settings& settings, CaseMode mode,
                                        const sampling::Device& device) {
  const std::vector<Step> steps = settings.steps.empty() ? StepsOf(mode) : settings.steps;
  if (!settings.methods.empty()) return SpecsOf(steps, settings.methods);
  std::vector<BenchmarkSpec> specs;
  for (const Step step : steps) {
    for (const sampling::Mode method : sampling::DefaultModes(device)) {
      if (IsPrepared(step) && CallsInARow(device, method)) continue;
      specs.push_back({.method = method, .step = step});
    }
  }
  return specs;
}

absl::Status CheckFilter(const std::string& filter, const std::vector<BenchmarkSpec>& benchmarks,
                         const std::string& case_name) {
  std::vector<std::string> names;
  for (const BenchmarkSpec& spec : benchmarks) {
    names.push_back(spec.Name(case_name));
    const absl::StatusOr<bool> matches = MatchesFilter(names.back(), filter);
    if (!matches.ok()) return matches.status();
    if (*matches) return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--benchmark_filter=", filter,
                   " matches no benchmark of this case: ", absl::StrJoin(names, ", ")));
}

}  // namespace assay::runner
