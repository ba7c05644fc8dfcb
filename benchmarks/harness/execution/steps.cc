#include "benchmarks/harness/execution/steps.h"

#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::execution {
namespace {

constexpr Step kSteps[] = {Step::kForward,      Step::kBackward,    Step::kOptimizer,
                           Step::kTrainStep,    Step::kPreprocess,  Step::kPostprocess,
                           Step::kHostToDevice, Step::kDeviceToHost};

}  // namespace

std::string_view StepName(Step step) {
  switch (step) {
    case Step::kForward:
      return "forward";
    case Step::kBackward:
      return "backward";
    case Step::kOptimizer:
      return "optimizer";
    case Step::kTrainStep:
      return "train_step";
    case Step::kPreprocess:
      return "preprocess";
    case Step::kPostprocess:
      return "postprocess";
    case Step::kHostToDevice:
      return "h2d";
    case Step::kDeviceToHost:
      return "d2h";
  }
  std::abort();
}

absl::StatusOr<Step> ParseStep(std::string_view name) {
  for (const Step step : kSteps) {
    if (name == StepName(step)) return step;
  }
  const std::string known =
      absl::StrJoin(kSteps, ", ", [](std::string* out, Step step) { out->append(StepName(step)); });
  return absl::InvalidArgumentError(
      absl::StrCat("there is no step \"", name, "\"; one of ", known));
}

}  // namespace assay::execution
