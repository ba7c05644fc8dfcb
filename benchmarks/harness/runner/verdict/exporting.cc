#include "benchmarks/harness/runner/verdict/exporting.h"

#include <google/protobuf/util/json_util.h>

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/numerics/reference_writer.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/layer_export.h"
#include "benchmarks/harness/runner/verdict/mistake.h"
#include "benchmarks/harness/runner/verdict/operator_truth.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "defs/case/execution_names.h"

namespace assay::runner {
namespace {

absl::Status ExportState(execution::Program& program, const std::string& path) {
  std::vector<tensor_files::StoredTensor> tensors;
  for (const models::NamedTensor& entry : program.State())
    tensors.push_back({entry.name, entry.tensor});
  return tensor_files::WriteTensors(path, tensors, {});
}

absl::Status ExportInputs(const Workload& workload, uint64_t seed, const std::string& path) {
  Workload unrounded = workload;
  for (TensorSpec& input : *unrounded.mutable_inputs()) {
    if (base::IsFloatingPoint(input.dtype())) input.set_dtype(FP32);
  }
  const absl::StatusOr<std::vector<at::Tensor>> inputs =
      execution::SeededInputs(unrounded, FP32, seed, at::kCPU);
  if (!inputs.ok()) return inputs.status();
  std::vector<tensor_files::StoredTensor> tensors;
  for (size_t i = 0; i < inputs->size(); ++i)
    tensors.push_back({workload.inputs(static_cast<int>(i)).name(), (*inputs)[i]});
  return tensor_files::WriteTensors(path, tensors, {});
}

// Rounds the inputs to the case's dtype, then widens them to float64.
absl::StatusOr<std::vector<at::Tensor>> RoundedInputs(const ResolvedCase& c) {
  const BenchmarkCase& b = c.benchmark_case();
  absl::StatusOr<std::vector<at::Tensor>> inputs =
      execution::SeededInputs(c.referenced(), b.dtype(), b.seed(), at::kCPU);
  if (!inputs.ok()) return inputs;
  if (absl::Status cast = ToFloat64(*inputs); !cast.ok()) return cast;
  return inputs;
}

// Rounds the weights to the case's dtype, then widens them to float64.
absl::Status RoundState(execution::Program& program, Dtype dtype) {
  absl::Status status = execution::Move(program, at::kCPU, dtype);
  if (status.ok()) status = execution::Move(program, at::kCPU, FP64);
  return status;
}

absl::Status ExportReference(const ResolvedCase& c, execution::Program& program,
                             const std::string& path) {
  const execution::OwnKernels own;  // nothing that is tested may make its own reference
  if (!own.status().ok()) return own.status();
  const absl::Status rounded = RoundState(program, c.benchmark_case().dtype());
  if (!rounded.ok()) return rounded;
  absl::StatusOr<std::vector<at::Tensor>> inputs = RoundedInputs(c);
  if (!inputs.ok()) return inputs.status();
  // Uses the default execution, whatever the case's is: one reference serves them all.
  const auto executable = execution::LoadEager(Execution(), program);
  const absl::StatusOr<std::vector<at::Tensor>> outputs =
      execution::OutputsOf(*executable, *std::move(inputs));
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

absl::Status ExportModule(const ResolvedCase& c, execution::Program& program,
                          const std::string& path) {
  const BenchmarkCase& b = c.benchmark_case();
  absl::Status status = execution::Place(program, at::kCPU, b, c.referenced());
  if (!status.ok()) return status;
  const absl::StatusOr<std::vector<at::Tensor>> inputs =
      execution::SeededInputs(c.verified(), b.dtype(), b.seed(), at::kCPU);
  if (!inputs.ok()) return inputs.status();
  std::vector<std::string> names;
  for (const TensorSpec& input : c.verified().inputs()) names.push_back(input.name());
  const absl::StatusOr<const execution::Backend*> backend =
      execution::FindBackend(TracedExecution());
  if (!backend.ok()) return UsageError(backend.status().message());
  absl::StatusOr<std::string> bytes;
  status = base::CatchTorch("tracing the forward pass",
                            [&] { bytes = (*backend)->Module(program, *inputs, names); });
  if (status.ok()) status = bytes.status();
  return status.ok() ? tensor_files::WriteFileAtomically(path, *bytes) : status;
}

absl::Status ExportCase(const ResolvedCase& c, const std::string& path) {
  Registry registry;
  *registry.add_cases() = c;
  std::string json;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  if (!google::protobuf::util::MessageToJsonString(registry, &json, options).ok())
    return absl::InternalError("the case cannot be written as JSON");
  return tensor_files::WriteFileAtomically(path, json);
}

absl::Status ExportLayered(const ResolvedCase& c, execution::Program& program,
                           const std::string& mistake, const std::string& folder) {
  absl::Status status = ExportCase(c, folder + "/case.json");
  if (status.ok()) status = ExportState(program, folder + "/state.safetensors");
  if (status.ok())
    status =
        ExportInputs(c.referenced(), c.benchmark_case().seed(), folder + "/inputs.safetensors");
  if (status.ok()) status = MakeMistake(program, mistake);
  if (status.ok()) status = RoundState(program, c.benchmark_case().dtype());
  if (!status.ok()) return status;
  absl::StatusOr<std::vector<at::Tensor>> inputs = RoundedInputs(c);
  return inputs.ok() ? ExportLayers(c, program, *std::move(inputs), folder) : inputs.status();
}

}  // namespace

Execution TracedExecution() {
  Execution execution;
  execution.set_backend(std::string(kTorchScript));
  return execution;
}

absl::Status Export(const ResolvedCase& c, const ExportPaths& paths) {
  absl::Status status;
  if (!paths.module.empty()) status = CheckTraceable(c.benchmark_case(), "--export-module");
  if (!status.ok()) return UsageError(status.message());
  if (!paths.inputs.empty())
    status = ExportInputs(paths.referenced_rows ? c.referenced() : c.verified(),
                          c.benchmark_case().seed(), paths.inputs);
  if (status.ok() && !paths.resolved.empty()) {
    ResolvedCase verified = c;
    *verified.mutable_referenced() = c.verified();
    status = ExportCase(verified, paths.resolved);
  }
  // A program that is a file cannot be made of the case.
  if (!status.ok() || paths.only_inputs()) return status;
  absl::StatusOr<std::unique_ptr<execution::Program>> program =
      execution::SeededProgram(c, c.referenced());
  if (!program.ok()) return program.status();
  if (!paths.state.empty()) status = ExportState(**program, paths.state);
  // These come last, because they change the state's dtype.
  if (status.ok() && !paths.reference.empty())
    status = ExportReference(c, **program, paths.reference);
  if (status.ok() && !paths.module.empty()) status = ExportModule(c, **program, paths.module);
  if (status.ok() && !paths.layers.empty())
    status = ExportLayered(c, **program, paths.mistake, paths.layers);
  return status;
}

}  // namespace assay::runner
