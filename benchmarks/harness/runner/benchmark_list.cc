#include "benchmarks/harness/runner/benchmark_list.h"

#include "benchmarks/harness/execution/steps.h"
#include "benchmarks/harness/sampling/modes.h"

namespace assay::runner {
namespace {

using execution::Step;

// What programs of a mode have; Program::Steps() is held to it by a test.
std::vector<Step> StepsOf(Mode mode) {
  if (mode == TRAIN) return {Step::kForward, Step::kBackward, Step::kOptimizer, Step::kTrainStep};
  return {Step::kForward};
}

bool CallsInARow(const sampling::Device& device, sampling::Mode mode) {
  const absl::StatusOr<sampling::Recipe> recipe = sampling::RecipeOf(device, mode);
  return recipe.ok() && recipe->chunks;
}

}  // namespace

std::vector<BenchmarkSpec> BenchmarksOf(const Settings& settings, Mode mode,
                                        const sampling::Device& device) {
  const std::vector<Step> steps = settings.steps.empty() ? StepsOf(mode) : settings.steps;
  if (!settings.methods.empty()) return SpecsOf(steps, settings.methods);
  std::vector<BenchmarkSpec> specs;
  for (const Step step : steps) {
    for (const sampling::Mode method : sampling::DefaultModes(device)) {
      if (step == Step::kBackward && CallsInARow(device, method)) continue;
      specs.push_back({.method = method, .step = step});
    }
  }
  return specs;
}

}  // namespace assay::runner
