#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_

// ---------------------------------------------------------------------------------------------
// executable.h: a program as a back end calls it. A back end (backend.h) makes one of each program,
// and verdict, timing, memory and checks all call that one.
//
// ApplyToProcess() sets once what holds for the whole process (matmul precision, deterministic
// algorithms), after PrepareCublas().
//
// Not for: waiting for a device or reading clocks (harness/sampling).
//
// Example:
//   executable->SetInputs(inputs);
//   absl::StatusOr<Tensors> outputs = OutputsOf(*executable);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::execution {

class Executable {
 public:
  virtual ~Executable() = default;

  // The program that it was made of, which outlives it. A back end never changes the program's values.
  Program& program() const { return program_; }

  // Sets the inputs of later calls; before the first call. Later ones have as many of the same
  // dtypes and device.
  virtual void SetInputs(Tensors inputs) = 0;
  // The inputs of calls, laid out for the execution. SetInputs() takes these without conversion.
  virtual const Tensors& Inputs() const = 0;

  // As the functions of the same names in Program. On a CUDA device they return when the work is
  // enqueued. They let c10::Error through: translating it costs time here, and the caller knows
  // what it was doing.
  virtual Tensors Outputs() = 0;
  virtual void Begin(Step step) = 0;
  virtual void BeginVerified(Step step) = 0;
  virtual void Prepare(Step step) = 0;
  virtual Tensors Call(Step step) = 0;

  // What Load() spent on making a file, which later processes find made.
  virtual absl::Duration ExportTime() const { return absl::ZeroDuration(); }
  // How often it has traced, compiled or loaded something for the shapes of its inputs; 0 where calls of
  // all shapes run the same code.
  virtual int64_t Compilations() const { return 0; }
  // Name and version of what computes in LibTorch's place; empty: nothing does.
  virtual std::string Runtime() const { return ""; }

 protected:
  explicit Executable(Program& program) : program_(program) {}

 private:
  Program& program_;
};

// For a deterministic execution on CUDA it sets CUBLAS_WORKSPACE_CONFIG=:4096:8, without which
// LibTorch refuses every matrix product. Call it before CUDA starts, since cuBLAS and LibTorch read
// the variable once in a process. `shared`: other runs were made in this process before.
// InvalidArgument if the user set a value that is not deterministic, or if it is too late to set one.
absl::Status PrepareCublas(const Execution& execution, bool shared);

// Applies the settings of LibTorch that hold for the whole process.
void ApplyToProcess(const Execution& execution);

// Names what differs from the default execution, for a person: "eager", "eager, channels_last,
// autocast bf16".
std::string ExecutionText(const Execution& execution);

// SetInputs(), with LibTorch's exceptions as a Status.
absl::Status SetInputsOf(Executable& executable, Tensors inputs);

// Outputs(), with LibTorch's exceptions as a Status.
absl::StatusOr<Tensors> OutputsOf(Executable& executable);
// The same after SetInputs().
absl::StatusOr<Tensors> OutputsOf(Executable& executable, Tensors inputs);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_
