#ifndef ASSAY_BENCHMARKS_OPERATORS_JUDGE_VALUE_LEAVES_H_
#define ASSAY_BENCHMARKS_OPERATORS_JUDGE_VALUE_LEAVES_H_

// ---------------------------------------------------------------------------------------------
// value_leaves.h: lists the values on a stack of an operator's arguments or results one by one:
// lists and tuples are opened, so that each of their elements is seen.
//
// Example:
//   for (const Leaf& leaf : LeavesOf(results))
//     std::cout << "result " << leaf.position << leaf.element;  // "result 1[0]"
// ---------------------------------------------------------------------------------------------

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <string>
#include <vector>

namespace assay::operators {

struct Leaf {
  size_t position = 0;  // on the stack
  std::string element;  // "[1]", in a list; else empty
  c10::IValue value;    // a tensor, which may be undefined, a number, a word, None ...
};

std::vector<Leaf> LeavesOf(const torch::jit::Stack& stack);

// Whether two leaves other than tensors are equal; NaN equals itself.
bool SameValue(const c10::IValue& a, const c10::IValue& b);

}  // namespace assay::operators

#endif  // ASSAY_BENCHMARKS_OPERATORS_JUDGE_VALUE_LEAVES_H_
