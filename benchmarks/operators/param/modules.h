#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_MODULES_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_MODULES_H_

// ---------------------------------------------------------------------------------------------
// modules.h: builds those modules of torch.nn that occur in PARAM's configurations, with the
// constructor arguments, defaults and initial distributions of Python's, in training mode.
//
// AdaptiveAvgPool2d, Conv2d, Dropout, Linear, MaxPool2d, ReLU.
//
// Not for: models of this suite (models/), whose weights have names.
//
// Example:
//   absl::StatusOr<Module> conv = BuildModule("Conv2d", {.positional = {3, 64, 7}}, at::kCPU);
//   at::Tensor y = (*conv)(x)[0];
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <functional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/boxed_operator.h"
#include "benchmarks/operators/param/operators.h"

namespace assay::param {

using Module = std::function<execution::Tensors(const at::Tensor& x)>;

// `name` without "torch.nn.". NotFound, with the list of modules, for an unknown one;
// InvalidArgument for arguments that its constructor does not take. `place` distinguishes the
// weights of several modules of one network.
absl::StatusOr<Module> BuildModule(std::string_view name,
                                   const execution::OperatorArguments& arguments,
                                   c10::Device device, std::string_view place = "");

// The module as an operator of one tensor.
Operator OperatorOf(Module module, std::string name);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_MODULES_H_
