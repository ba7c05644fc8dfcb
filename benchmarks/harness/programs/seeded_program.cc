#include "benchmarks/harness/programs/seeded_program.h"

#include <c10/core/GradMode.h>

#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/harness/programs/generation_program.h"
#include "benchmarks/harness/programs/model_program.h"
#include "benchmarks/harness/programs/operator_program.h"
#include "benchmarks/harness/programs/training_program.h"
#include "defs/case/dimensions.h"
#include "defs/case/lowerings.h"
#include "defs/case/program_kinds.h"
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

using MadeProgram = absl::StatusOr<std::unique_ptr<Program>>;

MadeProgram MakeForward(const ResolvedCase& c, const Workload& workload) {
  auto model = NewModel(c.implementation(), workload);
  if (!model.ok()) return model.status();
  return std::make_unique<ModelProgram>(*std::move(model), c.model().image_preset());
}

MadeProgram MakeTraining(const ResolvedCase& c, const Workload& workload) {
  auto model = NewModel(c.implementation(), workload);
  if (!model.ok()) return model.status();
  return TrainingProgram::Make(*std::move(model), c.implementation(), c.benchmark_case());
}

MadeProgram MakeGeneration(const ResolvedCase& c, const Workload& workload) {
  auto model = NewModel(c.implementation(), workload);
  if (!model.ok()) return model.status();
  return GenerationProgram::Make(*std::move(model), c.implementation(), workload,
                                 c.benchmark_case().generation());
}

MadeProgram MakeOperator(const ResolvedCase& c, const Workload& /*workload*/) {
  return OperatorProgram::Make(c.benchmark_case().operator_call());
}

// How the program of each kind is made: a row for each row of defs/case/program_kinds.cc.
struct Maker {
  std::string_view kind;
  MadeProgram (*make)(const ResolvedCase& c, const Workload& workload);
};

constexpr Maker kMakers[] = {
    {"eval", MakeForward},
    {"train", MakeTraining},
    {"generate", MakeGeneration},
    {"operator", MakeOperator},
    {"operator_backward", MakeOperator},
};

MadeProgram Make(const ResolvedCase& c, const Workload& workload) {
  const std::string_view kind = KindOf(c).word;
  for (const Maker& maker : kMakers) {
    if (maker.kind == kind) return maker.make(c, workload);
  }
  return absl::UnimplementedError(
      absl::StrCat("no row of kMakers in seeded_program.cc makes programs of the kind ", kind));
}

}  // namespace

absl::StatusOr<std::unique_ptr<models::Model>> NewModel(const ModelImplementation& implementation,
                                                        const Workload& workload) {
  models::Parameters parameters;
  for (const auto& [name, value] : workload.parameters()) parameters.Set(name, ParameterOf(value));
  return models::Create(implementation.name(), parameters);
}

absl::StatusOr<std::unique_ptr<Program>> NewProgram(const ResolvedCase& c,
                                                    const Workload& workload) {
  absl::StatusOr<std::unique_ptr<Program>> program;
  const absl::Status caught =
      base::CatchTorch("building the program", [&] { program = Make(c, workload); });
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

absl::StatusOr<std::unique_ptr<Program>> CopyOf(Program& program, const ResolvedCase& c,
                                                const Workload& workload, Dtype dtype) {
  absl::StatusOr<std::unique_ptr<Program>> copy = NewProgram(c, workload);
  if (!copy.ok()) return copy;
  if (absl::Status moved = Move(**copy, at::kCPU, dtype); !moved.ok()) return moved;
  const absl::Status copied = base::CatchTorch("copying the program's state", [&] {
    const c10::NoGradGuard no_grad;
    const std::vector<models::NamedTensor> from = program.State(), to = (*copy)->State();
    for (size_t i = 0; i < to.size(); ++i)
      if (!to[i].alias) to[i].tensor.copy_(from.at(i).tensor);
  });
  if (!copied.ok()) return copied;
  return copy;
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

double BytesOfInputs(const Workload& workload) {
  double bytes = 0;
  for (const TensorSpec& spec : workload.inputs()) {
    double elements = 1;
    for (const int64_t size : spec.shape()) elements *= static_cast<double>(size);
    bytes += 4 * elements;
  }
  return bytes;
}

absl::Status Move(Program& program, at::Device device, Dtype dtype) {
  return base::CatchTorch("moving the program's state to its device and dtype",
                          [&] { program.To(device, base::ToScalarType(dtype)); });
}

absl::Status Place(Program& program, at::Device device, const BenchmarkCase& c,
                   const Workload& calibration, JudgedLayers* judged) {
  const std::string& lowering = c.execution().lowering();
  if (absl::Status moved = Move(program, device, c.dtype()); !moved.ok() || lowering.empty()) {
    return moved;
  }
  absl::StatusOr<Tensors> shown = Tensors();
  if (const lowerings::Row* row = lowerings::Find(lowering); row != nullptr && row->calibrates) {
    shown = SeededInputs(calibration, c.dtype(), c.seed(), device);
    if (!shown.ok()) return shown.status();
  }
  absl::Status lowered;
  const absl::Status caught =
      base::CatchTorch(absl::StrCat("lowering the model to ", lowering), [&] {
        lowered = program.Lower({.name = lowering, .judged = judged, .calibration = &*shown});
      });
  if (!caught.ok()) return caught;
  if (lowered.ok()) return lowered;
  return absl::InvalidArgumentError(absl::StrCat("--lowering=", lowering, ": ", lowered.message()));
}

}  // namespace assay::execution
