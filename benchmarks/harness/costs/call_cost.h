#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_CALL_COST_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_CALL_COST_H_

// ---------------------------------------------------------------------------------------------
// call_cost.h: the cost of one call: its operations (flop_count.h), bytes and operators
// (byte_count.h), all counted in one call, and the kernels that scaled_dot_product_attention chose
// in it.
//
// Results count as written only if they still exist when the call is over: keep them outside of the
// lambda.
//
// Example:
//   std::vector<at::Tensor> outputs;
//   absl::StatusOr<CallCost> cost =
//       CountCost([&] { outputs = model.Forward(inputs); return absl::OkStatus(); });
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace assay::costs {

// 0: unknown, or none.
struct CallCost {
  double flops = 0;
  bool flops_known = false;  // whether 0 means none
  double padding_flops = 0;  // of flops
  double bytes = 0;
  int32_t operators = 0;  // that read or write memory
  // Each once, in the order of their first calls: "flash", "efficient", "cudnn", "math".
  std::vector<std::string> attention_kernels = {};
};

// Errors: those of `call`.
absl::StatusOr<CallCost> CountCost(absl::FunctionRef<absl::Status()> call);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_CALL_COST_H_
