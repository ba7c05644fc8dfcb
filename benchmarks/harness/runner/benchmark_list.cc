#include "benchmarks/harness/runner/benchmark_list.h"

#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/sampling/modes.h"
#include "defs/case/case_steps.h"

namespace assay::runner {
namespace {

// The steps that were asked for or, without any, the case's default steps.
std::vector<StepSpec> StepsOf(const Settings& settings, const ResolvedCase& c, DeviceType device) {
  std::vector<StepSpec> chosen;
  for (const std::string& name : settings.steps) {
    absl::StatusOr<StepSpec> step = FindStep(c, name, device);
    if (step.ok()) chosen.push_back(*std::move(step));
  }
  if (!settings.steps.empty()) return chosen;
  absl::c_copy_if(c.steps(), std::back_inserter(chosen),
                  [](const StepSpec& step) { return step.by_default(); });
  return chosen;
}

bool CallsInARow(const sampling::Device& device, sampling::Mode mode) {
  const absl::StatusOr<sampling::Protocol> protocol = sampling::ProtocolOf(device, mode);
  return protocol.ok() && protocol->chunks;
}

}  // namespace

std::vector<BenchmarkSpec> BenchmarksOf(const Settings& settings, const ResolvedCase& c,
                                        const sampling::Device& device) {
  std::vector<BenchmarkSpec> specs;
  for (const StepSpec& step : StepsOf(settings, c, settings.device)) {
    if (!settings.methods.empty()) {
      for (const Method& method : settings.methods) specs.push_back({method, step.name()});
      continue;
    }
    for (const sampling::Mode mode : sampling::DefaultModes(device)) {
      if (step.prepared() && CallsInARow(device, mode)) continue;
      specs.push_back({mode, step.name()});
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
