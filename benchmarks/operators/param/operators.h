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
// This is no execution::Program: a program has state by name, is pure or can be reset, and is
// compared with a reference. PARAM's calls are different: gradients add up from call to call,
// dropout is on, and in-place operators change their inputs.
//
// Example:
//   absl::StatusOr<Operator> add = BuildOperator("torch.add", std::nullopt, at::kCPU);
//   absl::StatusOr<BoundCall> call = (*add)({.positional = {a, b}});
//   execution::Tensors outputs = call->forward();
// ---------------------------------------------------------------------------------------------

#include <c10/core/Device.h>

#include <functional>
#include <optional>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/boxed_operator.h"
#include "benchmarks/harness/execution/program.h"

namespace assay::param {

// An operator and one input. Calls let c10::Error through.
struct BoundCall {
  std::function<execution::Tensors()> forward;
  bool differentiable = true;
  // Starts from the gradients of the last outputs; null: by autograd.
  std::function<void(const execution::Tensors& gradients)> backward = nullptr;
};

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
