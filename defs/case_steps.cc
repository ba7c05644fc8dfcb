#include "defs/case_steps.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "defs/dimensions.h"
#include "defs/generation_outputs.h"
#include "defs/written_inputs.h"

namespace assay {
namespace {

struct Properties {
  bool by_default = false;
  bool headline = false;
  bool prepared = false;
  bool makes_state = false;
  std::string units = {};  // that a call completes, a dimension; empty: none
};

class Steps {
 public:
  explicit Steps(ResolvedCase& c) : case_(c) { c.clear_steps(); }

  void Add(std::string_view name, const Properties& properties) {
    StepSpec& step = *case_.add_steps();
    step.set_name(std::string(name));
    step.set_by_default(properties.by_default);
    step.set_headline(properties.headline);
    step.set_prepared(properties.prepared);
    step.set_makes_state(properties.makes_state);
    const ModelImplementation& implementation = case_.implementation();
    if (properties.units.empty() || implementation.unit().empty()) return;
    const Workload& measured = case_.measured();
    const std::optional<int64_t> units =
        Evaluate(properties.units, measured, case_.benchmark_case().seed());
    step.set_unit(implementation.unit());
    step.set_units_per_call(static_cast<double>(units.value_or(0)));
  }

  void AddCopy(std::string_view name) {
    StepSpec& step = *case_.add_steps();
    step.set_name(std::string(name));
    step.set_copies(true);
  }

 private:
  ResolvedCase& case_;
};

}  // namespace

absl::Status CheckStepName(std::string_view name) {
  if (absl::c_linear_search(steps::kAll, name)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("there is no step \"", name, "\"; one of ", absl::StrJoin(steps::kAll, ", ")));
}

void SetSteps(ResolvedCase& c) {
  const BenchmarkCase& b = c.benchmark_case();
  const std::string of_forward = c.implementation().units_per_call();
  Steps all(c);
  if (b.mode() == TRAIN) {
    all.Add(steps::kForward, {.by_default = true, .units = of_forward});
    all.Add(steps::kBackward, {.by_default = true, .prepared = true, .units = of_forward});
    // An update divides the gradients by the scale, in place, so that they must be made anew.
    all.Add(steps::kOptimizer,
            {.by_default = true, .prepared = b.execution().grad_scaler(), .makes_state = true});
    all.Add(steps::kTrainStep,
            {.by_default = true, .headline = true, .makes_state = true, .units = of_forward});
  } else if (b.mode() == GENERATE) {
    all.Add(steps::kPrefill, {.by_default = true, .units = of_forward});
    all.Add(steps::kDecode, {.by_default = true, .units = "batch"});
    all.Add(steps::kGenerate,
            {.by_default = true, .headline = true, .units = absl::StrCat("batch*", kNewTokens)});
  } else if (b.operator_call().backward()) {
    all.Add(steps::kForward, {.units = of_forward});
    all.Add(steps::kBackward,
            {.by_default = true, .headline = true, .prepared = true, .units = of_forward});
  } else if (c.model().image_preset().crop() > 0) {
    all.Add(steps::kPreprocess, {.prepared = true, .units = of_forward});
    all.Add(steps::kForward, {.by_default = true, .headline = true, .units = of_forward});
    all.Add(steps::kPostprocess, {.prepared = true, .units = of_forward});
  } else {
    const bool written =
        !WrittenInputs(c.measured()).empty() || !WrittenState(c.measured()).empty();
    all.Add(steps::kForward,
            {.by_default = true, .headline = true, .prepared = written, .units = of_forward});
  }
  all.AddCopy(steps::kHostToDevice);
  all.AddCopy(steps::kDeviceToHost);
}

absl::StatusOr<StepSpec> FindStep(const ResolvedCase& c, std::string_view name, DeviceType device) {
  std::vector<std::string_view> known;
  for (const StepSpec& step : c.steps()) {
    if (step.copies() && device == CPU) {
      if (step.name() != name) continue;
      return absl::FailedPreconditionError(
          absl::StrCat("step ", name, ": on the CPU nothing is copied"));
    }
    if (step.name() == name) return step;
    if (!step.copies()) known.push_back(step.name());
  }
  const CaseMode mode = c.benchmark_case().mode();
  std::string_view whose;
  if (name == steps::kPreprocess || name == steps::kPostprocess) {
    whose = "; photographs belong to classifiers that evaluate";
  } else if (mode != GENERATE &&
             (name == steps::kPrefill || name == steps::kDecode || name == steps::kGenerate)) {
    whose = "; new tokens belong to generation cases (names with _gen)";
  } else if (mode != TRAIN &&
             (name == steps::kBackward || name == steps::kOptimizer || name == steps::kTrainStep)) {
    whose = "; gradients belong to training cases (names with _train)";
  }
  return absl::FailedPreconditionError(
      absl::StrCat("step ", name, ": the case's program has ", absl::StrJoin(known, ", "), whose));
}

}  // namespace assay
