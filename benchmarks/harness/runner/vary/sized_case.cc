#include "benchmarks/harness/runner/vary/sized_case.h"

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "defs/case/case_steps.h"
#include "defs/case/dimensions.h"
#include "defs/case/program_kinds.h"
#include "defs/case/written_inputs.h"
#include "defs/compiler/case_resolution.h"

namespace assay::runner {
namespace {

constexpr std::string_view kBatch = "batch";

absl::Status Refused(std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("--vary: ", why));
}

// Whether a shape is written with this name.
bool ShapesName(const ResolvedCase& c, std::string_view name) {
  for (const InputSpec& input : c.implementation().inputs()) {
    for (const std::string_view dimension : input.shape()) {
      for (const std::string_view word : absl::StrSplit(dimension, absl::ByAnyChar("*+-"))) {
        if (word == name) return true;
      }
    }
  }
  return false;
}

// Why the case cannot be called with several sizes; empty: it can.
std::string Problem(const ResolvedCase& c) {
  if (!KindOf(c).calls_forward_alone) {
    return absl::StrCat("a forward pass can vary, and this case is of kind ", KindOf(c).word,
                        "; take the eval case of its model");
  }
  for (const std::string& written :
       {WrittenInputs(c.measured()), WrittenState(c.measured()), FixedInputs(c.measured())}) {
    if (!written.empty()) return absl::StrCat("the inputs of this case are fixed: ", written);
  }
  return "";
}

// A table of the model with a row for each place, such as learned positions, may be too short.
absl::Status CheckReach(const ResolvedCase& sized, const std::string& size) {
  const Workload& workload = sized.measured();
  for (const CheckpointConfig& config : sized.implementation().checkpoint_configs()) {
    for (const CheckpointConfig::Key& key : config.keys()) {
      const auto limit = workload.parameters().find(key.parameter());
      if (key.reaches().empty() || limit == workload.parameters().end()) continue;
      const std::optional<int64_t> needed =
          Evaluate(key.reaches(), workload, sized.benchmark_case().seed());
      if (needed.value_or(0) <= limit->second.integer()) continue;
      return Refused(absl::StrCat(size, " needs ", *needed, " rows of a table that has ",
                                  limit->second.integer(), " (", key.parameter(),
                                  "); leave this size out"));
    }
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> SizeNames(const ResolvedCase& c) {
  std::vector<std::string> names;
  for (const ParameterSpec& spec : c.implementation().parameters()) {
    if (spec.kind() == "integer" && ShapesName(c, spec.name())) names.push_back(spec.name());
  }
  if (ShapesName(c, kBatch)) names.emplace_back(kBatch);
  return names;
}

absl::StatusOr<ResolvedCase> SizedCase(const ResolvedCase& declared, const MixSize& size) {
  if (const std::string problem = Problem(declared); !problem.empty()) return Refused(problem);
  const std::vector<std::string> names = SizeNames(declared);
  BenchmarkCase c = declared.benchmark_case();
  for (const auto& [name, value] : size.values) {
    if (!absl::c_linear_search(names, name)) {
      return Refused(absl::StrCat(
          "no input's shape of this case depends on '", name, "'; ",
          names.empty() ? "they are all fixed" : "there is " + absl::StrJoin(names, ", ")));
    }
    if (name == kBatch) {
      c.set_batch(value);
    } else {
      (*c.mutable_parameters())[name].set_integer(value);
    }
  }
  Family family;
  *family.add_implementations() = declared.implementation();
  *family.add_models() = declared.model();
  const std::string where = absl::StrCat("--vary: ", size.Name());
  Problems problems;
  const ResolvedCase resolved = Resolve(
      family, c, {.key = declared.reference().key(), .rows = c.batch()}, {}, where, &problems);
  if (!problems.empty()) return absl::InvalidArgumentError(problems[0]);
  ResolvedCase sized = declared;
  *sized.mutable_benchmark_case() = std::move(c);
  *sized.mutable_measured() = resolved.measured();
  if (absl::Status reached = CheckReach(sized, size.Name()); !reached.ok()) return reached;
  SetSteps(sized);
  return VerifiedAsMeasured(std::move(sized));
}

ResolvedCase VerifiedAsMeasured(ResolvedCase sized) {
  *sized.mutable_verified() = sized.measured();
  *sized.mutable_referenced() = sized.measured();
  return sized;
}

}  // namespace assay::runner
