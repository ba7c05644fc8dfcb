#include "benchmarks/harness/execution/seeded_model.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/numerics/dtype.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/harness/numerics/torch_status.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::execution {
namespace {

models::Parameters::Value ValueOf(const ParameterValue& value) {
  switch (value.value_case()) {
    case ParameterValue::kInteger:
      return value.integer();
    case ParameterValue::kReal:
      return value.real();
    case ParameterValue::kFlag:
      return value.flag();
    case ParameterValue::kText:
      return value.text();
    default:
      return std::vector<int64_t>(value.integers().values().begin(),
                                  value.integers().values().end());
  }
}

models::Parameters ParametersOf(const Workload& workload) {
  models::Parameters parameters;
  for (const auto& [name, value] : workload.parameters()) parameters.Set(name, ValueOf(value));
  return parameters;
}

}  // namespace

absl::StatusOr<std::unique_ptr<models::Model>> NewModel(const ModelImplementation& implementation,
                                                        const Workload& workload) {
  absl::StatusOr<std::unique_ptr<models::Model>> model;
  const absl::Status caught = numerics::CatchTorch("building the model", [&] {
    model = models::Create(implementation.name(), ParametersOf(workload));
  });
  if (!caught.ok()) return caught;
  return model;
}

absl::StatusOr<std::unique_ptr<models::Model>> SeededModel(
    const ModelImplementation& implementation, const Workload& workload, uint64_t seed) {
  absl::StatusOr<std::unique_ptr<models::Model>> model = NewModel(implementation, workload);
  if (!model.ok()) return model;
  for (models::NamedTensor& entry : (*model)->State()) {
    if (!entry.NeedsFilling()) continue;
    const absl::Status filled = numerics::Fill(entry.tensor, seed, entry.name, entry.init);
    if (!filled.ok()) return filled;
  }
  return model;
}

absl::StatusOr<std::vector<at::Tensor>> SeededInputs(const Workload& workload, Dtype dtype,
                                                     uint64_t seed, at::Device device) {
  std::vector<at::Tensor> inputs;
  for (const TensorSpec& spec : workload.inputs()) {
    absl::StatusOr<at::Tensor> input = numerics::MakeInput(spec, dtype, seed);
    if (!input.ok()) return input.status();
    const absl::Status moved =
        numerics::CatchTorch(absl::StrCat("moving input \"", spec.name(), "\""),
                             [&] { inputs.push_back(input->to(device)); });
    if (!moved.ok()) return moved;
  }
  return inputs;
}

absl::Status Move(models::Model& model, at::Device device, Dtype dtype) {
  return numerics::CatchTorch("moving the model to its device and dtype",
                              [&] { model.To(device, numerics::ToScalarType(dtype)); });
}

}  // namespace assay::execution
