#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_BYTES_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_BYTES_H_

// ---------------------------------------------------------------------------------------------
// operator_bytes.h: decides which memory one call of one operator must touch, from its schema and
// arguments.
//
// Not for: which calls happen, and which of that memory existed before (byte_count.h).
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

namespace assay::costs {

// The part of a tensor's memory that a call touches.
struct MemoryPart {
  c10::weak_intrusive_ptr<c10::StorageImpl> storage;
  int64_t storage_bytes = 0;
  int64_t offset = 0;  // offset of the tensor's first element, in elements
  int64_t bytes = 0;
};

struct OperatorBytes {
  enum class Kind {
    kNothing,  // a view, or a query of a tensor's properties
    kInside,   // composed of the operators that it calls
    kCounted,  // the fields below cover all that it calls
    kUnknown,  // a tensor is not strided, or the operator is not one of ATen
  };
  Kind kind = Kind::kNothing;
  std::vector<MemoryPart> read = {}, written = {};  // whole arguments
  // Arguments of which the call reads at most as many elements as it returns.
  std::vector<MemoryPart> read_as_returned = {};
  bool writes_results = true;  // false for empty_like
};

// For arguments that are larger than a call needs: the rows or elements that its indices name. Each
// row counts once, so the indices are read. Lets c10::Error through.
OperatorBytes JudgeBytes(const c10::OperatorHandle& op, c10::ArrayRef<const c10::IValue> inputs);

// All tensors in an argument or a result. Nothing if one of them is not strided.
std::optional<std::vector<MemoryPart>> PartsOf(const c10::IValue& value);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_OPERATOR_BYTES_H_
