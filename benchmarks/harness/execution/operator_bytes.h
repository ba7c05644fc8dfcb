#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_BYTES_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_BYTES_H_

// ---------------------------------------------------------------------------------------------
// operator_bytes.h: which memory one call of one operator has to touch, from its schema and
// arguments.
//
// Not for: which calls happen, and what of that memory was there before (byte_count.h).
//
// Example:
//   JudgeBytes(add, {a, b, 1})            // kCounted: reads a and b
//   JudgeBytes(embedding, {table, i})     // kCounted: reads i, and a part of the table
//   JudgeBytes(transpose, {a, 0, 1})      // kNothing
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <c10/core/StorageImpl.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace assay::execution {

// As much of a tensor's memory as a call touches.
struct MemoryPart {
  c10::weak_intrusive_ptr<c10::StorageImpl> storage;
  int64_t storage_bytes = 0;
  int64_t offset = 0;  // of the tensor's first element, in elements
  int64_t bytes = 0;
};

struct OperatorBytes {
  enum class Kind {
    kNothing,  // a view, or a question about a tensor
    kInside,   // is made of the operators that it calls
    kCounted,  // what is below covers all that it calls
    kUnknown,  // tensors that are not strided, or an operator that is not ATen's own
  };
  Kind kind = Kind::kNothing;
  std::vector<MemoryPart> read = {}, written = {};  // of its arguments
  // Read as well, but of each no more than the operator returns.
  std::vector<MemoryPart> read_as_returned = {};
  bool writes_results = true;  // empty_like does not
};

// Of arguments that are larger than a call needs, the rows or elements that its indices name; each
// row once, for which the indices are read. Lets c10::Error through.
OperatorBytes JudgeBytes(const c10::OperatorHandle& op, c10::ArrayRef<const c10::IValue> inputs);

// All of the tensors in an argument or a result. Nothing, if one is not strided.
std::optional<std::vector<MemoryPart>> PartsOf(const c10::IValue& value);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_OPERATOR_BYTES_H_
