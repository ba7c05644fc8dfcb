#include "defs/case/execution_names.h"

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "defs/case/program_kinds.h"

namespace assay {

std::string BackendName(const Execution& execution) {
  return execution.backend().empty() ? std::string(kEager)
                                     : absl::AsciiStrToLower(execution.backend());
}

bool IsLinkable(std::string_view name) {
  return absl::c_any_of(kBackendTable, [name](const BackendRow& row) { return row.name == name; });
}

std::vector<std::string_view> LinkableBackends() {
  std::vector<std::string_view> names;
  for (const BackendRow& row : kBackendTable) names.push_back(row.name);
  return names;
}

std::string LinkableText(std::string_view last) {
  std::vector<std::string_view> names = LinkableBackends();
  const std::string_view end = names.back();
  names.pop_back();
  return absl::StrCat(absl::StrJoin(names, ", "), last, end);
}

absl::Status CheckTraceable(const BenchmarkCase& c, std::string_view who) {
  std::string problem;
  if (!KindOf(c).calls_forward_alone) {
    problem = "it traces a forward pass; the case does more";
  } else if (const lowerings::Row* row = lowerings::Find(c.execution().lowering());
             row != nullptr && !row->untraceable.empty()) {
    problem = absl::StrCat("it cannot trace ", row->name, ", ", row->untraceable);
  } else if (c.execution().autocast() != DTYPE_UNSPECIFIED) {
    problem = "it takes no --autocast; take a case of that dtype";
  }
  if (problem.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(who, ": ", problem));
}

absl::Status CheckBackend(const BenchmarkCase& c) {
  const std::string name = BackendName(c.execution());
  if (!IsLinkable(name)) return absl::OkStatus();
  return CheckTraceable(c, absl::StrCat("--backend=", name));
}

MatmulPrecision RoundingOf(const Execution& execution, DeviceType device) {
  if (execution.matmul_precision() <= HIGHEST) return HIGHEST;
  if (device == CUDA) return HIGH;
  return execution.matmul_precision() == MEDIUM ? MEDIUM : HIGHEST;
}

absl::Status CheckAutocast(const BenchmarkCase& c) {
  const Dtype autocast = c.execution().autocast();
  if (autocast == DTYPE_UNSPECIFIED || c.dtype() == FP32) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--autocast=", absl::AsciiStrToLower(Dtype_Name(autocast)), ": the case is ",
                   absl::AsciiStrToLower(Dtype_Name(c.dtype())), "; autocast takes fp32 cases"));
}

absl::Status CheckLowering(const BenchmarkCase& c) {
  const std::string& lowering = c.execution().lowering();
  if (lowering.empty()) return absl::OkStatus();
  std::string problem;
  const lowerings::Row* const row = lowerings::Find(lowering);
  if (row == nullptr) {
    problem = absl::StrCat("one of ", lowerings::Names());
  } else if (const std::string_view why = KindOf(c).why_not_lowered; !why.empty()) {
    problem = std::string(why);
  } else if (!row->dtypes.empty() &&
             !absl::StrContains(row->dtypes, absl::AsciiStrToLower(Dtype_Name(c.dtype())))) {
    problem = absl::StrCat("it takes cases of ", row->dtypes);
  } else if (lowering != lowerings::kMergedBranches &&
             c.execution().autocast() != DTYPE_UNSPECIFIED) {
    problem = "it takes no --autocast";
  }
  if (problem.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("--lowering=", lowering, ": ", problem));
}

}  // namespace assay
