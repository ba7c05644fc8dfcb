#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_

// ---------------------------------------------------------------------------------------------
// executable.h: calls a program in the way that an Execution (suite.proto) says: back end, memory
// format, autocast. A back end turns a program and its inputs into an Executable; only its calls
// are timed and verified.
//
// Back ends register themselves from libraries of their own (alwayslink = True), so a runner has
// the back ends that it links. EAGER is in eager_backend.cc.
//
// ApplyToProcess() sets once what holds for the whole process (matmul precision, deterministic
// algorithms).
//
// Not for: waiting for a device or reading clocks (harness/sampling).
//
// Example:
//   auto executable = MakeExecutable(execution, *program, inputs);
//   absl::StatusOr<Tensors> outputs = OutputsOf(**executable);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/program.h"
#include "defs/suite.pb.h"

namespace assay::execution {

class Executable {
 public:
  virtual ~Executable() = default;

  // As the functions of the same names in Program. On a CUDA device they return when the work is
  // enqueued. They let c10::Error through: translating it costs time here, and the caller knows
  // what it was doing.
  virtual Tensors Outputs() = 0;
  virtual void Begin(Step step) = 0;
  virtual void BeginVerified(Step step) = 0;
  virtual void Prepare(Step step) = 0;
  virtual Tensors Call(Step step) = 0;

  // Replaces the inputs of later calls by as many of the same shapes, dtypes and device.
  virtual void SetInputs(Tensors inputs) = 0;
  // The inputs of calls, laid out for the execution. SetInputs() takes these without conversion.
  virtual const Tensors& Inputs() const = 0;
};

// Makes the executable. `program` must outlive it; `inputs` are kept. Changes the layout of the
// program's state where the execution's memory format asks for it. Errors of CheckExecution, and
// ResourceExhausted.
absl::StatusOr<std::unique_ptr<Executable>> MakeExecutable(const Execution& execution,
                                                           Program& program, Tensors inputs);

// Whether a back end of this build can run this program: InvalidArgument, naming the flag and what
// is allowed, where it cannot; Unimplemented for a back end that is not linked in. `dtype` is the
// case's.
absl::Status CheckExecution(const Execution& execution, const Program& program, Dtype dtype);

// Applies the settings of LibTorch that hold for the whole process.
void ApplyToProcess(const Execution& execution);

// Names what differs from the default execution, for a person: "eager", "eager, channels_last,
// autocast bf16".
std::string ExecutionText(const Execution& execution);

// Outputs(), with LibTorch's exceptions as a Status.
absl::StatusOr<Tensors> OutputsOf(Executable& executable);

// A back end's functions: one makes its executables, one says whether it can (OK or
// InvalidArgument).
struct BackendFunctions {
  std::unique_ptr<Executable> (*make)(const Execution& execution, Program& program, Tensors inputs);
  absl::Status (*check)(const Execution& execution, const Program& program, Dtype dtype);
};

// Returns true, so that a static constant in the back end's file can call it. Aborts if a back end
// is registered twice.
bool RegisterBackend(Backend backend, BackendFunctions functions);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_
