#include "benchmarks/harness/costs/call_cost.h"

#include <ATen/record_function.h>
#include <google/protobuf/repeated_field.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/costs/byte_count.h"
#include "benchmarks/harness/costs/flop_count.h"
#include "benchmarks/harness/costs/operator_watch.h"

namespace assay::costs {
namespace {

// The kernels of the call that this thread counts, or null.
thread_local google::protobuf::RepeatedPtrField<std::string>* attention_kernels = nullptr;

// _scaled_dot_product_{flash,efficient,cudnn}_attention[_for_cpu], _scaled_dot_product_attention_math.
std::unique_ptr<at::ObserverContext> OnAttention(const at::RecordFunction& function) {
  std::string_view name = function.name();
  if (attention_kernels == nullptr || !absl::ConsumePrefix(&name, "aten::_scaled_dot_product_"))
    return nullptr;
  const bool plain = absl::ConsumePrefix(&name, "attention_");
  const std::string kernel(plain ? name : name.substr(0, name.find('_')));
  if (!absl::c_linear_search(*attention_kernels, kernel)) attention_kernels->Add()->assign(kernel);
  return nullptr;
}

}  // namespace

absl::StatusOr<CallCost> CountCost(absl::FunctionRef<absl::Status()> call) {
  absl::StatusOr<std::optional<FlopCount>> counted;
  CallCost cost;
  Measurement& figures = cost.figures;
  attention_kernels = figures.mutable_attention_kernels();
  const OperatorWatch watch{at::RecordFunctionCallback(OnAttention)};
  const absl::StatusOr<ByteCount> moved = CountBytes([&] {
    counted = CountFlops(call);
    return counted.status();
  });
  attention_kernels = nullptr;
  if (!moved.ok()) return moved.status();
  const FlopCount flops = counted->value_or(FlopCount());
  cost.flops_known = counted->has_value();
  figures.set_flops_per_call(flops.all);
  figures.set_padding_flops_per_call(flops.padding);
  figures.set_bytes_per_call(static_cast<double>(moved->bytes.value_or(0)));
  figures.set_operators_per_call(moved->operators);
  return cost;
}

void AddCost(const CallCost& cost, Measurement& measurement) {
  measurement.MergeFrom(cost.figures);
}

}  // namespace assay::costs
