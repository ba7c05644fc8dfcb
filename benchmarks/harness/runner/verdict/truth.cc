#include "benchmarks/harness/runner/verdict/truth.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/compared_rows.h"
#include "benchmarks/harness/runner/verdict/operator_truth.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "defs/case/program_kinds.h"
#include "defs/case/training_steps.h"

namespace assay::runner {
namespace {

// Names of the outputs whose first dimension is the batch.
std::vector<std::string> BatchedOutputs(const Workload& verified) {
  std::vector<std::string> names;
  for (const ExpectedOutput& output : verified.outputs()) {
    if (output.batched()) names.push_back(output.name());
  }
  return names;
}

}  // namespace

absl::StatusOr<Truth> Truth::Of(const ResolvedCase& c, const std::string& reference_path) {
  if (KindOf(c).truth == TruthSource::kOwnFloat64) {
    absl::StatusOr<numerics::ReferenceOutputs> truth = OperatorTruth(c);
    if (truth.ok()) return Truth(c, c.referenced(), *std::move(truth));
    return Ended(OutcomeOf(truth.status()),
                 absl::StrCat("computing the truth: ", truth.status().message()));
  }
  if (c.reference().sha256().empty() || reference_path.empty()) {
    return Ended(ARTIFACT_UNAVAILABLE,
                 absl::StrCat("no row '", c.reference().key(),
                              "' in the package's lock.bzl; make it: tools/bazel run "
                              "//tools:generate_artifacts -- --filter='^",
                              c.reference().key(), "$'"));
  }
  absl::StatusOr<numerics::ReferenceOutputs> reference =
      numerics::ReadReference(reference_path, c.reference().sha256());
  if (!reference.ok())
    return Ended(numerics::ReferenceOutcome(reference.status()), reference.status().message());
  // A run may use one of a training case's optimizers; the reference has the outputs of all.
  auto& outputs = reference->outputs;
  outputs.erase(std::remove_if(outputs.begin(), outputs.end(),
                               [&](const numerics::ReferenceOutput& output) {
                                 return IsOfAnotherOptimizer(output.name,
                                                             c.benchmark_case().training());
                               }),
                outputs.end());
  return Truth(c, c.referenced(), *std::move(reference));
}

Truth Truth::Given(const ResolvedCase& c, execution::Tensors inputs,
                   numerics::ReferenceOutputs reference) {
  Truth truth(c, c.verified(), std::move(reference));
  truth.given_ = std::move(inputs);
  return truth;
}

absl::StatusOr<execution::Tensors> Truth::InputsOf(const Workload& workload,
                                                   at::Device device) const {
  const BenchmarkCase& b = case_->benchmark_case();
  if (given_.empty()) return execution::SeededInputs(workload, b.dtype(), b.seed(), device);
  execution::Tensors inputs;
  const absl::Status moved = base::CatchTorch("moving the inputs", [&] {
    for (const at::Tensor& input : given_) inputs.push_back(input.to(device));
  });
  if (!moved.ok()) return moved;
  return inputs;
}

// The reference was computed for the drawn rows.
absl::StatusOr<KnownCall> Truth::ForOperator(const Workload& workload, at::Device device) const {
  KnownCall call = {.reference = reference_, .compared_rows = known_->batch()};
  absl::StatusOr<execution::Tensors> inputs = InputsOf(workload, device);
  if (!inputs.ok()) return inputs.status();
  call.inputs = *std::move(inputs);
  if (known_->batch() < workload.batch())
    call.rows = DrawnRows(workload.batch(), known_->batch(), case_->benchmark_case().seed());
  return call;
}

absl::StatusOr<KnownCall> Truth::For(const Workload& workload, at::Device device) const {
  if (KindOf(*case_).truth == TruthSource::kOwnFloat64 && given_.empty())
    return ForOperator(workload, device);
  const int64_t batch = workload.batch();
  absl::StatusOr<execution::Tensors> inputs = InputsOf(*known_, device);
  if (!inputs.ok()) return inputs.status();
  KnownCall call = {.inputs = *std::move(inputs), .reference = reference_, .compared_rows = batch};
  if (batch == known_->batch()) return call;
  const std::vector<int64_t> rows =
      RepeatedRows(batch, std::min(batch, known_->batch()), case_->benchmark_case().seed());
  absl::StatusOr<numerics::ReferenceOutputs> reference =
      numerics::Rows(reference_, rows, BatchedOutputs(case_->verified()));
  if (!reference.ok())
    return Ended(numerics::ReferenceOutcome(reference.status()), reference.status().message());
  call.reference = *std::move(reference);
  const absl::Status repeated = base::CatchTorch("repeating rows of the inputs", [&] {
    call.inputs = RowsOfInputs(call.inputs, *known_, workload, rows);
  });
  if (!repeated.ok()) return repeated;
  return call;
}

google::protobuf::RepeatedPtrField<ExpectedOutput> ExpectedOf(
    const BenchmarkCase& c, const Workload& workload, const std::vector<at::Tensor>& outputs) {
  google::protobuf::RepeatedPtrField<ExpectedOutput> expected = workload.outputs();
  const Dtype autocast = c.execution().autocast();
  if (autocast == DTYPE_UNSPECIFIED) return expected;
  for (int i = 0; i < expected.size() && i < static_cast<int>(outputs.size()); ++i) {
    const at::Tensor& output = outputs[static_cast<size_t>(i)];
    if (output.defined() && expected.at(i).dtype() == c.dtype() &&
        base::FromScalarType(output.scalar_type()) == autocast)
      expected.at(i).set_dtype(autocast);
  }
  return expected;
}

}  // namespace assay::runner
