#include "benchmarks/harness/runner/exporting.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/seeded_model.h"
#include "benchmarks/harness/numerics/dtype.h"
#include "benchmarks/harness/numerics/reference_writer.h"
#include "benchmarks/harness/numerics/tensor_files/safetensors_torch.h"

namespace assay::runner {
namespace {

absl::Status ExportState(models::Model& model, const std::string& path) {
  std::vector<numerics::StoredTensor> tensors;
  for (const models::NamedTensor& entry : model.State())
    tensors.push_back({entry.name, entry.tensor});
  return numerics::WriteTensors(path, tensors, {});
}

absl::Status ExportInputs(const ResolvedCase& c, const std::string& path) {
  Workload unrounded = c.verified();
  for (TensorSpec& input : *unrounded.mutable_inputs()) {
    if (numerics::IsFloatingPoint(input.dtype())) input.set_dtype(FP32);
  }
  const absl::StatusOr<std::vector<at::Tensor>> inputs =
      execution::SeededInputs(unrounded, FP32, c.benchmark_case().seed(), at::kCPU);
  if (!inputs.ok()) return inputs.status();
  std::vector<numerics::StoredTensor> tensors;
  for (size_t i = 0; i < inputs->size(); ++i)
    tensors.push_back({c.verified().inputs(static_cast<int>(i)).name(), (*inputs)[i]});
  return numerics::WriteTensors(path, tensors, {});
}

// Inputs rounded to the case's dtype, then widened.
absl::StatusOr<std::vector<at::Tensor>> RoundedInputs(const ResolvedCase& c) {
  const BenchmarkCase& b = c.benchmark_case();
  absl::StatusOr<std::vector<at::Tensor>> inputs =
      execution::SeededInputs(c.verified(), b.dtype(), b.seed(), at::kCPU);
  if (!inputs.ok()) return inputs;
  for (at::Tensor& input : *inputs) {
    if (input.is_floating_point()) input = input.to(at::kDouble);
  }
  return inputs;
}

absl::Status ExportReference(const ResolvedCase& c, models::Model& model, const std::string& path) {
  absl::Status status = execution::Move(model, at::kCPU, c.benchmark_case().dtype());
  if (status.ok()) status = execution::Move(model, at::kCPU, FP64);
  if (!status.ok()) return status;
  absl::StatusOr<std::vector<at::Tensor>> inputs = RoundedInputs(c);
  if (!inputs.ok()) return inputs.status();
  auto executable = execution::Prepare(EAGER, model, *std::move(inputs));
  if (!executable.ok()) return executable.status();
  const absl::StatusOr<std::vector<at::Tensor>> outputs = execution::CallOnce(**executable);
  if (!outputs.ok()) return outputs.status();
  if (static_cast<int>(outputs->size()) != c.verified().outputs_size()) {
    return absl::InternalError(absl::StrCat("the program returned ", outputs->size(),
                                            " outputs, the case specifies ",
                                            c.verified().outputs_size()));
  }
  std::vector<numerics::NamedOutput> named;
  for (int i = 0; i < c.verified().outputs_size(); ++i)
    named.push_back({c.verified().outputs(i).name(), outputs->at(i)});
  return numerics::WriteReference(path, named, {{"provenance", "this suite's own C++, float64"}})
      .status();
}

}  // namespace

absl::Status Export(const ResolvedCase& c, const ExportPaths& paths) {
  absl::StatusOr<std::unique_ptr<models::Model>> model =
      execution::SeededModel(c.implementation(), c.verified(), c.benchmark_case().seed());
  if (!model.ok()) return model.status();
  absl::Status status;
  if (!paths.state.empty()) status = ExportState(**model, paths.state);
  if (status.ok() && !paths.inputs.empty()) status = ExportInputs(c, paths.inputs);
  // Last: it changes the model's dtype.
  if (status.ok() && !paths.reference.empty())
    status = ExportReference(c, **model, paths.reference);
  return status;
}

}  // namespace assay::runner
