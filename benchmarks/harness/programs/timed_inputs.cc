#include "benchmarks/harness/programs/timed_inputs.h"

#include <ATen/ops/isfinite.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/fingerprint.h"
#include "benchmarks/harness/programs/seeded_program.h"

namespace assay::execution {

Tensors TimedAsGiven(TensorsRef given) {
  Tensors as_given;
  for (const at::Tensor& input : given) {
    const bool seeded = input.is_floating_point() && at::isfinite(input).all().item<bool>();
    as_given.push_back(seeded ? at::Tensor() : input);
  }
  return as_given;
}

absl::StatusOr<Tensors> TimedInputs(const Workload& workload, const BenchmarkCase& b,
                                    at::Device device, TensorsRef as_given, int set) {
  absl::StatusOr<Tensors> inputs =
      SeededInputs(workload, b.dtype(), b.seed(), device, b.seed() + static_cast<uint64_t>(set));
  if (!inputs.ok()) return inputs.status();
  const absl::Status copied = base::CatchTorch("copying the given inputs", [&] {
    for (size_t i = 0; i < as_given.size(); ++i) {
      if (as_given[i].defined())
        inputs->at(i) = as_given[i].to(device, /*non_blocking=*/false, /*copy=*/true);
    }
  });
  if (!copied.ok()) return copied;
  return inputs;
}

absl::StatusOr<std::vector<Tensors>> TimedInputSets(const Workload& workload,
                                                    const BenchmarkCase& b, at::Device device,
                                                    TensorsRef as_given, int count) {
  if (workload.inputs().empty()) count = 1;
  std::vector<Tensors> sets;
  uint64_t first = 0;
  for (int set = 0; set < count; ++set) {
    absl::StatusOr<Tensors> inputs = TimedInputs(workload, b, device, as_given, set);
    if (!inputs.ok()) return inputs.status();
    if (!as_given.empty()) {
      uint64_t digest = 0;
      const absl::Status read =
          base::CatchTorch("reading the inputs", [&] { digest = numerics::Fingerprint(*inputs); });
      if (!read.ok()) return read;
      if (set == 0) first = digest;
      if (set > 0 && digest == first) continue;
    }
    sets.push_back(*std::move(inputs));
  }
  return sets;
}

}  // namespace assay::execution
