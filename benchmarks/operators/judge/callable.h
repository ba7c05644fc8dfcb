#ifndef ASSAY_BENCHMARKS_OPERATORS_JUDGE_CALLABLE_H_
#define ASSAY_BENCHMARKS_OPERATORS_JUDGE_CALLABLE_H_

// ---------------------------------------------------------------------------------------------
// callable.h: a call of anything that takes and returns what a stack holds: an operator of
// LibTorch's dispatcher, a module with its weights among the arguments, a network.
//
// Example:
//   Callable call = CallableOf(*execution::BindOperator("aten::add", {.positional = {a, b}}));
//   c10::Stack results = call.run(call.arguments);
//   call.arguments = InFloat64(call.arguments);
//   c10::Stack truth = call.run(call.arguments);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>

#include <functional>
#include <string>
#include <vector>

#include "benchmarks/harness/dispatcher/boxed_operator.h"

namespace assay::operators {

struct Callable {
  c10::Stack arguments = {};
  std::vector<std::string> names = {};  // of the arguments
  // Returns the results. c10::Error as of the operator.
  std::function<c10::Stack(c10::Stack arguments)> run = {};
  // Leaves that are no arguments, in an order of their own: a network's weights.
  std::vector<at::Tensor> weights = {};
};

Callable CallableOf(const execution::BoundOperator& bound);

// The arguments on the CPU, with float64 for each floating-point tensor and complex128 for each
// complex one, also in lists, without gradients; devices become the CPU. Integers, booleans and all
// else stay.
c10::Stack InFloat64(c10::Stack arguments);

// The same arguments on LibTorch's device Meta, without memory, with their strides.
c10::Stack OnMeta(c10::Stack arguments);

// The same arguments with copies of the tensors, also in lists: for a call that writes to them.
c10::Stack Copies(c10::Stack arguments);

}  // namespace assay::operators

#endif  // ASSAY_BENCHMARKS_OPERATORS_JUDGE_CALLABLE_H_
