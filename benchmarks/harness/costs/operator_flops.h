#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_FLOPS_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_FLOPS_H_

// ---------------------------------------------------------------------------------------------
// operator_flops.h: counts the operations of one call of one operator, from its name and arguments.
//
// Not for: which calls happen (flop_count.h).
//
// Example:
//   JudgeOperator("aten::mm", {a, b})       // a (2, 3), b (3, 4): kCounted, {.all = 48}
//   JudgeOperator("aten::relu", {x})        // kFree
// ---------------------------------------------------------------------------------------------

#include <ATen/core/ivalue.h>

#include <string_view>

namespace assay::costs {

struct FlopCount {
  double all = 0;
  // The part of `all` that a kernel may leave out: products with the zeros that pad a convolution's
  // input, and those that a transposed convolution cuts off. Zeros that another operator pads with
  // (padding "same" of an odd number) count as data.
  double padding = 0;
};

struct OperatorFlops {
  enum class Kind {
    kFree,     // computes no product that this file knows of
    kCounted,  // `flops` covers all that it calls
    kInside,   // products, by its name: counted only if the operators that it calls are
    kUnknown,  // products that are not counted
  };
  Kind kind = Kind::kFree;
  FlopCount flops = {};
};

// `name` as the dispatcher has it, "aten::mm". Lets c10::Error through for arguments that are not
// those of the operator.
OperatorFlops JudgeOperator(std::string_view name, c10::ArrayRef<const c10::IValue> inputs);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_FLOPS_H_
