#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_MODULES_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_MODULES_H_

// ---------------------------------------------------------------------------------------------
// modules.h: the operators that those modules of torch.nn are that occur in PARAM's configurations,
// with the constructor arguments, defaults and initial distributions of Python's, in training mode.
//
// AdaptiveAvgPool2d, Conv2d, Dropout, Linear, MaxPool2d, ReLU.
//
// Not for: models of this suite (models/), whose weights have names.
//
// Example:
//   absl::StatusOr<ModuleCall> conv = BuildModule("Conv2d", {.positional = {3, 64, 7}}, at::kCPU);
//   // conv->aten is "aten::conv2d", conv->behind its weight, bias, stride ...
// ---------------------------------------------------------------------------------------------

#include <ATen/core/ivalue.h>
#include <c10/core/Device.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"

namespace assay::param {

// An operator, and its arguments behind the module's input.
struct ModuleCall {
  std::string aten;
  std::vector<c10::IValue> behind = {};
};

// `name` without "torch.nn.". NotFound, with the list of modules, for an unknown one;
// InvalidArgument for arguments that its constructor does not take.
absl::StatusOr<ModuleCall> BuildModule(std::string_view name,
                                       const execution::OperatorArguments& arguments,
                                       c10::Device device);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_MODULES_H_
