#include "benchmarks/harness/execution/call_cost.h"

#include <cstdint>
#include <optional>

#include "benchmarks/harness/execution/byte_count.h"
#include "benchmarks/harness/execution/flop_count.h"

namespace assay::execution {

absl::StatusOr<CallCost> CountCost(absl::FunctionRef<absl::Status()> call) {
  absl::StatusOr<std::optional<double>> flops;
  const absl::StatusOr<std::optional<int64_t>> bytes = CountBytes([&] {
    flops = CountFlops(call);
    return flops.status();
  });
  if (!bytes.ok()) return bytes.status();
  return CallCost{.flops = flops->value_or(0), .bytes = static_cast<double>(bytes->value_or(0))};
}

}  // namespace assay::execution
