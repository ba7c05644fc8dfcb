#include "benchmarks/harness/execution/repeatability.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "defs/case/program_kinds.h"

namespace assay::execution {
namespace {

void Add(std::string_view reason, Repeatability& calls) {
  absl::StrAppend(&calls.reason, calls.MayDiffer() ? "; " : "", reason);
}

}  // namespace

bool Repeatability::MayDiffer(std::string_view output) const {
  return all_outputs || absl::c_linear_search(outputs, output);
}

Repeatability RepeatabilityOf(const BenchmarkCase& c, at::Device device) {
  Repeatability calls;
  if (c.execution().deterministic()) return calls;
  for (const Nondeterminism& declared : c.nondeterministic()) {
    if (declared.device() != (device.is_cpu() ? CPU : CUDA)) continue;
    Add(declared.reason(), calls);
    calls.all_outputs |= declared.outputs().empty();
    calls.outputs.insert(calls.outputs.end(), declared.outputs().begin(), declared.outputs().end());
  }
  if (const std::string_view why = KindOf(c).differs_on_cuda; !why.empty() && device.is_cuda()) {
    Add(why, calls);
    calls.all_outputs = true;
  }
  return calls;
}

}  // namespace assay::execution
