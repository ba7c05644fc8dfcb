#include "benchmarks/harness/execution/executable.h"

#include <ATen/Context.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"
#include "defs/case/execution_names.h"

namespace assay::execution {
namespace {

constexpr char kCublasWorkspace[] = "CUBLAS_WORKSPACE_CONFIG";
// Their size is fixed, so cuBLAS chooses the same kernels in every call. LibTorch takes only these two
// for deterministic (ATen/Context.cpp). The first is as large as cuBLAS's own default.
constexpr std::string_view kDeterministicWorkspaces[] = {":4096:8", ":16:8"};

}  // namespace

absl::Status PrepareCublas(const Execution& execution, bool shared) {
  if (!execution.deterministic()) return absl::OkStatus();
  const char* given = std::getenv(kCublasWorkspace);
  if (given != nullptr) {
    if (absl::c_linear_search(kDeterministicWorkspaces, given)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        absl::StrCat("--deterministic: ", kCublasWorkspace, " is '", given,
                     "', with which cuBLAS may give other bits from call to call; unset it, or set "
                     "it to :4096:8 or :16:8"));
  }
  if (shared) {
    return absl::InvalidArgumentError(
        absl::StrCat("--deterministic: earlier runs of this process have started cuBLAS without ",
                     kCublasWorkspace, "; give this run a process of its own, or set ",
                     kCublasWorkspace, "=:4096:8 for all of them"));
  }
  setenv(kCublasWorkspace, std::string(kDeterministicWorkspaces[0]).c_str(), /*overwrite=*/0);
  return absl::OkStatus();
}

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
  // PyTorch's default lets cuDNN's convolutions and recurrent layers round to TF32 whatever the matmul
  // precision is. Here float32 is float32 unless TF32 is asked for: the limits and the float64 truth
  // take it so, and a GPU's figure can be held against a CPU's.
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
