#include "benchmarks/harness/runner/as_called.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"

namespace assay::runner {
namespace {

// Puts `batch` where a shape says "batch".
template <typename Spec, typename Resolved>
void SetBatch(const Spec& spec, int64_t batch, Resolved& resolved) {
  for (int d = 0; d < spec.shape_size() && d < resolved.shape_size(); ++d) {
    if (spec.shape(d) == "batch") resolved.set_shape(d, batch);
  }
}

void SetBatch(const ResolvedCase& c, int64_t batch, Workload& workload) {
  workload.set_batch(batch);
  const bool is_operator = c.benchmark_case().has_operator_call();
  auto specs =
      is_operator ? c.benchmark_case().operator_call().inputs() : c.implementation().inputs();
  if (!is_operator) specs.MergeFrom(c.implementation().targets());
  for (int i = 0; i < workload.inputs_size(); ++i)
    SetBatch(specs.at(i), batch, *workload.mutable_inputs(i));
  for (ExpectedOutput& output : *workload.mutable_outputs()) {
    if (output.batched() && output.shape_size() > 0) output.set_shape(0, batch);
  }
}

absl::Status ChangeBatch(const CallFlags& flags, bool compared, ResolvedCase& c) {
  if (!flags.batch) return absl::OkStatus();
  if (c.benchmark_case().mode() == TRAIN && compared && *flags.batch != c.measured().batch()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--batch=", *flags.batch,
        ": a training step depends on every row, so the reference, of batch ", c.measured().batch(),
        ", says nothing about it; add --verify=off to measure without comparing"));
  }
  SetBatch(c, *flags.batch, *c.mutable_measured());
  // At the very batch that is timed; what the reference has not is left out of the comparison.
  SetBatch(c, *flags.batch, *c.mutable_verified());
  c.mutable_benchmark_case()->set_batch(*flags.batch);
  return absl::OkStatus();
}

absl::Status ChangeLimits(bool compared, ResolvedCase& c) {
  BenchmarkCase& b = *c.mutable_benchmark_case();
  const Dtype autocast = b.execution().autocast();
  if (autocast == DTYPE_UNSPECIFIED) return absl::OkStatus();
  for (const DtypeLimits& limits : c.autocast_limits()) {
    if (limits.dtype() != autocast) continue;
    *b.mutable_verify() = limits.verify();
    return absl::OkStatus();
  }
  if (!compared) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("--autocast=", base::DtypeName(autocast), ": there are no limits for a ",
                   base::DtypeName(b.dtype()), " case under it; autocast takes fp32 cases"));
}

}  // namespace

absl::StatusOr<ResolvedCase> AsCalled(const ResolvedCase& c, const CallFlags& flags,
                                      bool compared) {
  ResolvedCase called = c;
  Execution& execution = *called.mutable_benchmark_case()->mutable_execution();
  if (flags.memory_format) execution.set_memory_format(*flags.memory_format);
  if (flags.autocast) execution.set_autocast(*flags.autocast);
  if (flags.matmul_precision) execution.set_matmul_precision(*flags.matmul_precision);
  if (flags.deterministic) execution.set_deterministic(*flags.deterministic);
  if (absl::Status status = ChangeLimits(compared, called); !status.ok()) return status;
  if (absl::Status status = ChangeBatch(flags, compared, called); !status.ok()) return status;
  return called;
}

}  // namespace assay::runner
