#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// operator_program.h: one ATen operator as a program, found by its schema; where its call asks for
// gradients, its backward pass too.
//
// Tensor arguments are the program's inputs; whatever else the schema wants was bound when the
// program was made. Backward begins with gradients of one for every output that holds floats, and
// its results are the gradients of the inputs that hold floats, in their order. An input whose
// gradient does not exist has zeros.
//
// Not for: how arguments are converted (boxed_operator.h).
//
// Example:
//   absl::StatusOr<std::unique_ptr<Program>> program = OperatorProgram::Make(c.operator_call());
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/boxed_operator.h"
#include "benchmarks/harness/execution/program.h"
#include "defs/suite.pb.h"

namespace assay::execution {

class OperatorProgram final : public Program {
 public:
  // An operator that writes to none of its arguments. Inputs are tensors by the schema's names; a
  // name such as "tensors.1" is an element of the list `tensors`. Errors as of BindOperator, and
  // InvalidArgument for an operator that writes to its arguments.
  static absl::StatusOr<std::unique_ptr<Program>> Make(const OperatorCall& call);

  // Every tensor among the bound arguments, those in lists one by one, is an input, in that order.
  // Here the operator may write to its arguments.
  OperatorProgram(BoundOperator bound, bool backward);

  std::vector<Step> Steps() const override;
  StateContract Contract() const override { return StateContract::kPure; }
  bool Differentiates() const override { return backward_; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  // The results, then, where it has a backward pass, the gradients.
  Tensors Outputs(TensorsRef inputs) override;
  bool NeedsPreparation(Step step) const override { return step == Step::kBackward; }
  void Prepare(Step step, TensorsRef inputs) override;
  Tensors Call(Step step, TensorsRef inputs) override;

 private:
  // Where a tensor belongs: an argument, or an element of one that is a list.
  struct Place {
    size_t argument = 0;
    int64_t element = -1;
  };

  Tensors Forward(TensorsRef inputs);
  Tensors Gradients() const;

  c10::OperatorHandle handle_;
  c10::Stack arguments_;  // without the inputs
  std::vector<Place> places_;
  const bool backward_;
  Tensors given_, leaves_;  // inputs, and the same as leaves that ask for gradients
  Tensors results_;         // of the forward pass that is to be differentiated
  Tensors roots_, ones_;    // those of them that depend on the leaves, and their gradients
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_PROGRAM_H_
