#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// program.h: what a case runs, whatever it is made of: a model's forward pass, a training step, one
// operator. Verification, sampling, checkpoints and exports know this and nothing behind it.
//
// A program's inputs and outputs are positional; their names, shapes and dtypes stand in the case's
// workload (suite.proto: Workload). How it is called (memory format, autocast, back end) is the
// executable's business (executable.h).
//
// Life of a program: made (make_program.h), its state filled, moved by To(), then called. Handles
// taken from State() before To() go stale.
//
// Errors: what runs operators lets c10::Error through, because the caller tells out-of-memory from
// the rest by the exception's type.
//
// Not for: files, clocks, seeds. A program is not thread-safe.
//
// Example:
//   absl::StatusOr<std::unique_ptr<Program>> program = SeededProgram(c, c.verified());
//   (*program)->To(at::kCPU, at::kBFloat16);
//   std::vector<at::Tensor> outputs = (*program)->Outputs(inputs);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/harness/execution/steps.h"
#include "models/named_tensor.h"

namespace assay::execution {

using Tensors = std::vector<at::Tensor>;
using TensorsRef = at::ArrayRef<at::Tensor>;

// What calls do to the program's state. Verification holds a program to it.
enum class StateContract {
  kPure,        // nothing: same inputs, same outputs, same state
  kResettable,  // calls change it, and Reset() brings back what it was before the first
};

// An output of a call, by its place among those of Outputs().
struct VerifiedOutput {
  size_t place;
  at::Tensor tensor;
};

// The tensors, one place after the other.
inline std::vector<VerifiedOutput> InPlaces(Tensors tensors, size_t first) {
  std::vector<VerifiedOutput> outputs;
  for (at::Tensor& tensor : tensors) outputs.push_back({first++, std::move(tensor)});
  return outputs;
}

class Program {
 public:
  virtual ~Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  // What can be called and timed, in the order in which it is shown; the copies are not named here.
  virtual std::vector<Step> Steps() const = 0;
  virtual StateContract Contract() const = 0;
  // Whether calls need autograd, which an execution otherwise switches off.
  virtual bool Differentiates() const { return false; }

  // Every parameter and persistent buffer.
  virtual std::vector<models::NamedTensor> State() = 0;
  // Moves the state: floating-point tensors change device and dtype, others the device only.
  virtual void To(at::Device device, at::ScalarType dtype) = 0;

  // One tensor for each of the workload's expected outputs, from the state as it was made or last
  // reset. Never writes to its inputs.
  virtual Tensors Outputs(TensorsRef inputs) = 0;

  // Brings the program where calls of `step` can begin; once, untimed.
  virtual void Begin(Step /*step*/, TensorsRef /*inputs*/) {}
  // Whether each call of `step` needs Prepare(), untimed work that is done anew before it.
  virtual bool NeedsPreparation(Step /*step*/) const { return false; }
  virtual void Prepare(Step /*step*/, TensorsRef /*inputs*/) {}
  // One call. Returns what it computed as far as that depends on the inputs alone; none for a step
  // that changes state.
  virtual Tensors Call(Step step, TensorsRef inputs) = 0;

  // In place of Begin(): brings the program where one call of `step`, prepared where it needs it,
  // computes some of what Outputs() gives, by the same code that timed calls run.
  virtual void BeginVerified(Step step, TensorsRef inputs) { Begin(step, inputs); }
  // What that call has computed, `returned` being what it gave; none for a step of which Outputs()
  // tells nothing.
  virtual std::vector<VerifiedOutput> Verified(Step /*step*/, Tensors /*returned*/) { return {}; }

  // Only for kResettable.
  virtual void Reset() {}

  // What can be got wrong on purpose, to prove that verification finds it; then one of these, from
  // the next call on.
  virtual std::vector<std::string> Mistakes() const { return {}; }
  virtual void MakeMistake(std::string_view /*mistake*/) {}

 protected:
  Program() = default;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_PROGRAM_H_
