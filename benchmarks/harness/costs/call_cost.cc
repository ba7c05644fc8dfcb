#include "benchmarks/harness/costs/call_cost.h"

#include <cstdint>
#include <optional>

#include "benchmarks/harness/costs/byte_count.h"
#include "benchmarks/harness/costs/flop_count.h"

namespace assay::costs {

absl::StatusOr<CallCost> CountCost(absl::FunctionRef<absl::Status()> call) {
  absl::StatusOr<std::optional<FlopCount>> counted;
  const absl::StatusOr<std::optional<int64_t>> bytes = CountBytes([&] {
    counted = CountFlops(call);
    return counted.status();
  });
  if (!bytes.ok()) return bytes.status();
  const FlopCount flops = counted->value_or(FlopCount());
  return CallCost{.flops = flops.all,
                  .padding_flops = flops.padding,
                  .bytes = static_cast<double>(bytes->value_or(0))};
}

}  // namespace assay::costs
