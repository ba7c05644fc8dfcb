#include "benchmarks/harness/runner/verdict/layer_export.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/costs/layer_trace.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/tensor_files/safetensors_torch.h"
#include "defs/case/case_steps.h"
#include "defs/case/program_kinds.h"

namespace assay::runner {
namespace {

using tensor_files::StoredTensor;

// Writes each call into a file of its own: together the calls may be larger than memory.
class CallFiles {
 public:
  explicit CallFiles(std::string folder) : folder_(std::move(folder)) {}

  absl::Status Write(const costs::LayerCall& call) {
    std::vector<StoredTensor> tensors = {{"output", call.output}};
    for (size_t i = 0; i < call.inputs.size(); ++i)
      tensors.push_back({absl::StrCat("input.", i), call.inputs[i]});
    return tensor_files::WriteTensors(
        absl::StrCat(folder_, "/", written_++, ".safetensors"), tensors,
        {{"layer", call.layer}, {"number", absl::StrCat(call.number)}});
  }

 private:
  const std::string folder_;
  int64_t written_ = 0;
};

// Finds the place of a training step's output, by its name, among the case's outputs.
absl::StatusOr<size_t> PlaceOfOutput(const Workload& referenced, std::string_view name) {
  const auto& outputs = referenced.outputs();
  const auto found =
      std::find_if(outputs.begin(), outputs.end(),
                   [&](const ExpectedOutput& output) { return output.name() == name; });
  if (found != outputs.end()) return static_cast<size_t>(found - outputs.begin());
  return absl::InternalError(absl::StrCat("the case has no output ", name));
}

// Appends loss and gradients of the first step, and then restores the program's state.
absl::Status AppendFirstStep(const ResolvedCase& c, execution::Program& program,
                             execution::Executable& executable,
                             std::vector<StoredTensor>& results) {
  const absl::StatusOr<execution::Tensors> outputs = execution::OutputsOf(executable);
  if (!outputs.ok()) return outputs.status();
  const absl::StatusOr<size_t> loss = PlaceOfOutput(c.referenced(), "step1.loss");
  const absl::StatusOr<size_t> gradients = PlaceOfOutput(c.referenced(), "step1.gradients");
  if (!loss.ok()) return loss.status();
  if (!gradients.ok()) return gradients.status();
  results.push_back({"loss", outputs->at(*loss)});
  int64_t first = 0;
  for (const models::NamedTensor& entry : program.State()) {
    if (!entry.trainable) continue;
    const int64_t count = entry.tensor.numel();
    results.push_back({absl::StrCat("gradient.", entry.name),
                       outputs->at(*gradients).narrow(0, first, count).view(entry.tensor.sizes())});
    first += count;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ExportLayers(const ResolvedCase& c, execution::Program& program,
                          execution::Tensors inputs, const std::string& folder) {
  const auto executable = execution::LoadEager(c.benchmark_case().execution(), program);
  executable->SetInputs(std::move(inputs));
  std::vector<StoredTensor> results;
  const bool trains = KindOf(c).trains;
  if (trains) {
    if (absl::Status step = AppendFirstStep(c, program, *executable, results); !step.ok())
      return step;
  }
  const std::string calls = absl::StrCat(folder, "/calls");
  std::error_code error;
  std::filesystem::create_directories(calls, error);
  if (error) return absl::UnavailableError(absl::StrCat(calls, ": ", error.message()));
  CallFiles files(calls);
  execution::Tensors outputs;
  const absl::Status traced = costs::TraceLayers(
      program.State(), executable->Inputs(),
      [&] {
        return base::CatchTorch("running the program",
                                [&] { outputs = executable->Call(steps::kForward); });
      },
      [&files](const costs::LayerCall& call) { return files.Write(call); });
  if (!traced.ok()) return traced;
  if (static_cast<int>(outputs.size()) < c.implementation().outputs_size()) {
    return absl::InternalError(absl::StrCat("the program returned ", outputs.size(),
                                            " outputs, the case specifies ",
                                            c.implementation().outputs_size()));
  }
  for (int i = 0; i < c.implementation().outputs_size(); ++i) {
    results.push_back({absl::StrCat("output.", c.implementation().outputs(i).name()),
                       outputs.at(static_cast<size_t>(i)).detach()});
  }
  for (const models::NamedTensor& entry : program.State()) {
    if (trains && !entry.trainable && !entry.alias)
      results.push_back({absl::StrCat("buffer.", entry.name), entry.tensor});
  }
  return tensor_files::WriteTensors(absl::StrCat(folder, "/results.safetensors"), results, {});
}

}  // namespace assay::runner
