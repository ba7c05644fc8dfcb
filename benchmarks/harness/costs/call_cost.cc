#include "benchmarks/harness/costs/call_cost.h"

#include <ATen/record_function.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/costs/byte_count.h"
#include "benchmarks/harness/costs/flop_count.h"
#include "benchmarks/harness/costs/operator_watch.h"

namespace assay::costs {
namespace {

// Of the call that this thread counts, or null.
thread_local std::vector<std::string>* attention_kernels = nullptr;

// _scaled_dot_product_{flash,efficient,cudnn}_attention[_for_cpu], _scaled_dot_product_attention_math.
std::unique_ptr<at::ObserverContext> OnAttention(const at::RecordFunction& function) {
  std::string_view name = function.name();
  if (attention_kernels == nullptr || !absl::ConsumePrefix(&name, "aten::_scaled_dot_product_"))
    return nullptr;
  const bool plain = absl::ConsumePrefix(&name, "attention_");
  const std::string kernel(plain ? name : name.substr(0, name.find('_')));
  if (!absl::c_linear_search(*attention_kernels, kernel)) attention_kernels->push_back(kernel);
  return nullptr;
}

}  // namespace

absl::StatusOr<CallCost> CountCost(absl::FunctionRef<absl::Status()> call) {
  absl::StatusOr<std::optional<FlopCount>> counted;
  CallCost cost;
  attention_kernels = &cost.attention_kernels;
  const OperatorWatch watch{at::RecordFunctionCallback(OnAttention)};
  const absl::StatusOr<ByteCount> moved = CountBytes([&] {
    counted = CountFlops(call);
    return counted.status();
  });
  attention_kernels = nullptr;
  if (!moved.ok()) return moved.status();
  const FlopCount flops = counted->value_or(FlopCount());
  cost.flops = flops.all;
  cost.flops_known = counted->has_value();
  cost.padding_flops = flops.padding;
  cost.bytes = static_cast<double>(moved->bytes.value_or(0));
  cost.operators = moved->operators;
  return cost;
}

}  // namespace assay::costs
