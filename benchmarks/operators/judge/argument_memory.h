#ifndef ASSAY_BENCHMARKS_OPERATORS_JUDGE_ARGUMENT_MEMORY_H_
#define ASSAY_BENCHMARKS_OPERATORS_JUDGE_ARGUMENT_MEMORY_H_

// ---------------------------------------------------------------------------------------------
// argument_memory.h: checks that an operator whose schema has no alias leaves its arguments alone:
// it writes to none of them, and its results lie in memory of their own.
//
// Tensors are copied whole, memory and metadata (dtype, shape, strides, names), since a copy of a
// sample costs less than its digest. For sparse tensors indices and values are compared; for
// oneDNN's, whose memory only oneDNN may read, the numbers.
//
// Example:
//   const ArgumentState before(call);
//   c10::Stack results = call.run(call.arguments);
//   std::string reason = before.Change(call);               // "" where nothing changed
//   if (reason.empty()) reason = SharedMemory(results, call);  // "" where nothing is shared
// ---------------------------------------------------------------------------------------------

#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <string>
#include <vector>

#include "benchmarks/operators/judge/callable.h"

namespace assay::operators {

// The arguments' state when this object was made.
class ArgumentState {
 public:
  explicit ArgumentState(const Callable& call);

  // "argument 'self' holds other numbers after the call"; empty if nothing changed.
  std::string Change(const Callable& call) const;

 private:
  struct Argument {
    std::string metadata, memory;  // of a tensor
    c10::IValue value;             // what else it is
    bool operator==(const Argument& other) const;
  };
  static std::vector<Argument> ArgumentsOf(const Callable& call);

  std::vector<Argument> arguments_;
};

// "result 0 lies in the memory of argument 'self'"; empty if none does.
std::string SharedMemory(const c10::Stack& results, const Callable& call);

// "result 0 lies in the memory of result 0 of another call": the second call has then overwritten
// the first one's numbers, and comparing the two compares a result with itself.
std::string SharedMemory(const c10::Stack& results, const c10::Stack& results_of_another_call);

}  // namespace assay::operators

#endif  // ASSAY_BENCHMARKS_OPERATORS_JUDGE_ARGUMENT_MEMORY_H_
