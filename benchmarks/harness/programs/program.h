#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// program.h: the interface of everything that a case can run: a model's forward pass, a training
// step, one operator. Verification, sampling, checkpoints and exports know only this interface.
//
// Inputs and outputs are positional; the case's workload (suite.proto: Workload) has their names,
// shapes and dtypes. The executable (executable.h) decides memory format, autocast and back end.
//
// The case says which steps a program has and their properties (suite.proto: StepSpec); the program
// has their code.
//
// A program is made (seeded_program.h), its state is filled and moved by To(), and then it is
// called. Tensors taken from State() before To() are no longer the state afterwards.
//
// Errors: functions that run operators let c10::Error through, because the caller tells
// out-of-memory from other errors by the exception's type.
//
// Not for: files, clocks, seeds. A program is not thread-safe, but for what TakesCallsAtOnce() says.
//
// Example:
//   absl::StatusOr<std::unique_ptr<Program>> program = SeededProgram(c, c.verified());
//   (*program)->To(at::kCPU, at::kBFloat16);
//   std::vector<at::Tensor> outputs = (*program)->Outputs(inputs);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "defs/case/lowerings.h"
#include "models/named_tensor.h"

namespace assay::execution {

using Tensors = std::vector<at::Tensor>;
using TensorsRef = at::ArrayRef<at::Tensor>;

// The name of a part of a program that can be called and timed: "forward" (defs/case/case_steps.h).
using Step = std::string_view;

// How calls change the program's state. Verification checks that a program keeps to it.
enum class StateContract {
  kPure,        // they do not: same inputs, same outputs, same state
  kResettable,  // they may; Reset() restores the state before the first call
};

// An output of a call, with its position among those of Outputs().
struct VerifiedOutput {
  size_t place;
  at::Tensor tensor;
};

// Gives the tensors the positions `first`, `first` + 1, ...
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

  virtual StateContract Contract() const = 0;
  // Whether calls need autograd, which an execution otherwise switches off.
  virtual bool Differentiates() const { return false; }

  // Whether calls are operators of ATen, called one by one, which costs are counted by.
  virtual bool RunsEagerly() const { return true; }

  // Every parameter and persistent buffer.
  virtual std::vector<models::NamedTensor> State() = 0;
  // Moves the state: floating-point tensors change device and dtype, others the device only.
  virtual void To(at::Device device, at::ScalarType dtype) = 0;
  // Makes its model into another that should compute the same (defs/case/lowerings.h); after To(), once.
  virtual absl::Status Lower(const Lowering& /*lowering*/) {
    return absl::UnimplementedError("the program has no model that could be lowered");
  }

  // Returns one tensor for each of the workload's expected outputs, computed from the state as it
  // was made or last reset. Never writes to its inputs.
  virtual Tensors Outputs(TensorsRef inputs) = 0;

  // Makes the program ready for calls of `step`. Called once before them, untimed.
  virtual void Begin(Step /*step*/, TensorsRef /*inputs*/) {}
  // Called, untimed, before each call of a step that is prepared (StepSpec).
  virtual void Prepare(Step /*step*/, TensorsRef /*inputs*/) {}
  // Makes one call. Returns the results that depend on nothing but the inputs and the state; none
  // for a step that changes the state.
  virtual Tensors Call(Step step, TensorsRef inputs) = 0;

  // Whether several threads may call it at once, each with inputs of its own.
  virtual bool TakesCallsAtOnce() const { return false; }

  // Whether a timed call computes outputs of Outputs() as it is, without BeginVerified(). The less a
  // program and its back end know of being verified, the better.
  virtual bool VerifiesAsTimed(Step /*step*/) const { return false; }
  // Instead of Begin(): makes the program ready for calls of `step` that compute some of the outputs
  // of Outputs(), by the same code as timed calls. Before each of them comes Prepare(), where the
  // step is prepared or makes state (StepSpec).
  virtual void BeginVerified(Step step, TensorsRef inputs) { Begin(step, inputs); }
  // Returns the outputs that the last call has computed. `returned` is what the call returned. Empty
  // for a step that computes no verified output.
  virtual std::vector<VerifiedOutput> Verified(Step /*step*/, Tensors /*returned*/) { return {}; }

  // Restores the state. Only for kResettable.
  virtual void Reset() {}
  // How far calls have moved the trainable tensors from the state that Reset() restores: the norm of
  // the difference, over the norm of all. Nothing for kPure.
  virtual std::optional<double> Drift() const { return std::nullopt; }

  // The tensors that calls keep beside the state: those of an optimizer, or the keys and values of a
  // generation.
  virtual Tensors Kept() const { return {}; }

  // Whether tensors of the state with four dimensions are stored with their channels last; kept by
  // LaidOut() (eager_backend.h).
  bool channels_last() const { return channels_last_; }
  void set_channels_last(bool channels_last) { channels_last_ = channels_last; }

  // Faults that the program can be made to have, to test that verification finds them.
  // MakeMistake() takes one of these names and affects all later calls.
  virtual std::vector<std::string> Mistakes() const { return {}; }
  virtual void MakeMistake(std::string_view /*mistake*/) {}

 protected:
  Program() = default;

 private:
  bool channels_last_ = false;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_PROGRAM_H_
