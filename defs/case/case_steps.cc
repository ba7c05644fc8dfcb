#include "defs/case/case_steps.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "defs/case/dimensions.h"
#include "defs/case/program_kinds.h"

namespace assay {
namespace {

void AddStep(const StepRow& row, ResolvedCase& c) {
  StepSpec& step = *c.add_steps();
  step.set_name(std::string(row.name));
  step.set_by_default(row.by_default);
  step.set_headline(row.headline);
  step.set_prepared(row.prepared);
  step.set_makes_state(row.makes_state);
  if (row.units.empty() || c.implementation().unit().empty()) return;
  const std::optional<int64_t> units = Evaluate(row.units, c.measured(), c.benchmark_case().seed());
  step.set_unit(c.implementation().unit());
  step.set_units_per_call(static_cast<double>(units.value_or(0)));
}

// Which cases have the step that another one lacks; empty for a step of all kinds.
std::string WhoseStep(std::string_view name) {
  for (const ProgramKind& kind : ProgramKinds()) {
    if (absl::c_linear_search(kind.own_steps, name)) return absl::StrCat("; ", kind.whose_steps);
  }
  return "";
}

}  // namespace

absl::Status CheckStepName(std::string_view name) {
  if (absl::c_linear_search(steps::kAll, name)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("there is no step \"", name, "\"; one of ", absl::StrJoin(steps::kAll, ", ")));
}

void SetSteps(ResolvedCase& c) {
  c.clear_steps();
  for (const StepRow& row : KindOf(c).steps(c)) AddStep(row, c);
  for (const std::string_view name : {steps::kHostToDevice, steps::kDeviceToHost}) {
    StepSpec& step = *c.add_steps();
    step.set_name(std::string(name));
    step.set_copies(true);
  }
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
  return absl::FailedPreconditionError(absl::StrCat("step ", name, ": the case's program has ",
                                                    absl::StrJoin(known, ", "), WhoseStep(name)));
}

}  // namespace assay
