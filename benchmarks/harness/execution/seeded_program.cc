#include "benchmarks/harness/execution/seeded_program.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/generation_program.h"
#include "benchmarks/harness/execution/model_program.h"
#include "benchmarks/harness/execution/operator_program.h"
#include "benchmarks/harness/execution/training_program.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "defs/dimensions.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::execution {
namespace {

models::Parameters::Value ParameterOf(const ParameterValue& value) {
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

absl::StatusOr<std::unique_ptr<Program>> NewModelProgram(const ResolvedCase& c,
                                                         const Workload& workload) {
  absl::StatusOr<std::unique_ptr<models::Model>> model = NewModel(c, workload);
  if (!model.ok()) return model.status();
  switch (c.benchmark_case().mode()) {
    case TRAIN:
      return TrainingProgram::Make(*std::move(model), c);
    case GENERATE:
      return GenerationProgram::Make(*std::move(model), c);
    default:
      return std::make_unique<ModelProgram>(*std::move(model), c.model().image_preset());
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<models::Model>> NewModel(const ResolvedCase& c,
                                                        const Workload& workload) {
  models::Parameters parameters;
  for (const auto& [name, value] : workload.parameters()) parameters.Set(name, ParameterOf(value));
  return models::Create(c.implementation().name(), parameters);
}

absl::StatusOr<std::unique_ptr<Program>> NewProgram(const ResolvedCase& c,
                                                    const Workload& workload) {
  absl::StatusOr<std::unique_ptr<Program>> program;
  const absl::Status caught = base::CatchTorch("building the program", [&] {
    const BenchmarkCase& b = c.benchmark_case();
    program = b.has_operator_call() ? OperatorProgram::Make(b.operator_call())
                                    : NewModelProgram(c, workload);
  });
  if (!caught.ok()) return caught;
  return program;
}

absl::StatusOr<std::unique_ptr<Program>> SeededProgram(const ResolvedCase& c,
                                                       const Workload& workload, Dtype dtype) {
  absl::StatusOr<std::unique_ptr<Program>> program = NewProgram(c, workload);
  if (!program.ok()) return program;
  if (absl::Status moved = Move(**program, at::kCPU, dtype); !moved.ok()) return moved;
  for (models::NamedTensor& entry : (*program)->State()) {
    if (!entry.NeedsFilling()) continue;
    const absl::Status filled =
        numerics::Fill(entry.tensor, c.benchmark_case().seed(), entry.name, entry.init);
    if (!filled.ok()) return filled;
  }
  return program;
}

absl::StatusOr<Tensors> SeededInputs(const Workload& workload, Dtype dtype, uint64_t seed,
                                     at::Device device, std::optional<uint64_t> other_seed) {
  Tensors inputs;
  for (const TensorSpec& spec : workload.inputs()) {
    const uint64_t own_seed = DescribesBags(workload, spec) ? seed : other_seed.value_or(seed);
    absl::StatusOr<at::Tensor> input = numerics::MakeInput(spec, dtype, own_seed);
    if (!input.ok()) return input.status();
    const absl::Status moved = base::CatchTorch(absl::StrCat("moving input \"", spec.name(), "\""),
                                                [&] { inputs.push_back(input->to(device)); });
    if (!moved.ok()) return moved;
  }
  return inputs;
}

absl::Status Move(Program& program, at::Device device, Dtype dtype) {
  return base::CatchTorch("moving the program's state to its device and dtype",
                          [&] { program.To(device, base::ToScalarType(dtype)); });
}

absl::Status Place(Program& program, at::Device device, const BenchmarkCase& c) {
  const std::string& lowering = c.execution().lowering();
  if (absl::Status moved = Move(program, device, c.dtype()); !moved.ok() || lowering.empty()) {
    return moved;
  }
  absl::Status lowered;
  const absl::Status caught = base::CatchTorch(absl::StrCat("lowering the model to ", lowering),
                                               [&] { lowered = program.Lower(lowering); });
  if (!caught.ok()) return caught;
  if (lowered.ok()) return lowered;
  return absl::InvalidArgumentError(absl::StrCat("--lowering=", lowering, ": ", lowered.message()));
}

}  // namespace assay::execution
