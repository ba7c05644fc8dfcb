#include "benchmarks/harness/execution/executable.h"

#include <ATen/Context.h>

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "defs/execution_names.h"

namespace assay::execution {

void ApplyToProcess(const Execution& execution) {
  at::Context& context = at::globalContext();
  switch (execution.matmul_precision()) {
    case HIGH:
      context.setFloat32MatmulPrecision("high");
      break;
    case MEDIUM:
      context.setFloat32MatmulPrecision("medium");
      break;
    default:
      context.setFloat32MatmulPrecision("highest");
  }
  // PyTorch's default lets cuDNN's convolutions round to TF32 whatever the matmul precision is.
  context.setAllowTF32CuDNN(execution.matmul_precision() > HIGHEST);
  context.setDeterministicAlgorithms(execution.deterministic(), /*warn_only=*/false);
}

std::string ExecutionText(const Execution& execution) {
  std::string text = BackendName(execution);
  if (!execution.lowering().empty()) absl::StrAppend(&text, ", ", execution.lowering());
  if (execution.memory_format() == CHANNELS_LAST) absl::StrAppend(&text, ", channels_last");
  if (execution.autocast() != DTYPE_UNSPECIFIED)
    absl::StrAppend(&text, ", autocast ", base::DtypeName(execution.autocast()));
  if (execution.matmul_precision() > HIGHEST) {
    absl::StrAppend(&text, ", matmul precision ",
                    absl::AsciiStrToLower(MatmulPrecision_Name(execution.matmul_precision())));
  }
  if (execution.deterministic()) absl::StrAppend(&text, ", deterministic");
  if (execution.no_grad()) absl::StrAppend(&text, ", no_grad");
  if (execution.accumulation() > 1)
    absl::StrAppend(&text, ", ", execution.accumulation(), " parts a step");
  if (execution.grad_scaler()) absl::StrAppend(&text, ", grad scaler");
  return text;
}

absl::Status SetInputsOf(Executable& executable, Tensors inputs) {
  return base::CatchTorch("preparing the program for its inputs",
                          [&] { executable.SetInputs(std::move(inputs)); });
}

absl::StatusOr<Tensors> OutputsOf(Executable& executable) {
  Tensors outputs;
  const absl::Status status =
      base::CatchTorch("running the program", [&] { outputs = executable.Outputs(); });
  if (!status.ok()) return status;
  return outputs;
}

absl::StatusOr<Tensors> OutputsOf(Executable& executable, Tensors inputs) {
  if (absl::Status set = SetInputsOf(executable, std::move(inputs)); !set.ok()) return set;
  return OutputsOf(executable);
}

}  // namespace assay::execution
