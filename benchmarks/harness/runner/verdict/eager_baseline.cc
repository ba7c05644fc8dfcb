#include "benchmarks/harness/runner/verdict/eager_baseline.h"

#include <algorithm>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "defs/case/execution_names.h"

namespace assay::runner {

bool IsPlain(const Execution& e) {
  return BackendName(e) == "eager" && e.lowering().empty() && e.memory_format() <= CONTIGUOUS &&
         e.autocast() == DTYPE_UNSPECIFIED && e.matmul_precision() <= HIGHEST && !e.no_grad() &&
         e.accumulation() <= 1 && !e.grad_scaler() && execution::KernelsOverAten().empty();
}

bool RulesNeedPlain(const ResolvedCase& resolved) {
  const BenchmarkCase& c = resolved.benchmark_case();
  const auto& outputs = resolved.verified().outputs();
  return !IsPlain(c.execution()) &&
         (c.verify().rule() == DYNAMO_SAME ||
          std::any_of(outputs.begin(), outputs.end(),
                      [](const ExpectedOutput& output) { return output.rule() == DYNAMO_SAME; }));
}

absl::StatusOr<execution::Tensors> PlainOutputs(const Execution& execution,
                                                execution::Program& program,
                                                const execution::Tensors& inputs) {
  const execution::OwnKernels own;
  if (!own.status().ok()) return Ended(ARTIFACT_UNAVAILABLE, own.status().message());
  Execution plain;
  plain.set_threads(execution.threads());
  plain.set_deterministic(execution.deterministic());
  const std::unique_ptr<execution::Executable> executable = execution::LoadEager(plain, program);
  execution::ApplyToProcess(plain);
  absl::StatusOr<execution::Tensors> outputs = execution::OutputsOf(*executable, inputs);
  execution::ApplyToProcess(execution);
  if (outputs.ok()) return outputs;
  return absl::Status(outputs.status().code(),
                      absl::StrCat("the plain eager baseline: ", outputs.status().message()));
}

}  // namespace assay::runner
