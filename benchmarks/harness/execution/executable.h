#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_

// ---------------------------------------------------------------------------------------------
// executable.h: how a program is called. An Execution (suite.proto) says it: back end, memory
// format, autocast; a back end turns a program and its inputs into an Executable, whose calls are
// all that is ever timed or verified.
//
// Back ends register themselves from libraries of their own (alwayslink = True), so that a runner
// has those that it links. EAGER is eager_backend.cc.
//
// What belongs to the process and not to a call (matmul precision, deterministic algorithms) is
// set once, by ApplyToProcess().
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

  // What Program says of the functions of these names. On a CUDA device they return when the work
  // is enqueued. Let c10::Error through: translating it costs time here, and the caller knows what
  // it was doing.
  virtual Tensors Outputs() = 0;
  virtual void Begin(Step step) = 0;
  virtual void BeginVerified(Step step) = 0;
  virtual void Prepare(Step step) = 0;
  virtual Tensors Call(Step step) = 0;

  // What later calls read, in place of the inputs they have: as many, of the same shapes, dtypes
  // and device.
  virtual void SetInputs(Tensors inputs) = 0;
  // What calls read, laid out for the execution: given to SetInputs(), these are taken as they are.
  virtual const Tensors& Inputs() const = 0;
};

// `program` must outlive the result; `inputs` are kept. Changes the layout of the program's state
// where the execution's memory format asks for it. Errors of CheckExecution, and ResourceExhausted.
absl::StatusOr<std::unique_ptr<Executable>> MakeExecutable(const Execution& execution,
                                                           Program& program, Tensors inputs);

// What a back end of this build can do with this program: InvalidArgument, naming the flag and what
// is allowed, where it can't; Unimplemented for a back end that is not linked in. `dtype` is the
// case's.
absl::Status CheckExecution(const Execution& execution, const Program& program, Dtype dtype);

// The settings of LibTorch that hold for the whole process.
void ApplyToProcess(const Execution& execution);

// "eager", "eager, channels_last, autocast bf16": what of an execution is not the default, for
// people.
std::string ExecutionText(const Execution& execution);

// Outputs() with LibTorch's exceptions as Status.
absl::StatusOr<Tensors> OutputsOf(Executable& executable);

// For back ends: how each makes its executables, and what it can do (OK or InvalidArgument).
struct BackendFunctions {
  std::unique_ptr<Executable> (*make)(const Execution& execution, Program& program, Tensors inputs);
  absl::Status (*check)(const Execution& execution, const Program& program, Dtype dtype);
};

// Returns true, for a static constant in the back end's file. Aborts where one is registered twice.
bool RegisterBackend(Backend backend, BackendFunctions functions);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_
