#include "benchmarks/harness/execution/executable.h"

#include <ATen/Context.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/base/torch_status.h"

namespace assay::execution {
namespace {

using Backends = std::map<Backend, BackendFunctions>;

// Filled before main(), never destroyed.
Backends& Registered() {
  static Backends& backends = *new Backends;
  return backends;
}

Backend BackendOf(const Execution& execution) {
  return execution.backend() == BACKEND_UNSPECIFIED ? EAGER : execution.backend();
}

absl::StatusOr<BackendFunctions> Find(const Execution& execution) {
  const auto found = Registered().find(BackendOf(execution));
  if (found != Registered().end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [backend, functions] : Registered())
    names.push_back(absl::AsciiStrToLower(Backend_Name(backend)));
  return absl::UnimplementedError(
      absl::StrCat("back end ", absl::AsciiStrToLower(Backend_Name(BackendOf(execution))),
                   " is not in this program, which has: ", absl::StrJoin(names, ", ")));
}

}  // namespace

bool RegisterBackend(Backend backend, BackendFunctions functions) {
  if (!Registered().emplace(backend, functions).second) {
    std::fprintf(stderr, "back end %s is registered twice\n", Backend_Name(backend).c_str());
    std::abort();
  }
  return true;
}

absl::Status CheckExecution(const Execution& execution, const Program& program, Dtype dtype) {
  const absl::StatusOr<BackendFunctions> backend = Find(execution);
  if (!backend.ok()) return backend.status();
  return backend->check(execution, program, dtype);
}

absl::StatusOr<std::unique_ptr<Executable>> MakeExecutable(const Execution& execution,
                                                           Program& program, Tensors inputs) {
  const absl::StatusOr<BackendFunctions> backend = Find(execution);
  if (!backend.ok()) return backend.status();
  std::unique_ptr<Executable> executable;
  const absl::Status caught = base::CatchTorch("preparing the program for its execution", [&] {
    executable = backend->make(execution, program, std::move(inputs));
  });
  if (!caught.ok()) return caught;
  return executable;
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
  // PyTorch's default lets cuDNN's convolutions round to TF32 whatever the matmul precision is.
  context.setAllowTF32CuDNN(execution.matmul_precision() > HIGHEST);
  context.setDeterministicAlgorithms(execution.deterministic(), /*warn_only=*/false);
}

std::string ExecutionText(const Execution& execution) {
  std::string text = absl::AsciiStrToLower(Backend_Name(BackendOf(execution)));
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

absl::StatusOr<Tensors> OutputsOf(Executable& executable) {
  Tensors outputs;
  const absl::Status status =
      base::CatchTorch("running the program", [&] { outputs = executable.Outputs(); });
  if (!status.ok()) return status;
  return outputs;
}

}  // namespace assay::execution
