#include "benchmarks/harness/execution/seeded_executable.h"

#include <utility>
#include <vector>

#include "benchmarks/harness/execution/seeded_model.h"

namespace assay::execution {

absl::StatusOr<std::unique_ptr<Executable>> PrepareSeeded(const BenchmarkCase& benchmark_case,
                                                          const Workload& workload,
                                                          models::Model& model, at::Device device) {
  absl::StatusOr<std::vector<at::Tensor>> inputs =
      SeededInputs(workload, benchmark_case.dtype(), benchmark_case.seed(), device);
  if (!inputs.ok()) return inputs.status();
  return Prepare(benchmark_case.backend(), model, *std::move(inputs));
}

}  // namespace assay::execution
