#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_OPERATORS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_OPERATORS_H_

// ---------------------------------------------------------------------------------------------
// operators.h: builds and calls what the names in a file of configurations mean, as PARAM's
// operators do: build, forward, backward (train/compute/python/lib/operator.py,
// workloads/pytorch/).
//
//   torch.mm, torch.nn.functional.relu   aten::mm, aten::relu
//   torch.add_                           in place, without autograd and without a backward pass
//   aten::add, aten::add.Tensor, any::operator   by the arguments, or by the schema in the build
//   torch.nn.Conv2d ...                  a module (modules.h)
//   pytorch.model.alex_net, pytorch.model.resnet   a network in training mode (networks.h)
//   SplitTableBatchedEmbeddingBagsCodegen   tables of embedding bags (embedding_bags.h)
//
// Each comes with what is judged of it (judge/judgement.h): the call that is timed, and how float64
// is had of it.
//
// This is no execution::Program: a program has state by name, and is pure or can be reset. PARAM's
// calls are different: gradients add up from call to call, dropout is on, and in-place operators
// change their inputs.
//
// Example:
//   absl::StatusOr<Operator> add = BuildOperator("torch.add", std::nullopt, at::kCPU);
//   absl::StatusOr<BoundCall> call = (*add)({.positional = {a, b}});
//   execution::Tensors outputs = call->forward();
// ---------------------------------------------------------------------------------------------

#include <c10/core/Device.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/operators/judge/callable.h"
#include "benchmarks/operators/judge/judgement.h"

namespace assay::param {

// A call that is judged.
struct JudgedCall {
  operators::Callable call;
  operators::InFloat64Of in_float64 = nullptr;  // null: with the arguments cast
  std::string operator_name = {};               // the dispatcher's; empty: of several operators
  bool random = false;                          // it draws numbers that float64 does not
  bool repeats = true;         // while it is timed, it returns what it returns when it is judged
  double gradient_factor = 1;  // judge/judgement.h
  bool backward = false;       // it is the pass backward, which is judged where it is measured
};

// An operator and one input. Calls let c10::Error through.
struct BoundCall {
  std::function<execution::Tensors()> forward;
  bool differentiable = true;
  // Starts from the gradients of the last outputs; null: by autograd.
  std::function<void(const execution::Tensors& gradients)> backward = nullptr;
  std::vector<JudgedCall> judged = {};
  std::string note = {};  // what a reader of its times must know
};

// The tensors that the call returns.
std::function<execution::Tensors()> ForwardOf(const operators::Callable& call);

// The tensor, if the inputs are one; InvalidArgument, naming the operator, otherwise.
absl::StatusOr<at::Tensor> TheTensorOf(const execution::OperatorArguments& inputs,
                                       std::string_view name);

// NotFound, with similar names, for an unknown operator; InvalidArgument for inputs that it does
// not take.
using Operator = std::function<absl::StatusOr<BoundCall>(execution::OperatorArguments inputs)>;

// `build` is absent where the configuration has none. The same errors, and LibTorch's exceptions.
// An operator that touches files is refused unless `trusted`.
absl::StatusOr<Operator> BuildOperator(std::string_view name,
                                       const std::optional<execution::OperatorArguments>& build,
                                       c10::Device device, bool trusted = false);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_OPERATORS_H_
