#include "benchmarks/harness/runner/verdict/operator_truth.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/version.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/numerics/reference_writer.h"
#include "benchmarks/harness/programs/operator_program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/compared_rows.h"
#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::runner {
namespace {

// Up to so many elements, 32 MiB in float64, each is compared: no blob has to hold them.
constexpr int64_t kWholeTruth = int64_t{1} << 22;

// The call that computes the reference. Arguments that the other operator does not have, such as a
// kernel's choice of what to return, are left out; if one of them mattered, no output would agree.
OperatorCall CallOfTruth(OperatorCall call) {
  if (call.truth().empty()) return call;
  call.set_name(call.truth());
  const std::pair<std::string, std::string> name =
      absl::StrSplit(call.name(), absl::MaxSplits('.', 1));
  const auto found = c10::Dispatcher::singleton().findSchema({name.first, name.second});
  if (!found) return call;  // BindOperator reports it
  std::vector<std::string> surplus;
  for (const auto& [argument, value] : call.arguments()) {
    if (!found->schema().argumentIndexWithName(argument)) surplus.push_back(argument);
  }
  for (const std::string& argument : surplus) call.mutable_arguments()->erase(argument);
  return call;
}

}  // namespace

absl::Status ToFloat64(execution::Tensors& tensors) {
  return base::CatchTorch("casting to float64", [&] {
    for (at::Tensor& tensor : tensors) {
      tensor = tensor.to(at::kCPU, tensor.is_floating_point() ? at::kDouble : tensor.scalar_type());
    }
  });
}

absl::StatusOr<execution::Tensors> InputsInFloat64(const ResolvedCase& c) {
  const BenchmarkCase& b = c.benchmark_case();
  absl::StatusOr<execution::Tensors> inputs =
      execution::SeededInputs(c.verified(), b.dtype(), b.seed(), at::kCPU);
  if (!inputs.ok()) return inputs;
  const absl::Status chosen = base::CatchTorch("choosing the inputs' rows", [&] {
    *inputs = RowsOfInputs(*inputs, c.verified(), c.referenced(),
                           DrawnRows(c.verified().batch(), c.referenced().batch(), b.seed()));
  });
  if (!chosen.ok()) return chosen;
  if (absl::Status cast = ToFloat64(*inputs); !cast.ok()) return cast;
  return inputs;
}

absl::StatusOr<numerics::ReferenceOutputs> TruthOf(std::string_view returned_by,
                                                   const numerics::ExpectedOutputs& named,
                                                   const execution::Tensors& outputs) {
  if (static_cast<int>(outputs.size()) != named.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        returned_by, " returned ", outputs.size(), " outputs; the case names ", named.size(), ": ",
        absl::StrJoin(named, ", ", [](std::string* out, const ExpectedOutput& output) {
          out->append(output.name());
        })));
  }
  numerics::ReferenceOutputs truth;
  for (int i = 0; i < named.size(); ++i) {
    absl::StatusOr<numerics::ReferenceOutput> output = numerics::MakeReferenceOutput(
        {.name = named[i].name(), .tensor = outputs[static_cast<size_t>(i)]}, kWholeTruth);
    if (!output.ok()) return output.status();
    truth.outputs.push_back(*std::move(output));
  }
  return truth;
}

absl::StatusOr<numerics::ReferenceOutputs> OperatorTruth(const ResolvedCase& c) {
  const execution::OwnKernels own;
  if (!own.status().ok()) return Ended(ARTIFACT_UNAVAILABLE, own.status().message());
  const OperatorCall call = CallOfTruth(c.benchmark_case().operator_call());
  absl::StatusOr<std::unique_ptr<execution::Program>> program;
  const absl::Status made = base::CatchTorch(
      "building the truth", [&] { program = execution::OperatorProgram::Make(call); });
  if (!made.ok()) return made;
  if (!program.ok()) return program.status();
  absl::StatusOr<execution::Tensors> inputs = InputsInFloat64(c);
  if (!inputs.ok()) return inputs.status();
  const auto executable = execution::LoadEager({}, **program);
  const absl::StatusOr<execution::Tensors> outputs =
      execution::OutputsOf(*executable, *std::move(inputs));
  if (!outputs.ok()) return outputs.status();
  absl::StatusOr<numerics::ReferenceOutputs> truth =
      TruthOf(call.name(), c.referenced().outputs(), *outputs);
  if (truth.ok()) {
    truth->metadata["provenance"] =
        absl::StrCat(call.name(), ", float64 on the CPU, in this process, torch " TORCH_VERSION,
                     own.replaced().empty() ? "" : ", by LibTorch's own kernels");
  }
  return truth;
}

absl::StatusOr<execution::Tensors> OutputsInFloat64(execution::Program& program,
                                                    execution::Tensors inputs) {
  const execution::OwnKernels own;
  if (!own.status().ok()) return Ended(ARTIFACT_UNAVAILABLE, own.status().message());
  const absl::Status moved = execution::Move(program, at::kCPU, FP64);
  if (!moved.ok()) return moved;
  if (absl::Status cast = ToFloat64(inputs); !cast.ok()) return cast;
  const auto executable = execution::LoadEager({}, program);
  return execution::OutputsOf(*executable, std::move(inputs));
}

}  // namespace assay::runner
