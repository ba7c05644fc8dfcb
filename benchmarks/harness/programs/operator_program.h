#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_OPERATOR_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_OPERATOR_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// operator_program.h: one ATen operator as a program, found by its schema; where its call asks for
// gradients, its backward pass too.
//
// Tensor arguments are the program's inputs; all other arguments are bound when the program is
// made. Backward starts from an input "<output>.grad" for each output that holds floats, or from
// ones where there is no such input. A gradient that does not exist is returned as zeros.
//
// Mistakes: "scaled_<output>" for each output of a case's call, gradients included: floats times
// 1.01, integers plus 1, booleans turned round.
//
// Not for: how arguments are converted (boxed_operator.h).
//
// Example:
//   absl::StatusOr<std::unique_ptr<Program>> program = OperatorProgram::Make(c.operator_call());
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::execution {

// An argument as a table gives it: the text "None" is None. None where nothing is set.
c10::IValue IValueOf(const ParameterValue& value);

class OperatorProgram final : public Program {
 public:
  // An operator that writes to none of its arguments. Inputs are tensors by the schema's names; a
  // name such as "tensors.1" is an element of the list `tensors`. The call's outputs "<input>.grad"
  // say which gradients it computes. Errors of BindOperator, and InvalidArgument with the reason
  // for an operator that writes to its arguments, a list with a gap and a gradient of something
  // that is no input.
  static absl::StatusOr<std::unique_ptr<Program>> Make(const OperatorCall& call);

  StateContract Contract() const override { return StateContract::kPure; }
  bool Differentiates() const override { return backward_; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  // The results, followed by the gradients if there is a backward pass.
  Tensors Outputs(TensorsRef inputs) override;
  void Prepare(Step step, TensorsRef inputs) override;
  Tensors Call(Step step, TensorsRef inputs) override;
  bool VerifiesAsTimed(Step) const override { return true; }
  std::vector<VerifiedOutput> Verified(Step step, Tensors returned) override;
  std::vector<std::string> Mistakes() const override { return mistakes_; }
  void MakeMistake(std::string_view mistake) override;

 private:
  // The place of an input: an argument, or an element of one that is a list.
  struct Place {
    size_t input = 0;
    size_t argument = 0;
    int64_t element = -1;
  };

  OperatorProgram(BoundOperator bound, bool backward);

  absl::Status PlaceInputs(const OperatorCall& call);
  void MakeLeaves(TensorsRef inputs);
  Tensors Forward(TensorsRef inputs);
  Tensors Gradients() const;
  // `outputs` are the program's outputs from number `first` on. Returns them with the mistake, if
  // it is in one of them.
  Tensors WithMistake(Tensors outputs, size_t first) const;

  c10::OperatorHandle handle_;
  c10::Stack arguments_;  // inputs are not in it yet
  std::vector<Place> places_;
  const bool backward_;
  std::vector<size_t> differentiated_;  // indices into `places_`, in the order of the gradients
  // Only this many results are returned.
  size_t results_limit_ = std::numeric_limits<size_t>::max();
  // For each result, the input from which backward starts; none or beyond the end: ones.
  std::vector<std::optional<size_t>> starts_;
  std::vector<std::string> mistakes_;  // for each output
  std::optional<size_t> mistaken_;     // position of the wrong output
  Tensors given_, leaves_;             // inputs; those that need gradients are leaves
  Tensors results_;                    // results of the forward pass, to be differentiated
  Tensors roots_, starting_;           // results that depend on the leaves; their first gradients
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_OPERATOR_PROGRAM_H_
