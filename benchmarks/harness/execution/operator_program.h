#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_PROGRAM_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_PROGRAM_H_

// ---------------------------------------------------------------------------------------------
// operator_program.h: one ATen operator as a program, found by its schema.
//
// Tensor arguments are the case's inputs, by the schema's names; other arguments are the case's
// values, converted to the schema's types; what neither names takes the schema's default.
//
// Not for: operators that write to their arguments (names ending in "_", overloads "out").
//
// Example:
//   absl::StatusOr<std::unique_ptr<Program>> program = OperatorProgram::Make(c.operator_call());
// ---------------------------------------------------------------------------------------------

#include <ATen/core/dispatch/Dispatcher.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/program.h"
#include "defs/suite.pb.h"

namespace assay::execution {

class OperatorProgram final : public Program {
 public:
  // NotFound for an operator that LibTorch does not have; InvalidArgument, naming operator, argument
  // and schema, where the call does not fit the schema.
  static absl::StatusOr<std::unique_ptr<Program>> Make(const OperatorCall& call);

  std::vector<Step> Steps() const override { return {Step::kForward}; }
  StateContract Contract() const override { return StateContract::kPure; }
  std::vector<models::NamedTensor> State() override { return {}; }
  void To(at::Device, at::ScalarType) override {}
  Tensors Outputs(TensorsRef inputs) override { return Call(Step::kForward, inputs); }
  Tensors Call(Step step, TensorsRef inputs) override;

 private:
  // An argument of the schema: the position of an input, or a value.
  using Argument = std::variant<size_t, c10::IValue>;

  OperatorProgram(c10::OperatorHandle handle, std::vector<Argument> arguments)
      : handle_(std::move(handle)), arguments_(std::move(arguments)) {}

  const c10::OperatorHandle handle_;
  const std::vector<Argument> arguments_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_PROGRAM_H_
