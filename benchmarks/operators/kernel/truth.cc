#include "benchmarks/operators/kernel/truth.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/square.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"

namespace assay::kernel {
namespace {

std::vector<at::Tensor> ResultsOf(const execution::BoundOperator& bound) {
  const at::NoGradGuard no_grad;
  c10::Stack stack = bound.arguments;
  bound.handle.callBoxed(stack);
  return execution::TensorsOf(stack);
}

OutputLimit LimitOfOutput(const SizedCall& call, const Truth& truth, size_t output) {
  if (!call.limits.empty()) {
    OutputLimit limit = call.limits[output];
    if (output < truth.least_units.size()) limit.least_unit = truth.least_units[output];
    return limit;
  }
  if (!truth.aten[output].is_floating_point()) return {.kind = OutputLimit::Kind::kEqual};
  return DefaultLimit(call.dtype);
}

SizedCall OfAbsoluteValues(SizedCall call) {
  for (auto& [name, tensor] : call.inputs) {
    if (tensor.is_floating_point()) tensor = tensor.abs();
  }
  return call;
}

std::vector<double> LeastUnits(const SizedCall& call, const std::string& name, const Truth& truth) {
  bool few = false;
  for (size_t i = 0; i < std::min(call.limits.size(), truth.exact.size()); ++i)
    few |= call.limits[i].kind == OutputLimit::Kind::kSpread && truth.exact[i].numel() > 0 &&
           truth.exact[i].numel() < kFewestElements;
  if (!few) return {};
  const absl::StatusOr<execution::BoundOperator> bound =
      Bind(name, OfAbsoluteValues(InFloat64(call)));
  if (!bound.ok()) return {};
  std::vector<double> units;
  for (const at::Tensor& result : ResultsOf(*bound)) {
    const bool counts = result.is_floating_point() && result.numel() < kFewestElements;
    const double unit = counts ? result.square().mean().sqrt().item<double>() : 0;
    units.push_back(std::isfinite(unit) ? unit : 0);
  }
  return units;
}

}  // namespace

absl::StatusOr<Truth> TruthOf(const SizedCall& call) {
  const execution::OwnKernels own;
  if (!own.status().ok()) return own.status();
  const std::string& like = call.row.call().name();
  const std::string& other = call.row.call().truth();
  const absl::StatusOr<execution::BoundOperator> plain = Bind(like, call);
  const absl::StatusOr<execution::BoundOperator> exact =
      Bind(other.empty() ? like : other, InFloat64(call));
  if (!plain.ok()) return plain.status();
  if (!exact.ok()) return exact.status();
  Truth truth;
  const absl::Status called = base::CatchTorch("ATen's own kernel", [&] {
    truth.aten = ResultsOf(*plain);
    truth.exact = ResultsOf(*exact);
    truth.least_units = LeastUnits(call, other.empty() ? like : other, truth);
  });
  if (!called.ok()) return called;
  return truth;
}

Difference CompareResults(const SizedCall& call, const std::vector<at::Tensor>& results,
                          const Truth& truth, bool usual) {
  const size_t compared = std::min(truth.exact.size(), truth.aten.size());
  if (results.size() < compared)
    return {"another number of results",
            absl::StrCat(results.size(), " tensors, ATen's ", compared)};
  Difference worst;
  for (size_t i = 0; i < compared; ++i) {
    // The row leaves some outputs out: indices of ties, statistics for backward.
    if (!call.limits.empty() && i >= call.limits.size()) break;
    const bool by_model = usual && !call.limits.empty();
    Difference difference =
        CompareElements(results[i], truth.exact[i], truth.aten[i].scalar_type(),
                        LimitOfOutput(call, truth, i), by_model ? nullptr : &truth.aten[i], 0xFF);
    if (!difference.kind.empty()) {
      if (compared > 1) absl::StrAppend(&difference.text, " (output ", i, ")");
      return difference;
    }
    worst.share = std::max(worst.share, difference.share);
    worst.absolute = std::max(worst.absolute, difference.absolute);
    worst.relative = std::max(worst.relative, difference.relative);
  }
  return worst;
}

}  // namespace assay::kernel
