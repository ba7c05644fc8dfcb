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
//   AddCost(*cost, measurement);
// ---------------------------------------------------------------------------------------------

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"

namespace assay::costs {

struct CallCost {
  // The fields of a record that are figures of one call, and no others; 0: unknown, or none. A new figure is a field of
  // record.proto, and CountCost() sets it. Kernels of attention stand once each, in the order of their first calls.
  Measurement figures;
  bool flops_known = false;  // whether 0 means none
};

// Errors: those of `call`.
absl::StatusOr<CallCost> CountCost(absl::FunctionRef<absl::Status()> call);

// Enters the figures into the measurement of such calls, which must have none of them yet.
void AddCost(const CallCost& cost, Measurement& measurement);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_CALL_COST_H_
